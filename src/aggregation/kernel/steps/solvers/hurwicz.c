/* The Arrow-Hurwicz algorithm (paper 2, 3.17), and the damped one (3.22, 3.23), for the same minimum: bonds attract
 * their ends (W), and multipliers grow at overlaps. Lengths are in units of the contact distance of each bond. The
 * stiffness of each bond is that of its reduced mass, which conserves the centre of mass and equals that of the paper
 * for equal masses and radii.
 *
 * In discrete pseudo-time, c the damping:
 *     X(r+1) = [2 X(r) - (1 - c/2) X(r-1) - f(X(r), lambda(r))] / (1 + c/2),
 *     f = alpha^2 grad L + gamma sum lambda phi grad phi,
 *     lambda(r+1) = max(0, lambda(r) + beta phi(X(r+1))).
 * With damping of the multipliers these follow the same scheme as X, with the force -beta phi. */
#include "aggregation/kernel/steps/solvers.h"

/* The coefficients at one speed of pseudo-time. */
typedef struct coefficients {
    double alpha2, beta, gamma, keep, drag; /* keep: 1 - c/2; drag: 1 + c/2 */
    double multiplier_keep, multiplier_drag;
    bool first_order, first_order_multipliers, smooth;
    double settled, lambda; /* initial multipliers of bonds that are at their length, and of new ones */
} coefficients;

static coefficients coefficients_of(const steps_hurwicz *h, bool damped, double pseudo_time_scale)
{
    double c = h->damping * pseudo_time_scale, d = h->multiplier_damping * pseudo_time_scale;
    coefficients k = {.smooth = h->constraint == CONSTRAINT_SMOOTH, .first_order = !damped};
    k.alpha2 = damped ? h->alpha2 * pseudo_time_scale * pseudo_time_scale : h->alpha2;
    k.gamma = damped ? h->gamma * pseudo_time_scale * pseudo_time_scale : 0;
    k.first_order_multipliers = h->multiplier_damping == 0;
    k.beta = h->beta * (!damped                     ? 1
                        : k.first_order_multipliers ? pseudo_time_scale
                                                    : pseudo_time_scale * pseudo_time_scale);
    k.keep = 1 - c / 2;
    k.drag = 1 + c / 2;
    k.multiplier_keep = 1 - d / 2;
    k.multiplier_drag = 1 + d / 2;
    k.settled = k.smooth ? 0.5 : 1;
    k.lambda = h->lambda >= 0 ? h->lambda : k.settled;
    return k;
}

/* Work space: the force and the previous displacement of each node, then lambda and the previous lambda of each
 * bond. */
enum { PER_NODE = 2 * DIM, PER_BOND = 2 };
typedef struct space {
    double *nodes, *bonds;
    uint32_t node_count, bond_count; /* of the initialised work space */
    size_t node_room;
} space;

/* Extends the work space for new nodes and bonds. */
static bool hurwicz_make_room(problem *p, space *s, const coefficients *k)
{
    if (p->node_count > s->node_room) {
        size_t room = 2 * (size_t)p->node_count + 16;
        double *work = problem_work(p, room * PER_NODE + PER_BOND * (size_t)p->bond_count);
        if (work == NULL) return false;
        for (size_t n = PER_BOND * (size_t)s->bond_count; n > 0; n--)
            work[room * PER_NODE + n - 1] = work[s->node_room * PER_NODE + n - 1];
        s->node_room = room;
    }
    double *work = problem_work(p, s->node_room * PER_NODE + PER_BOND * (size_t)p->bond_count);
    if (work == NULL) return false;
    s->nodes = work;
    s->bonds = work + s->node_room * PER_NODE;
    for (; s->node_count < p->node_count; s->node_count++)
        for (int q = 0; q < DIM; q++)
            s->nodes[s->node_count * PER_NODE + DIM + (uint32_t)q] = p->nodes[s->node_count].u[q];
    for (; s->bond_count < p->bond_count; s->bond_count++) {
        double lambda = p->bonds[s->bond_count].known ? k->settled : k->lambda;
        s->bonds[s->bond_count * PER_BOND] = s->bonds[s->bond_count * PER_BOND + 1] = lambda;
    }
    return true;
}

/* phi, in units of the length of the bond. */
static double constraint(const coefficients *k, double distance)
{
    return k->smooth ? 1 - distance * distance : 1 - distance;
}

static void add_forces(const problem *p, space *s, const coefficients *k)
{
    for (uint32_t n = 0; n < p->node_count; n++)
        for (uint32_t q = 0; q < DIM; q++) s->nodes[n * PER_NODE + q] = 0;
    for (uint32_t n = 0; n < p->bond_count; n++) {
        const bond *l = &p->bonds[n];
        double r[DIM], lambda = s->bonds[n * PER_BOND], share = 2 / (p->nodes[l->a].w + p->nodes[l->b].w);
        bond_now(p, l, r);
        double distance = sqrt(dot(r, r)) / l->length, phi = constraint(k, distance);
        if (distance == 0) r[0] = HURWICZ_LEAST_DISTANCE * l->length;              /* no direction defined */
        double slope = k->smooth ? 2 : 1 / fmax(distance, HURWICZ_LEAST_DISTANCE); /* grad phi = -slope r */
        double force = (l->slack ? -k->alpha2 * slope * lambda : k->alpha2 * (1 - slope * lambda)) -
                       k->gamma * slope * lambda * phi;
        for (uint32_t q = 0; q < DIM; q++) {
            s->nodes[l->a * PER_NODE + q] += share * force * r[q];
            s->nodes[l->b * PER_NODE + q] -= share * force * r[q];
        }
    }
}

/* The largest step of a node. */
static double hurwicz_move(problem *p, space *s, const coefficients *k)
{
    double most = 0;
    for (uint32_t n = 0; n < p->node_count; n++) {
        node *a = &p->nodes[n];
        double *force = &s->nodes[n * PER_NODE], *before = force + DIM, way = 0;
        for (int q = 0; q < DIM; q++) {
            double now = a->u[q], pushed = a->w * force[q], next;
            if (k->first_order)
                next = now - pushed;
            else
                next = (2 * now - k->keep * before[q] - pushed) / k->drag;
            before[q] = now;
            a->u[q] = next;
        }
        node_confine(a);
        for (int q = 0; q < DIM; q++) way += (a->u[q] - before[q]) * (a->u[q] - before[q]);
        most = fmax(most, way);
    }
    return sqrt(most);
}

/* Updates the multipliers. Returns true if all bonds are within the tolerance. A bond that is too long also counts if
 * its multiplier is 0 and all nodes are at rest: other spheres block it. */
static bool follow(problem *p, space *s, const coefficients *k, double tolerance, double way)
{
    bool met = true;
    for (uint32_t n = 0; n < p->bond_count; n++) {
        const bond *l = &p->bonds[n];
        double r[DIM], *lambda = &s->bonds[n * PER_BOND], next;
        bond_now(p, l, r);
        double distance = sqrt(dot(r, r)), phi = constraint(k, distance / l->length);
        if (k->first_order_multipliers)
            next = lambda[0] + k->beta * phi;
        else
            next = (2 * lambda[0] - k->multiplier_keep * lambda[1] + k->beta * phi) / k->multiplier_drag;
        lambda[1] = lambda[0];
        lambda[0] = next > 0 ? next : 0;
        bool blocked = distance > l->length && lambda[0] == 0 && way < HURWICZ_REST * tolerance * l->length;
        met = met && (blocked || bond_is_met(l, distance, tolerance));
    }
    return met;
}

static solution solve_hurwicz(problem *p, const steps_settings *settings, const coefficients *k)
{
    const double far = HURWICZ_EXPAND * settings->tolerance;
    solution result = {0};
    space s = {0};
    for (; result.iterations < settings->iterations && hurwicz_make_room(p, &s, k); result.iterations++) {
        add_forces(p, &s, k);
        double way = hurwicz_move(p, &s, k);
        if (!(way < HURWICZ_DIVERGED * p->bonds[0].length)) break; /* divergence */
        bool met = follow(p, &s, k, settings->tolerance, way);
        bool grown = p->expand != NULL && p->expand(p, far, met);
        if (!met || grown) continue;
        result.converged = true;
        break;
    }
    return result;
}

static solution solve_daha(problem *p, const steps_settings *settings, double pseudo_time_scale)
{
    const coefficients k = coefficients_of(&settings->daha, true, pseudo_time_scale);
    return solve_hurwicz(p, settings, &k);
}

static solution solve_aha(problem *p, const steps_settings *settings, double pseudo_time_scale)
{
    const coefficients k = coefficients_of(&settings->aha, false, pseudo_time_scale);
    return solve_hurwicz(p, settings, &k);
}

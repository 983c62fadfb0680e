/* Whether supports can carry the weight of a body: whether forces exist that balance gravity.
 *
 * Smooth supports press: sum lambda n = -g with lambda >= 0, n the normals towards the body. Rough ones also exert forces
 * tau along their surfaces, |tau| <= mu lambda, whose torques on the sphere cancel: sum (lambda n + tau) = -g and
 * sum n x tau = 0. A sphere on one inclined surface rolls, whatever the friction; one that is wedged between others may rest
 * by friction. With friction, other bodies count only if they are lower: loads go down, to a boundary. Otherwise bodies
 * side by side could hold each other in the air, since a sleeping body supports any load. */
#include "hard/kernel/features/support.h"

static void add_support(supports *s, uint32_t id, const real normal[DIM], real length, double friction)
{
    int at = s->count;
    while (at > 0 && s->id[at - 1] > id) at--;
    if (at == MOST_SUPPORTS) return;
    int last = s->count < MOST_SUPPORTS ? s->count++ : MOST_SUPPORTS - 1;
    for (int k = last; k > at; k--) {
        s->id[k] = s->id[k - 1];
        s->friction[k] = s->friction[k - 1];
        for (int a = 0; a < DIM; a++) s->normal[k][a] = s->normal[k - 1][a];
    }
    s->id[at] = id;
    s->friction[at] = friction;
    for (int a = 0; a < DIM; a++) s->normal[at][a] = (double)(normal[a] / length);
}

static double support_friction(const restitution_law *law)
{
    if (!restitution_is_rough(law)) return 0;
    return law->friction_given ? law->friction : INFINITY;
}

/* Non-negative least squares by coordinate descent. */
static bool carried_by_pressure(const gas *g, const supports *s)
{
    double left[DIM], lambda[MOST_SUPPORTS] = {0}, pull = 0;
    for (int a = 0; a < DIM; a++) {
        left[a] = (double)g->gravity[a];
        pull += left[a] * left[a];
    }
    for (int sweep = 0; sweep < SUPPORT_SWEEPS; sweep++) {
        for (int k = 0; k < s->count; k++) {
            double step = 0;
            for (int a = 0; a < DIM; a++) step -= left[a] * s->normal[k][a];
            if (lambda[k] + step < 0) step = -lambda[k];
            lambda[k] += step;
            for (int a = 0; a < DIM; a++) left[a] += step * s->normal[k][a];
        }
    }
    double rest = 0;
    for (int a = 0; a < DIM; a++) rest += left[a] * left[a];
    return rest <= SUPPORT_ERROR * SUPPORT_ERROR * pull;
}

/* ---- with friction ----------------------------------------------------------------------------------------------- */

/* Least squares over the cones of forces, as Lawson and Hanson (Solving Least Squares Problems, ch. 23) solve them over
 * given vectors: one vector of a cone after the other enters the set in use, always the one that decreases what is left
 * most; those whose force would be negative leave it. A vector has the force and the torque, in units of the radius. */
enum { WRENCH = 6 };

typedef struct equilibrium {
    double vector[WRENCH + 1][WRENCH]; /* those in use: linearly independent */
    double force[WRENCH + 1];          /* of each, not negative */
    int count;
    double left[WRENCH]; /* what they do not balance */
} equilibrium;

static double inner_product(const double *a, const double *b, int length)
{
    double sum = 0;
    for (int k = 0; k < length; k++) sum += a[k] * b[k];
    return sum;
}

static void cross_of(const double a[3], const double b[3], double c[3])
{
    for (int k = 0; k < 3; k++) c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Takes a vector, if it decreases what is left by more than the best one so far. */
static void offer(const equilibrium *all, const double normal[3], const double along[3], double part, double *gain,
                  double best[WRENCH])
{
    double v[WRENCH], turn[3];
    cross_of(normal, along, turn);
    for (int k = 0; k < 3; k++) {
        v[k] = part * normal[k] + along[k];
        v[k + 3] = turn[k];
    }
    const double size = sqrt(inner_product(v, v, WRENCH)), found = inner_product(all->left, v, WRENCH) / size;
    if (!(found > *gain)) return;
    *gain = found;
    for (int k = 0; k < WRENCH; k++) best[k] = v[k] / size;
}

/* The best vectors of one support: its normal, and that at the limit of friction in the direction in which friction
 * decreases most. Returns the gain. */
static void offer_support(const equilibrium *all, const double n[DIM], double friction, double *gain,
                          double best[WRENCH])
{
    double normal[3] = {0}, along[3], across = 0;
    for (int k = 0; k < DIM; k++) normal[k] = n[k];
    offer(all, normal, (const double[3]){0, 0, 0}, 1, gain, best);
    if (friction == 0) return;
    cross_of(all->left + 3, normal, along);
    for (int k = 0; k < 3; k++) across += all->left[k] * normal[k];
    for (int k = 0; k < 3; k++) along[k] += all->left[k] - across * normal[k];
    const double size = sqrt(inner_product(along, along, 3)), scale = isinf(friction) ? 1 : friction;
    if (!(size > 0)) return;
    for (int k = 0; k < 3; k++) along[k] *= scale / size;
    offer(all, normal, along, isinf(friction) ? 0 : 1, gain, best);
}

/* The forces of the vectors in use that leave least, of any sign, by orthogonal vectors (modified Gram-Schmidt). */
static void fit(const equilibrium *all, const double load[WRENCH], double force[WRENCH + 1])
{
    double q[WRENCH + 1][WRENCH], r[WRENCH + 1][WRENCH + 1], rest[WRENCH];
    memcpy(q, all->vector, sizeof q);
    memcpy(rest, load, sizeof rest);
    for (int j = 0; j < all->count; j++) {
        for (int i = 0; i < j; i++) {
            r[i][j] = inner_product(q[i], q[j], WRENCH);
            for (int k = 0; k < WRENCH; k++) q[j][k] -= r[i][j] * q[i][k];
        }
        r[j][j] = sqrt(inner_product(q[j], q[j], WRENCH));
        for (int k = 0; k < WRENCH && r[j][j] > 0; k++) q[j][k] /= r[j][j];
        force[j] = inner_product(q[j], rest, WRENCH);
        for (int k = 0; k < WRENCH; k++) rest[k] -= force[j] * q[j][k];
    }
    for (int j = all->count - 1; j >= 0; j--) {
        for (int i = j + 1; i < all->count; i++) force[j] -= r[j][i] * force[i];
        force[j] = r[j][j] > 0 ? force[j] / r[j][j] : 0;
    }
}

/* Goes from the present forces towards those of the fit, until one is 0; drops its vector. False: the fit is reached. */
static bool approach_fit(equilibrium *all, const double wanted[WRENCH + 1])
{
    double share = 1;
    int gone = -1, kept = 0;
    for (int j = 0; j < all->count; j++) {
        if (wanted[j] > 0) continue;
        const double part = all->force[j] > 0 ? all->force[j] / (all->force[j] - wanted[j]) : 0;
        if (gone >= 0 && part >= share) continue;
        share = part;
        gone = j;
    }
    for (int j = 0; j < all->count; j++) {
        all->force[kept] = all->force[j] + share * (wanted[j] - all->force[j]);
        if (kept < j) memcpy(all->vector[kept], all->vector[j], sizeof all->vector[j]);
        kept += j != gone;
    }
    all->count = kept;
    return gone >= 0;
}

static void update_equilibrium(equilibrium *all, const double load[WRENCH])
{
    double wanted[WRENCH + 1];
    do fit(all, load, wanted);
    while (approach_fit(all, wanted));
    for (int k = 0; k < WRENCH; k++) {
        all->left[k] = load[k];
        for (int j = 0; j < all->count; j++) all->left[k] -= all->force[j] * all->vector[j][k];
    }
}

static bool is_higher_body(const gas *g, const supports *s, int k)
{
    double fall = 0;
    for (int a = 0; a < DIM; a++) fall += s->normal[k][a] * (double)g->gravity[a];
    return s->id[k] < PARTNER_ELEMENT && fall >= 0;
}

static bool carried_by_friction(const gas *g, const supports *s)
{
    double load[WRENCH] = {0}, best[WRENCH];
    equilibrium all = {.count = 0};
    for (int a = 0; a < DIM; a++) load[a] = -(double)g->gravity[a];
    memcpy(all.left, load, sizeof load);
    const double most = SUPPORT_ERROR * SUPPORT_ERROR * inner_product(load, load, WRENCH);
    for (int step = 0; step < FRICTION_STEPS; step++) {
        const double rest = inner_product(all.left, all.left, WRENCH);
        double gain = FRICTION_GAIN * sqrt(rest);
        if (rest <= most) return true;
        const double least = gain;
        for (int k = 0; k < s->count; k++)
            if (!is_higher_body(g, s, k)) offer_support(&all, s->normal[k], s->friction[k], &gain, best);
        if (gain == least || all.count > WRENCH) return false;
        memcpy(all.vector[all.count], best, sizeof best);
        all.force[all.count++] = 0;
        update_equilibrium(&all, load);
    }
    return false;
}

static bool carried(const gas *g, const supports *s)
{
    return carried_by_pressure(g, s) || (g->rotation != NULL && carried_by_friction(g, s));
}

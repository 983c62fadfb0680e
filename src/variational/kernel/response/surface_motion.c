#include "variational/kernel/response/surface_motion.h"

#include "variational/kernel/features/bodies.h"
#include "variational/kernel/features/spins.h"
#include "variational/kernel/narrow/elements.h"

/* ---- arms -------------------------------------------------------------------------------------------------------- */

/* The radius of a ball; of rods and meshes, if drives hold them. */
static double arm_weight(const world *w, uint32_t element)
{
    uint32_t ends[3];
    if (element >= NODES) return 0;
    if (element < w->count && !is_vertex(w, element)) return w->radius[element];
    for (int n = ends_of(w, element, ends); n-- > 0;)
        if (!node_is_driven(&w->node[ends[n]])) return 0;
    return w->radius[element];
}

static void arm_shares(const world *w, uint32_t i, uint32_t j, double share[2])
{
    const double a = arm_weight(w, i), b = arm_weight(w, j);
    share[0] = a + b > 0 ? a / (a + b) : 0;
    share[1] = a + b > 0 ? b / (a + b) : 0;
}

static void contact_arm(uint32_t j, const double normal[DIM], const double place[DIM], double arm[3])
{
    const double distance = dot(place, normal);
    arm[2] = 0;
    for (int k = 0; k < DIM; k++) arm[k] = j < NODES ? place[k] : distance * normal[k];
}

/* ---- velocities -------------------------------------------------------------------------------------------------- */

static void add_surface_velocity(const world *w, const contact *c, const double arm[3], double v[DIM])
{
    double share[2], spin[2][3], sum[3], round[3];
    arm_shares(w, c->i, c->j, share);
    spin_of_element(w, c->i, spin[0]);
    spin_of_element(w, c->j, spin[1]);
    for (int k = 0; k < 3; k++) sum[k] = share[0] * spin[0][k] + share[1] * spin[1][k];
    cross3(sum, arm, round);
    for (int k = 0; k < DIM; k++) v[k] -= round[k];
}

static void relative_spin(const world *w, const contact *c, double rate[3])
{
    double other[3];
    spin_of_element(w, c->i, rate);
    spin_of_element(w, c->j, other);
    for (int k = 0; k < 3; k++) rate[k] -= other[k];
}

/* Of one side: by the square of its arm, or, in a rigid body, between the point of contact and the node. lever: from the node
 * to the point of contact. */
static double side_mobility(const world *w, uint32_t element, const double lever[3], const double along[DIM], double t)
{
    double u[3] = {0}, torque[3];
    if (element >= w->count) return 0;
    if (is_rigid(w, element)) {
        const uint32_t body = w->rigid.body_of[element];
        double x[DIM], point[DIM];
        node_place(w, element, t, x);
        for (int k = 0; k < DIM; k++) point[k] = x[k] + lever[k];
        return body_mobility(w, body, point, along, t) - body_mobility(w, body, x, along, t);
    }
    memcpy(u, along, DIM * sizeof *u);
    cross3(lever, u, torque);
    return w->spins->node[element].inverse_inertia * dot3(torque, torque);
}

static double surface_mobility(const world *w, const contact *c, const double arm[3], const double along[DIM], double t)
{
    double share[2], lever[2][3];
    arm_shares(w, c->i, c->j, share);
    for (int k = 0; k < 3; k++) {
        lever[0][k] = -share[0] * arm[k];
        lever[1][k] = share[1] * arm[k];
    }
    return side_mobility(w, c->i, lever[0], along, t) + side_mobility(w, c->j, lever[1], along, t);
}

static double balls_mobility(const world *w, const contact *c, const double arm[3])
{
    const uint32_t element[2] = {c->i, c->j};
    double share[2], sum = 0;
    arm_shares(w, c->i, c->j, share);
    for (int side = 0; side < 2; side++)
        if (element[side] < w->count) sum += share[side] * share[side] * w->spins->node[element[side]].inverse_inertia;
    return sum * dot3(arm, arm);
}

/* ---- since the last tick ----------------------------------------------------------------------------------------- */

static contact_spin *spin_of_contact(world *w, const contact *c)
{
    return &w->spins->contact[c - w->contacts.contact];
}

/* The integral of a ball's spin. */
static void turn_at(const world *w, uint32_t element, double t, double turn[3])
{
    memset(turn, 0, 3 * sizeof *turn);
    if (element >= w->count) return;
    const spinner *a = &w->spins->node[element];
    for (int k = 0; k < 3; k++) turn[k] = a->turn[k] + (t - a->t) * a->spin[k];
}

static void contact_spin_begin(world *w, const contact *c, const double place[DIM], double t)
{
    contact_spin *s = spin_of_contact(w, c);
    *s = (contact_spin){.torque = {0}};
    memcpy(s->place, place, sizeof s->place);
    turn_at(w, c->i, t, s->turn[0]);
    turn_at(w, c->j, t, s->turn[1]);
    relative_spin(w, c, s->left);
}

static void turned_since(world *w, const contact *c, double step, double t, double out[2][3])
{
    contact_spin *s = spin_of_contact(w, c);
    double rate[3];
    relative_spin(w, c, rate);
    for (int k = 0; k < 3 && c->linked; k++) {
        out[0][k] = 0.5 * step * (s->left[k] + rate[k]);
        out[1][k] = 0;
    }
    for (int side = 0; side < 2 && !c->linked; side++) {
        double now[3];
        turn_at(w, side == 0 ? c->i : c->j, t, now);
        for (int k = 0; k < 3; k++) out[side][k] = now[k] - s->turn[side][k];
        memcpy(s->turn[side], now, sizeof now);
    }
}

static void slid_since(world *w, const contact *c, const double place[DIM], const double arm[3],
                       const double since[2][3], double out[DIM])
{
    contact_spin *s = spin_of_contact(w, c);
    double share[2], sum[3], mean[3] = {0}, round[3];
    arm_shares(w, c->i, c->j, share);
    for (int k = 0; k < 3; k++) sum[k] = share[0] * since[0][k] + share[1] * since[1][k];
    for (int k = 0; k < DIM; k++) mean[k] = c->j < NODES ? 0.5 * (arm[k] + s->place[k]) : arm[k];
    cross3(sum, mean, round);
    for (int k = 0; k < DIM; k++) {
        out[k] = place[k] - s->place[k] - round[k];
        s->place[k] = place[k];
    }
}

/* m R^2 / I of a ball; that of a clump at its spheres; otherwise 0. */
static double yield_of(const world *w, uint32_t element)
{
    if (element < w->count && clump_yield(w, element) >= 0) return clump_yield(w, element);
    return element < w->count
               ? w->mass[element] * w->radius[element] * w->radius[element] * w->spins->node[element].inverse_inertia
               : 0;
}

static double sliding_stiffness(const world *w, const contact *c)
{
    const double stiffness = layers_stiffness(w, (uint32_t)(c - w->contacts.contact));
    if (w->spins == NULL) return stiffness;
    return stiffness / (1 + greater(yield_of(w, c->i), yield_of(w, c->j)));
}

/* ---- torques ----------------------------------------------------------------------------------------------------- */

static void turn_sides(world *w, const kick *q, bool on_i, bool on_j, double t)
{
    static const double none[DIM];
    const double *normal = q->j < NODES ? none : w->domain.surface[q->j - NODES].normal;
    double share[2], arm[3], impulse[3] = {0}, turn[3], torque[3];
    arm_shares(w, q->i, q->j, share);
    contact_arm(q->j, normal, q->r, arm);
    memcpy(impulse, q->impulse, sizeof q->impulse);
    cross3(impulse, arm, turn);
    for (int side = 0; side < 2; side++) {
        const uint32_t element = side == 0 ? q->i : q->j;
        if (!(side == 0 ? on_i : on_j) || element >= w->count || share[side] == 0) continue;
        for (int k = 0; k < 3; k++) torque[k] = share[side] * turn[k];
        spin_up(w, element, torque, t);
    }
}

#include "variational/kernel/response/surface_motion.h"

#include "variational/kernel/features/bodies.h"
#include "variational/kernel/features/spins.h"
#include "variational/kernel/narrow/elements.h"

/* ---- sides ------------------------------------------------------------------------------------------------------- */

/* The radius of rods, and of the elements of meshes, if drives hold them; otherwise 0. */
static double held_weight(const world *w, uint32_t element)
{
    uint32_t ends[3];
    for (int n = ends_of(w, element, ends); n-- > 0;)
        if (!node_is_driven(&w->node[ends[n]])) return 0;
    return w->radius[element];
}

HOT double arm_weight(const world *w, uint32_t element)
{
    if (element >= NODES) return 0;
    return element < w->count && !is_vertex(w, element) ? w->radius[element] : held_weight(w, element);
}

/* Two nodes that are not linked are balls. */
HOT void arm_shares(const world *w, uint32_t i, uint32_t j, bool linked, double share[2])
{
    const bool balls = !linked && j < NODES;
    const double a = balls ? w->radius[i] : arm_weight(w, i), b = balls ? w->radius[j] : arm_weight(w, j), sum = a + b;
    share[0] = sum > 0 ? a / sum : 0;
    share[1] = sum > 0 ? b / sum : 0;
}

HOT void contact_arm(uint32_t j, const double normal[DIM], const double place[DIM], double arm[3])
{
    arm[2] = 0;
    if (j < NODES) {
        memcpy(arm, place, DIM * sizeof *arm);
        return;
    }
    const double distance = dot(place, normal);
    for (int k = 0; k < DIM; k++) arm[k] = distance * normal[k];
}

HOT void sides_spins(const world *w, const contact *c, contact_sides *s)
{
    if (!s->linked && c->j < NODES) {
        memcpy(s->spin[0], w->spins->node[c->i].spin, sizeof s->spin[0]);
        memcpy(s->spin[1], w->spins->node[c->j].spin, sizeof s->spin[1]);
        return;
    }
    spin_of_element(w, c->i, s->spin[0]);
    spin_of_element(w, c->j, s->spin[1]);
}

HOT void sides_at(const world *w, const contact *c, const double normal[DIM], const double place[DIM], bool linked,
                  contact_sides *s)
{
    s->linked = linked;
    arm_shares(w, c->i, c->j, linked, s->share);
    contact_arm(c->j, normal, place, s->arm);
    sides_spins(w, c, s);
}

HOT void relative_spin(const contact_sides *s, double rate[3])
{
    for (int k = 0; k < 3; k++) rate[k] = s->spin[0][k] - s->spin[1][k];
}

HOT void add_surface_velocity(const contact_sides *s, double v[DIM])
{
    double sum[3], round[3];
    for (int k = 0; k < 3; k++) sum[k] = s->share[0] * s->spin[0][k] + s->share[1] * s->spin[1][k];
    cross3(sum, s->arm, round);
    for (int k = 0; k < DIM; k++) v[k] -= round[k];
}

/* ---- mobility ---------------------------------------------------------------------------------------------------- */

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

static double surface_mobility(const world *w, const contact *c, const contact_sides *s, const double along[DIM],
                               double t)
{
    double lever[2][3];
    for (int k = 0; k < 3; k++) {
        lever[0][k] = -s->share[0] * s->arm[k];
        lever[1][k] = s->share[1] * s->arm[k];
    }
    return side_mobility(w, c->i, lever[0], along, t) + side_mobility(w, c->j, lever[1], along, t);
}

HOT double balls_mobility(const world *w, const contact *c, const contact_sides *s)
{
    double sum = s->share[0] * s->share[0] * w->spins->node[c->i].inverse_inertia;
    if (c->j < NODES) sum += s->share[1] * s->share[1] * w->spins->node[c->j].inverse_inertia;
    return sum * dot3(s->arm, s->arm);
}

/* m R^2 / I of a ball; that of a clump at its spheres; otherwise 0. */
HOT double yield_of(const world *w, uint32_t element)
{
    if (element >= w->count) return 0;
    if (is_rigid(w, element) && clump_yield(w, element) >= 0) return clump_yield(w, element);
    return w->mass[element] * w->radius[element] * w->radius[element] * w->spins->node[element].inverse_inertia;
}

HOT double sliding_stiffness(const world *w, const contact *c)
{
    const double stiffness = layers_stiffness(w, (uint32_t)(c - w->contacts.contact));
    if (w->spins == NULL) return stiffness;
    return stiffness / (1 + greater(yield_of(w, c->i), yield_of(w, c->j)));
}

/* ---- since the last tick ----------------------------------------------------------------------------------------- */

HOT contact_spin *spin_of_contact(world *w, const contact *c)
{
    return &w->spins->contact[c - w->contacts.contact];
}

/* The integral of a ball's spin. */
HOT void turn_at(const world *w, uint32_t element, double t, double turn[3])
{
    if (element >= w->count) {
        memset(turn, 0, 3 * sizeof *turn);
        return;
    }
    const spinner *a = &w->spins->node[element];
    for (int k = 0; k < 3; k++) turn[k] = a->turn[k] + (t - a->t) * a->spin[k];
}

static void contact_spin_begin(world *w, const contact *c, const double place[DIM], const contact_sides *s, double t)
{
    contact_spin *now = spin_of_contact(w, c);
    *now = (contact_spin){.torque = {0}};
    memcpy(now->place, place, sizeof now->place);
    if (s->linked) {
        relative_spin(s, now->left);
        return;
    }
    turn_at(w, c->i, t, now->turn[0]);
    turn_at(w, c->j, t, now->turn[1]);
}

HOT void turned_since(world *w, const contact *c, const contact_sides *s, double step, double t, double out[2][3])
{
    contact_spin *last = spin_of_contact(w, c);
    double now[3], rate[3];
    if (s->linked) {
        relative_spin(s, rate);
        for (int k = 0; k < 3; k++) {
            out[0][k] = 0.5 * step * (last->left[k] + rate[k]);
            out[1][k] = 0;
        }
        return;
    }
    for (int side = 0; side < 2; side++) {
        turn_at(w, side == 0 ? c->i : c->j, t, now);
        for (int k = 0; k < 3; k++) out[side][k] = now[k] - last->turn[side][k];
        memcpy(last->turn[side], now, sizeof now);
    }
}

HOT void slid_since(world *w, const contact *c, const double place[DIM], const contact_sides *s,
                    const double since[2][3], double out[DIM])
{
    contact_spin *last = spin_of_contact(w, c);
    double sum[3], mean[3] = {0}, round[3];
    for (int k = 0; k < 3; k++) sum[k] = s->share[0] * since[0][k] + s->share[1] * since[1][k];
    for (int k = 0; k < DIM; k++) mean[k] = c->j < NODES ? 0.5 * (s->arm[k] + last->place[k]) : s->arm[k];
    cross3(sum, mean, round);
    for (int k = 0; k < DIM; k++) {
        out[k] = place[k] - last->place[k] - round[k];
        last->place[k] = place[k];
    }
}

/* ---- torques ----------------------------------------------------------------------------------------------------- */

/* One side of a contact. */
HOT void turn_side(world *w, const kick *q, uint32_t element, double share, const double turn[3], double t)
{
    const double torque[3] = {share * turn[0], share * turn[1], share * turn[2]};
    if (element >= w->count || share == 0) return;
    if (q->linked > 0)
        spin_up(w, element, torque, t);
    else
        ball_spin_up(&w->spins->node[element], torque, t);
}

HOT void turn_sides(world *w, const kick *q, bool on_i, bool on_j, double t)
{
    const double *normal = q->j < NODES ? NULL : w->domain.surface[q->j - NODES].normal;
    double share[2], arm[3], impulse[3] = {0}, turn[3];
    arm_shares(w, q->i, q->j, q->linked > 0, share);
    contact_arm(q->j, normal, q->r, arm);
    memcpy(impulse, q->impulse, sizeof q->impulse);
    cross3(impulse, arm, turn);
    if (on_i) turn_side(w, q, q->i, share[0], turn, t);
    if (on_j) turn_side(w, q, q->j, share[1], turn, t);
}

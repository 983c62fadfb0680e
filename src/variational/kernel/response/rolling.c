#include "variational/kernel/response/rolling.h"

#include "variational/kernel/features/spins.h"
#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/response/contact_motion.h"
#include "variational/kernel/response/surface_motion.h"

/* ---- torques ----------------------------------------------------------------------------------------------------- */

/* Limits the length of a. */
HOT void cut3(double a[3], double longest)
{
    const double square = dot3(a, a);
    if (!(square > longest * longest)) return;
    const double part = longest / sqrt(square);
    for (int k = 0; k < 3; k++) a[k] *= part;
}

/* A spring with a dashpot and a cap. Adds its impulse of torque. Returns its energy. */
HOT double wind(double bend[3], const double rate[3], double stiffness, double damping, double cap, double step,
                double torque[3])
{
    double part[3];
    if (cap == 0) {
        memset(bend, 0, 3 * sizeof *bend);
        return 0;
    }
    cut3(bend, cap / stiffness);
    for (int k = 0; k < 3; k++) part[k] = -stiffness * bend[k] - damping * rate[k];
    cut3(part, cap);
    for (int k = 0; k < 3; k++) torque[k] += step * part[k];
    return 0.5 * stiffness * dot3(bend, bend);
}

/* Splits a vector: the part along a unit vector, and the rest. */
HOT void split_along(const double a[3], const double n[3], double along[3], double across[3])
{
    const double part = dot3(a, n);
    for (int k = 0; k < 3; k++) {
        along[k] = part * n[k];
        across[k] = a[k] - along[k];
    }
}

/* Of two balls a b / (a + b) of their arms; of a ball and any other element its arm. */
HOT double reduced_radius(const world *w, const contact *c, const contact_sides *s)
{
    const double length = sqrt(dot3(s->arm, s->arm));
    if (c->i < w->count && c->j < w->count) return s->share[0] * s->share[1] * length;
    return length * (c->i < w->count ? s->share[0] : s->share[1]);
}

/* Reduced moment of inertia about an axis. */
HOT double reduced_inertia(const world *w, const contact *c, const double axis[3])
{
    const double yield = inverse_inertia_of(w, c->i, axis) + inverse_inertia_of(w, c->j, axis);
    return yield > 0 ? 1 / yield : 0;
}

static bool is_turning_ball(const world *w, uint32_t element)
{
    return element < w->count && w->spins->node[element].inverse_inertia > 0;
}

/* Reduced mass; of linked contacts, whose mass varies, that of the ball. */
HOT double rolling_mass(const world *w, const response *r, bool linked)
{
    const contact *c = &w->contacts.contact[r->contact];
    if (!linked) return c->mass;
    if (is_turning_ball(w, c->i)) return w->mass[c->i];
    return is_turning_ball(w, c->j) ? w->mass[c->j] : r->mass;
}

/* The work of the torque at a rate of rotation. A torque of twisting is along the normal, one of rolling across it. */
HOT void book_turning(response *r, const double torque[3], const double rate[3])
{
    double n[3] = {0};
    memcpy(n, r->normal, sizeof r->normal);
    const double work = 0.5 * dot3(torque, rate), twisting = 0.5 * dot3(torque, n) * dot3(rate, n);
    r->friction -= work;
    r->rolling -= work - twisting;
    r->twisting -= twisting;
}

static void book_wound(const world *w, response *r)
{
    const contact_spin *s = &w->spins->contact[r->contact];
    if (!w->contacts.contact[r->contact].friction.anchored) return;
    r->rolling = s->stored[0];
    r->twisting = s->stored[1];
}

HOT double resist_rolling(world *w, response *r, const contact_sides *side, const double since[2][3], double force,
                          double step)
{
    const contact *c = &w->contacts.contact[r->contact];
    const restitution_law *l = w->contacts.law[c->law].restitution;
    contact_spin *s = &w->spins->contact[r->contact];
    double rate[3], n[3] = {0}, twist[3], roll[3], twisting[3], rolling[3];
    memcpy(n, r->normal, sizeof r->normal);
    relative_spin(side, rate);
    r->rolling = s->stored[0];
    r->twisting = s->stored[1];
    s->stored[0] = s->stored[1] = 0;
    const double inertia = reduced_inertia(w, c, DIM == 2 ? (double[3]){0, 0, 1} : n);
    if (inertia == 0) return 0;
    for (int k = 0; k < 3; k++) s->bend[k] += since[0][k] - since[1][k];
    split_along(s->bend, n, twist, roll);
    split_along(rate, n, twisting, rolling);
    const double cap = reduced_radius(w, c, side) * force,
                 stiffness = layers_stiffness(w, r->contact) * inertia / rolling_mass(w, r, side->linked);
    const double damping = 2 * FRICTION_DAMPING * sqrt(stiffness * inertia);
    s->stored[0] = wind(roll, rolling, stiffness, damping, l->rolling_friction * cap, step, s->torque);
    s->stored[1] = wind(twist, twisting, stiffness, damping, l->twisting_friction * cap, step, s->torque);
    r->rolling -= s->stored[0];
    r->twisting -= s->stored[1];
    const double viscous = lesser(l->rolling_viscosity * cap * step, 0.5 * inertia);
    for (int k = 0; k < 3; k++) {
        s->torque[k] -= viscous * rolling[k];
        s->bend[k] = twist[k] + roll[k];
    }
    book_turning(r, s->torque, rate);
    return s->stored[0] + s->stored[1];
}

static void give_torques(world *w, double t)
{
    for (uint32_t b = 0; b < w->batch.block_count; b++)
        for (uint32_t n = 0; n < w->batch.block[b].responses; n++) {
            const response *r = &w->batch.response[w->batch.block[b].slot + n];
            const contact *c = &w->contacts.contact[r->contact];
            if (!resists_rolling(w, c)) continue;
            const double *torque = w->spins->contact[r->contact].torque, back[3] = {-torque[0], -torque[1], -torque[2]};
            if (dot3(torque, torque) == 0) continue;
            if (c->i < w->count) spin_up(w, c->i, torque, t);
            if (c->j < w->count) spin_up(w, c->j, back, t);
        }
}

HOT void book_torque(world *w, response *r, const contact_sides *side)
{
    contact_spin *s = &w->spins->contact[r->contact];
    double rate[3];
    relative_spin(side, rate);
    if (side->linked) memcpy(s->left, rate, sizeof s->left);
    book_turning(r, s->torque, rate);
    memset(s->torque, 0, sizeof s->torque);
}

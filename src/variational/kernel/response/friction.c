/* Coulomb friction, static and kinetic.
 *
 * During an impact a spring acts along the surfaces, from an *anchor*, its rest position, to the present position of
 * the pair. A dashpot of half the critical damping acts beside it. Both act at ticks of the first layer, on the same
 * velocities. Their force is capped at mu times the normal force. Below the cap the friction is static: nothing but the
 * cap moves the anchor. At the cap the anchor follows the pair, and the force is Coulomb's. A normal force that
 * fluctuates moves the anchor at each of its minima; for pairs at rest it is steady (restitution.c).
 *
 * The normal force is the sum of the impulses of all layers since the last tick, over its step. The remainder acts at
 * once when the pair separates. Over an impact friction's impulse is thus exactly mu times the normal impulse, unless a
 * smaller one stops the sliding.
 *
 * With rotation (variational.rotation) the relevant velocity is that of the surfaces: surface_motion.h. Otherwise it is that
 * of one centre with respect to the other, or to the surface. */
#include "variational/kernel/features/hertz.h"
#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/response/ball_friction.h"
#include "variational/kernel/response/contact_motion.h"
#include "variational/kernel/response/energy_balance.h"
#include "variational/kernel/response/kicks.h"
#include "variational/kernel/response/layers.h"
#include "variational/kernel/response/loads.h"
#include "variational/kernel/response/press.h"
#include "variational/kernel/response/record.h"
#include "variational/kernel/response/rolling.h"
#include "variational/kernel/response/surface_motion.h"

#include "engine/sound.h"

HOT void along(const double normal[DIM], double v[DIM])
{
    double across = dot(v, normal);
    for (int k = 0; k < DIM; k++) v[k] -= across * normal[k];
}

/* Limits the length of v. */
HOT void cut(double v[DIM], double longest)
{
    const double square = dot(v, v);
    if (!(square > longest * longest)) return;
    const double part = longest / sqrt(square);
    for (int k = 0; k < DIM; k++) v[k] *= part;
}

/* The velocity of the surfaces, from that of the centres. */
HOT void find_sliding(const world *w, const contact_sides *s, const double velocity[DIM], double v[DIM])
{
    memcpy(v, velocity, DIM * sizeof *v);
    if (w->spins != NULL) add_surface_velocity(s, v);
}

HOT void find_sides(const world *w, const response *r, bool linked, contact_sides *s)
{
    const contact *c = &w->contacts.contact[r->contact];
    s->linked = linked;
    if (w->spins != NULL) sides_at(w, c, c->friction.normal, r->place, linked, s);
}

/* The energy that friction dissipates: minus the work of its impulse, at the mean of the velocities before and after
 * all kicks of the batch, less the increase of the spring's energy. */
static void book_friction(world *w, const double velocity[DIM], response *r)
{
    const contact *c = &w->contacts.contact[r->contact];
    friction_state *g = &w->contacts.contact[r->contact].friction;
    double v[DIM];
    contact_sides s;
    find_sides(w, r, c->linked, &s);
    if (resists_rolling(w, c)) book_torque(w, r, &s);
    if (w->spins != NULL && !c->linked && dot(r->push, r->push) == 0) return;
    find_sliding(w, &s, velocity, v);
    r->friction -= 0.5 * dot(r->push, v);
    if (c->linked) memcpy(g->left, v, sizeof g->left);
}

/* Reduced mass along a velocity across the normal; r->mass: along the normal. That of balls does not depend on its direction. If the
 * velocity is 0, the mass of linked contacts is that along any direction. */
HOT double sliding_mass(const world *w, const response *r, const contact_sides *s, const double v[DIM], double t)
{
    const contact *c = &w->contacts.contact[r->contact];
    double n[DIM];
    if (w->spins == NULL && mass_is_the_same(w, c)) return r->mass;
    if (w->spins != NULL && !s->linked) return 1 / (1 / c->mass + balls_mobility(w, c, s));
    const double speed = sqrt(dot(v, v));
    for (int k = 0; k < DIM; k++) n[k] = speed > 0 ? v[k] / speed : k == 0;
    const double mass = contact_mass(w, c, n, t);
    return w->spins == NULL ? mass : 1 / (1 / mass + surface_mobility(w, c, s, n, t));
}

/* With rotation the position of the pair is the sum of the sliding of the surfaces. since: rotation of both sides since the
 * last tick. */
HOT void slide(world *w, const response *r, const contact_sides *s, const double v[DIM], double step, double t,
               double since[2][3])
{
    contact *c = &w->contacts.contact[r->contact];
    friction_state *g = &c->friction;
    double slid[DIM];
    if (!g->anchored) {
        contact_spin_begin(w, c, r->place, s, t);
        memset(since, 0, 2 * sizeof *since);
        return;
    }
    turned_since(w, c, s, step, t, since);
    if (!s->linked) slid_since(w, c, r->place, s, (const double(*)[3])since, slid);
    for (int k = 0; k < DIM; k++) g->slip[k] += s->linked ? 0.5 * step * (g->left[k] + v[k]) : slid[k];
}

/* Position of the pair. The point of contact moves along a rod. For rods the position is the sum of the slip, with
 * the mean of the velocities after the last tick and before this one. */
HOT void find_place(const world *w, const response *r, const double v[DIM], double step, double place[DIM])
{
    contact *c = &w->contacts.contact[r->contact];
    friction_state *g = &c->friction;
    memcpy(place, w->spins != NULL ? g->slip : r->place, sizeof r->place);
    if (w->spins != NULL || (!is_part(w, c->i) && !is_part(w, c->j))) return;
    for (int k = 0; k < DIM; k++) place[k] = g->slip[k] += g->anchored ? 0.5 * step * (g->left[k] + v[k]) : 0;
}

/* One spring for the whole area of contact. Returns its stiffness. */
HOT double pull_whole(const world *w, contact *c, const double place[DIM], double cap, double force[DIM],
                      double *stored)
{
    friction_state *g = &c->friction;
    const double stiffness = sliding_stiffness(w, c);
    double stretch[DIM];
    if (!g->anchored) memcpy(g->anchor, place, sizeof g->anchor);
    for (int k = 0; k < DIM; k++) stretch[k] = place[k] - g->anchor[k];
    along(g->normal, stretch);
    cut(stretch, cap / stiffness);
    for (int k = 0; k < DIM; k++) {
        g->anchor[k] = place[k] - stretch[k];
        force[k] = -stiffness * stretch[k];
    }
    *stored = 0.5 * stiffness * dot(stretch, stretch);
    return stiffness;
}

/* The spring of one contact. */
HOT void pull(world *w, response *r, bool linked, const double velocity[DIM], double gap, double step, double t)
{
    contact *c = &w->contacts.contact[r->contact];
    friction_state *g = &c->friction;
    contact_hertz *h = hertz_of(w, r->contact);
    double v[DIM], place[DIM], force[DIM], since[2][3], stored;
    contact_sides s;
    const double normal = g->pending / step, cap = w->contacts.law[c->law].friction * normal;
    find_sides(w, r, linked, &s);
    find_sliding(w, &s, velocity, v);
    if (w->spins != NULL) slide(w, r, &s, v, step, t, since);
    find_place(w, r, v, step, place);
    const double stiffness =
        h != NULL ? hertz_pull(w, h, !g->anchored, place, g->normal, thickness(w, 1) - gap, cap, force, &stored)
                  : pull_whole(w, c, place, cap, force, &stored);
    along(g->normal, v);
    const double mass = sliding_mass(w, r, &s, v, t);
    const double damping = lesser(2 * (h != NULL ? hertz_damping(w, c) : FRICTION_DAMPING) * sqrt(stiffness * mass),
                                  MOST_FRICTION_DAMPING * mass / step);
    for (int k = 0; k < DIM; k++) r->push[k] = force[k] - damping * v[k];
    cut(r->push, cap);
    for (int k = 0; k < DIM; k++) r->push[k] *= step;
    if (resists_rolling(w, c)) stored += resist_rolling(w, r, &s, (const double(*)[3])since, normal, step);
    r->friction += g->stored - stored - 0.5 * dot(r->push, v);
    g->stored = stored;
    g->anchored = true;
    g->pending = 0;
}

static void pull_linked(world *w, response *r, const double v[DIM], double gap, double step, double t)
{
    pull(w, r, true, v, gap, step, t);
}

static void pull_balls(world *w, response *r, const double v[DIM], double gap, double step, double t)
{
    pull(w, r, false, v, gap, step, t);
}

static void apply_friction(world *w, const clock *c, const double v[DIM], double gap, double t, response *r)
{
    friction_state *g = &w->contacts.contact[r->contact].friction;
    g->pending = greater(g->pending + r->impulse, 0);
    memcpy(g->normal, r->normal, sizeof r->normal);
    if (c->layer > 1) return;
    r->slides = slides_later(w, &w->contacts.contact[r->contact]);
    if (r->slides)
        memcpy(r->velocity, v, sizeof r->velocity);
    else if (w->contacts.contact[r->contact].linked)
        pull_linked(w, r, v, gap, c->step, t);
    else
        pull_balls(w, r, v, gap, c->step, t);
}

static void slide_one(world *w, response *r, double step, double t)
{
    pull_balls(w, r, r->velocity, 0, step, t);
    for (int k = 0; k < DIM; k++) r->kick->impulse[k] += r->push[k];
}

/* The remainder of friction's impulse, which at most stops the pair. Contacts take it one after the other: together
 * they could stop a node more than once. */
static void part_contact(world *w, response *r, double t)
{
    contact *c = &w->contacts.contact[r->contact];
    double velocity[DIM], v[DIM];
    contact_sides s;
    contact_velocity(w, c, t, velocity);
    find_sides(w, r, c->linked, &s);
    find_sliding(w, &s, velocity, v);
    along(c->friction.normal, v);
    r->mass = contact_mass(w, c, c->friction.normal, t);
    double mass = sliding_mass(w, r, &s, v, t);
    for (int k = 0; k < DIM; k++) r->push[k] = -mass * v[k];
    cut(r->push, w->contacts.law[c->law].friction * c->friction.pending);
    r->friction = c->friction.stored - 0.5 * dot(r->push, v);
    if (resists_rolling(w, c)) book_wound(w, r);
    if (w->impacts != NULL) impact_add_friction(w, r->contact, r->push);
    if (w->loads != NULL) load_add(w, r->contact, r->push, r->place, t);
    if (!kick_contact(w, r->contact, r->push, r->place)) return;
    give_kicks(w, t);
    contact_velocity(w, c, t, velocity);
    book_friction(w, velocity, r);
    book_steadily(w, r);
    book_frictions(w, r);
    impact_over(w, c);
}

/* ---- the feature ------------------------------------------------------------------------------------------------- */

static bool friction_enabled(const world *w)
{
    bool any = false;
    for (size_t k = 0; k < w->scene->law_count; k++) any = any || w->contacts.law[k].friction > 0;
    return any;
}

static bool friction_is_sound(const contact *c)
{
    const friction_state *g = &c->friction;
    return isfinite(g->pending) && sound_numbers(g->left, DIM) && sound_numbers(g->slip, DIM) &&
           sound_numbers(g->anchor, DIM) && sound_numbers(g->normal, DIM) && isfinite(g->stored) &&
           sound_flags(&g->anchored, 1);
}

static const feature friction_feature = {
    .name = "friction", .enabled = friction_enabled, .contact_is_sound = friction_is_sound};

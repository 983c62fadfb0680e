/* Coulomb friction, static and kinetic.
 *
 * While an impact goes on a spring acts along the surfaces, from an *anchor* where it is at rest to where the pair is, with a
 * dashpot of half the critical damping; it fires with the first layer, right after it. Its force is capped at mu times the
 * normal force: below the cap it holds, for ever and at the same place, since nothing but the cap moves the anchor; at the cap the
 * anchor is dragged along, and the force is Coulomb's.
 *
 * Single kicks of layers are no normal force, and rest may not need one at each tick. So all normal impulses, of whatever
 * layer, are collected, and each tick answers 1/WINDOW of what has not been answered yet: a mean over some WINDOW ticks that
 * loses nothing. What is left when the pair parts acts at once. Over an impact, friction's impulse is thus exactly mu
 * times the normal impulse, unless that stops the sliding.
 *
 * Particles do not spin: what counts is the velocity of one centre with respect to the other, or to the surface. */
#include "variational/kernel/fire.h"

static const double WINDOW = 16, DAMPING = 0.5; /* DAMPING: of the critical one */

static void along(const double normal[DIM], double v[DIM])
{
    double across = dot(v, normal);
    for (int k = 0; k < DIM; k++) v[k] -= across * normal[k];
}

/* Makes v no longer than this. */
static void cut(double v[DIM], double longest)
{
    double length = sqrt(dot(v, v));
    if (!(length > longest)) return;
    for (int k = 0; k < DIM; k++) v[k] *= longest / length;
}

static void sliding(const world *w, const contact *c, double t, double v[DIM])
{
    relative_velocity(w, c, t, v);
    along(c->grip.normal, v);
}

/* The energy that friction takes is what it does not leave: the work of its impulse, at the mean of the velocities before and
 * after all of them, less what the spring holds more. */
static void spend(world *w, const contact *c, const double impulse[DIM], double t)
{
    double v[DIM];
    relative_velocity(w, c, t, v);
    w->ledger.friction -= 0.5 * dot(impulse, v);
}

static bool add_push(world *w, const response *r)
{
    const contact *c = &w->contact[r->contact];
    kick q = {.i = c->i, .j = c->j};
    memcpy(q.impulse, r->push, sizeof q.impulse);
    memcpy(q.r, r->place, sizeof q.r);
    return add_kick(w, &q);
}

/* The spring of one contact. */
static void pull(world *w, response *r, double step, double t)
{
    contact *c = &w->contact[r->contact];
    grip *g = &c->grip;
    double stiffness = w->choice.stiffness, v[DIM], stretch[DIM];
    double damping = 2 * DAMPING * sqrt(stiffness * pair_mass(w, c->i, c->j)), share = g->pending / WINDOW;
    double cap = w->law[c->law].friction * share / step;
    if (!g->anchored) memcpy(g->anchor, r->place, sizeof g->anchor);
    for (int k = 0; k < DIM; k++) stretch[k] = r->place[k] - g->anchor[k];
    along(g->normal, stretch);
    cut(stretch, cap / stiffness);
    sliding(w, c, t, v);
    for (int k = 0; k < DIM; k++) {
        g->anchor[k] = r->place[k] - stretch[k];
        r->push[k] = -stiffness * stretch[k] - damping * v[k];
    }
    cut(r->push, cap);
    for (int k = 0; k < DIM; k++) r->push[k] *= step;
    double stored = 0.5 * stiffness * dot(stretch, stretch);
    w->ledger.friction += g->stored - stored;
    g->stored = stored;
    g->anchored = true;
    g->pending -= share;
    spend(w, c, r->push, t);
}

/* The pair has parted: the rest of friction's impulse, which at most stops it. */
static void part(world *w, response *r, double t)
{
    contact *c = &w->contact[r->contact];
    grip *g = &c->grip;
    double v[DIM], most = w->law[c->law].friction * g->pending;
    sliding(w, c, t, v);
    for (int k = 0; k < DIM; k++) r->push[k] = -pair_mass(w, c->i, c->j) * v[k];
    cut(r->push, most);
    spend(w, c, r->push, t);
    if (!add_push(w, r)) return;
    apply_kicks(w, t);
    spend(w, c, r->push, t);
    w->ledger.friction += g->stored;
    impact_over(w, c);
}

/* Springs act on the same velocities, those after the layer. Pairs that part are stopped one after the other: several at once could
 * stop a node more than once. */
void rub(world *w, double step, double t)
{
    for (uint32_t n = 0; n < w->response_count; n++) {
        response *r = &w->response[n];
        if (r->parted || !r->rubs) continue;
        pull(w, r, step, t);
        if (!add_push(w, r)) return;
    }
    apply_kicks(w, t);
    for (uint32_t n = 0; n < w->response_count; n++) {
        const response *r = &w->response[n];
        if (!r->parted && r->rubs) spend(w, &w->contact[r->contact], r->push, t);
    }
    for (uint32_t n = 0; n < w->response_count; n++)
        if (w->response[n].parted) part(w, &w->response[n], t);
}

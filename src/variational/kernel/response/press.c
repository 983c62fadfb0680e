#include "variational/kernel/response/press.h"

#include "variational/kernel/features/hertz.h"
#include "variational/kernel/features/spins.h"
#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/response/ball_friction.h"
#include "variational/kernel/response/contact_motion.h"
#include "variational/kernel/response/contacts.h"
#include "variational/kernel/response/element_lanes.h"
#include "variational/kernel/response/kicks.h"
#include "variational/kernel/response/layers.h"
#include "variational/kernel/response/loads.h"
#include "variational/kernel/response/record.h"
#include "variational/kernel/schedule/certificates.h"

#include <float.h>

/* ---- beginnings and ends of impacts ------------------------------------------------------------------------------ */

/* In a fast impact a deeper layer may act first. The first layer, at whose tick the impact ends, is activated as
 * well. */
static void tell_first_layer(world *w, uint32_t index)
{
    const contact *pair = &w->contacts.contact[index];
    batch *b = batch_of(&w->schedule.clock[w->schedule.layer_clock[row_of(w, index)][0]], pair);
    touch *p = w->observer == NULL ? find_touch(b, pair, index) : NULL;
    if (p != NULL) p->least = lesser(p->least, DBL_MAX);
}

static unsigned begin_to_act(world *w, const clock *c, const touch *p)
{
    contact *pair = &w->contacts.contact[p->contact];
    unsigned did = 0;
    if (pair->deepest == 0) {
        did = PRESSED_BEGINS;
        pair->restitution = (restitution_state){.ratio = -1};
        pair->friction = (friction_state){0};
        if (c->layer > 1) tell_first_layer(w, p->contact);
    }
    if (c->layer <= pair->deepest) return did;
    if (c->layer >= LAYER_BINS && pair->deepest < LAYER_BINS) pair->deep_since = w->now;
    pair->deepest = c->layer;
    return c->layer >= LAYER_BINS ? did | PRESSED_DEEP : did;
}

/* The layer ceases to act. */
static unsigned cease(world *w, const clock *c, touch *p, const double place[DIM], response *r)
{
    contact *pair = &w->contacts.contact[p->contact];
    pair->closest = lesser(p->least, pair->closest);
    p->least = INFINITY;
    if (c->layer != 1 || pair->deepest == 0) return 0;
    if (w->contacts.law[p->law].friction == 0) return PRESSED_OVER;
    *r = (response){.contact = p->contact, .law = p->law, .parted = true};
    memcpy(r->place, place, sizeof r->place);
    return PRESSED_RESPONDS;
}

/* Deep layers act in impacts, which are short. A pair is squeezed without limit if it stays in them, if it returns
 * many times while drives do work, or if it holds far more energy than an impact on a driven element. Energy and
 * cost then exceed all bounds before the gap is 0. */
static void check_squeeze(world *w, uint32_t index)
{
    const contact *pair = &w->contacts.contact[index];
    const double unit = w->choice.stiffness * w->choice.eta * w->choice.eta;
    const frame_ledger *l = &w->totals.ledger;
    double held = layers_energy(w, index, thickness(w, pair->deepest));
    double work = w->totals.sum.work, gained = work - l->restitution - l->friction - l->damping;
    bool stays = w->now - pair->deep_since > SQUEEZE_STEPS * ldexp(w->choice.step, (int)pair->class);
    bool again = (double)w->totals.layers[LAYER_BINS - 1] > SQUEEZE_OFTEN && gained > SQUEEZE_OFTEN * unit;
    bool beyond = 2 * work > held && held > SQUEEZE_HELD * (unit + w->driven.drive_energy);
    if (stays || again || beyond) w->progress.squeezed = index;
}

static void press_noted(world *w, const touch *p, unsigned pressed)
{
    contact *pair = &w->contacts.contact[p->contact];
    if (pressed & PRESSED_BEGINS) w->totals.events[pair->j < NODES ? EVENT_COLLISION : EVENT_WALL]++;
    if (pressed & PRESSED_DEEP) check_squeeze(w, p->contact);
    if (pressed & PRESSED_OVER) impact_over(w, pair);
    if (IMPULSES && w->impacts != NULL && (pressed & PRESSED_BEGINS)) impact_end(w, p->contact);
    if (IMPULSES && w->loads != NULL && (pressed & PRESSED_BEGINS)) load_end(w, p->contact);
}

/* ---- layers ------------------------------------------------------------------------------------------------------ */

static inline double power(double x, uint64_t exponent)
{
    double result = x;
    for (uint64_t k = 1; k < exponent; k++) result *= x;
    return result;
}

/* Beyond this distance a layer that does not act may become inactive. */
static inline double far_away(const world *w, const clock *c, const touch *p)
{
    return p->reach + c->thickness + lesser(2.2 * w->flights.tau, 0.5 * c->thickness);
}

/* The impulse along the normal of a layer that acts at this gap. */
static inline double push_apart(world *w, const clock *c, touch *p, double gap, unsigned *did)
{
    *did = PRESSED_ACTS;
    if (isinf(p->least)) *did |= begin_to_act(w, c, p);
    p->least = lesser(gap, p->least);
    const contact_hertz *h = hertz_of(w, p->contact);
    const double depth = c->thickness - gap;
    if (h != NULL) return c->strength * h->hardness * (depth * sqrt(depth));
    return c->strength * power(depth, w->settings->exponent - 1);
}

/* The kick of a contact with restitution, friction or cohesion. Cohesion is a constant force within the first layer, with the
 * potential of layers.h beside that of the layers: no part of the response. */
HOT unsigned press_response(world *w, const clock *c, const touch *p, const double v[DIM], double gap, double t,
                            components normal, components place, double layer, kick *out, response *r)
{
    r->contact = p->contact;
    r->law = p->law;
    r->kick = out;
    r->parted = r->slides = false;
    r->layer = layer;
    r->restitution = r->friction = r->rolling = r->twisting = 0;
    components_put(normal, r->normal);
    components_put(place, r->place);
    components_put((components){0}, r->push);
    respond_normally(w, p->contact, c, v, gap, t, r);
    const law *of = &w->contacts.law[p->law];
    const double attraction = c->layer == 1 ? c->step * of->cohesion : 0;
    const components push = of->friction > 0 ? components_from(r->push) : components_of(0);
    components_put((r->impulse - attraction) * normal + push, out->impulse);
    if (w->spins != NULL && of->friction > 0) {
        out->turns = true;
        components_put(place, out->r);
    }
    return PRESSED_RESPONDS;
}

HOT unsigned press_nodes(world *w, const clock *c, touch *p, double t, kick *out, response *r)
{
    const node *a = &w->node[p->i], *b = &w->node[p->j];
    const components apart = to_nearest_image(w, node_position(w, a, t) - node_position(w, b, t));
    double x[DIM];
    unsigned did;
    components_put(apart, x);
    double square = components_dot(apart, apart), limit = p->reach + c->thickness;
    if (square >= limit * limit) {
        double far = far_away(w, c, p);
        if (!isinf(p->least)) return cease(w, c, p, x, r);
        return square > far * far ? PRESSED_FAR : 0;
    }
    double distance = sqrt(square), gap = distance - p->reach, impulse = push_apart(w, c, p, gap, &did);
    out->i = p->i;
    out->j = p->j;
    out->linked = 0;
    out->turns = false;
    components_put(apart, out->r);
    if (w->contacts.elastic) {
        components_put(impulse / distance * apart, out->impulse);
        return did;
    }
    double v[DIM];
    components_put(node_flight_velocity(w, a, t) - node_flight_velocity(w, b, t), v);
    return did | press_response(w, c, p, v, gap, t, apart / distance, apart, impulse, out, r);
}

HOT unsigned press_surface(world *w, const clock *c, touch *p, double t, kick *out, response *r)
{
    const surface *s = &w->domain.surface[p->j];
    const node *a = &w->node[p->i];
    double x[DIM], y[DIM], v[DIM];
    unsigned did;
    position_at(w, a, t, x);
    surface_at(s, t, y);
    for (int k = 0; k < DIM; k++) x[k] -= y[k];
    double distance = dot(x, s->normal), limit = p->reach + c->thickness, gap = distance - p->reach;
    if (distance >= limit) {
        if (!isinf(p->least)) return cease(w, c, p, x, r);
        return distance > far_away(w, c, p) ? PRESSED_FAR : 0;
    }
    double impulse = push_apart(w, c, p, gap, &did);
    out->i = p->i;
    out->j = NODES + p->j;
    out->linked = 0;
    out->turns = false;
    for (int k = 0; k < DIM; k++) out->impulse[k] = impulse * s->normal[k];
    if (w->contacts.elastic) return did;
    velocity_at(w, a, t, v);
    for (int k = 0; k < DIM; k++) v[k] -= s->velocity[k];
    return did | press_response(w, c, p, v, gap, t, components_from(s->normal), components_from(x), impulse, out, r);
}

/* known: the present motion of its closest points, or NULL. */
HOT unsigned press_linked(world *w, const clock *c, touch *p, const element_motion *known, double t, kick *out,
                          response *r)
{
    contact *pair = &w->contacts.contact[p->contact];
    const bool between = pair->j < NODES;
    double x[DIM], normal[DIM], v[DIM];
    unsigned did;
    if (known != NULL)
        memcpy(x, known->apart, sizeof x);
    else
        closest(w, pair->i, pair->j, t, false, x, pair->share);
    if (!between) memcpy(normal, w->domain.surface[pair->j - NODES].normal, sizeof normal);
    double distance = between ? size(x) : dot(x, normal), gap = distance - p->reach;
    if (distance >= p->reach + c->thickness) {
        if (!isinf(p->least)) return cease(w, c, p, x, r);
        return distance > far_away(w, c, p) ? PRESSED_FAR : 0;
    }
    for (int k = 0; k < DIM && between; k++) normal[k] = x[k] / distance;
    double impulse = push_apart(w, c, p, gap, &did);
    *out = (kick){.i = pair->i, .j = pair->j, .linked = 1 + p->contact};
    memcpy(out->r, x, sizeof out->r);
    for (int k = 0; k < DIM; k++) out->impulse[k] = impulse * normal[k];
    if (w->contacts.elastic) return did;
    if (known != NULL)
        memcpy(v, known->velocity, sizeof v);
    else
        contact_velocity(w, pair, t, v);
    r->mass = known != NULL ? known->mass : contact_mass(w, pair, normal, t);
    return did | press_response(w, c, p, v, gap, t, components_from(normal), components_from(x), impulse, out, r);
}

/* IMPULSES: an impulse reverses the approach of a touching pair. */
static unsigned strike(world *w, const touch *p, double t, kick *out)
{
    contact *pair = &w->contacts.contact[p->contact];
    double x[DIM], normal[DIM], v[DIM];
    closest(w, pair->i, pair->j, t, false, x, pair->share);
    nearest_image(w, x);
    const double distance = size(x);
    for (int k = 0; k < DIM; k++)
        normal[k] = pair->j < NODES ? x[k] / distance : w->domain.surface[pair->j - NODES].normal[k];
    contact_velocity(w, pair, t, v);
    const double approach = dot(v, normal), mass = contact_mass(w, pair, normal, t);
    if (!(approach < 0)) return PRESSED_FAR;
    *out = (kick){.i = pair->i, .j = pair->j, .linked = pair->linked ? 1 + p->contact : 0};
    memcpy(out->r, x, sizeof out->r);
    for (int k = 0; k < DIM; k++) out->impulse[k] = -2 * mass * approach * normal[k];
    return PRESSED_ACTS | PRESSED_BEGINS | PRESSED_FAR;
}

HOT unsigned press_touch(world *w, const clock *c, batch_kind kind, touch *p, const element_motion *known, double t,
                         kick *out, response *r)
{
    if (IMPULSES) return strike(w, p, t, out);
    if (kind == BATCH_LINKED) return press_linked(w, c, p, known, t, out, r);
    return kind == BATCH_PAIRS ? press_nodes(w, c, p, t, out, r) : press_surface(w, c, p, t, out, r);
}

HOT unsigned press_kind(world *w, const clock *c, batch_kind kind, touch *p, const element_motion *known, double t,
                        kick *out, response *r)
{
    const unsigned did = press_touch(w, c, kind, p, known, t, out, r);
    if (w->impacts != NULL && (did & PRESSED_ACTS) != 0) impact_add(w, p->contact, did, t, out, r);
    if (w->loads != NULL && (did & PRESSED_ACTS) != 0) load_add(w, p->contact, out->impulse, out->r, t);
    return did;
}

static unsigned press(world *w, const clock *c, batch_kind kind, touch *p, double t, kick *out, response *r)
{
    return press_kind(w, c, kind, p, NULL, t, out, r);
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

/* Prefetches the data that pressing a touch reads. */
static inline void prefetch_touch(const world *w, const touch *p, batch_kind kind)
{
    if (kind == BATCH_LINKED || !w->contacts.elastic)
        contact_prefetch(w, p->contact, kind == BATCH_LINKED ? sizeof(contact) : offsetof(contact, share));
    if (kind == BATCH_LINKED) return;
    __builtin_prefetch(&w->node[p->i]);
    if (kind == BATCH_PAIRS) __builtin_prefetch(&w->node[p->j]);
    spins_prefetch(w, p->contact, p->i, kind == BATCH_PAIRS ? p->j : NODES);
}

HOT void press_each(world *w, const clock *c, block *k, double t, batch_kind kind)
{
    touch *at = k->touches->at + k->first;
    kick *out = w->batch.pressed + k->slot;
    response *r = w->batch.response + k->slot;
    note *notes = w->batch.note + k->slot;
    element_motion known[LANES];
    bool is_known = false;
    for (uint32_t n = 0; n < k->count; n++) {
        if (n + AHEAD < k->count) prefetch_touch(w, &at[n + AHEAD], kind);
        if (!IMPULSES && kind == BATCH_LINKED && n % LANES == 0)
            is_known = elements_motion(w, &at[n], k->count - n, t, known);
        unsigned did = press_kind(w, c, kind, &at[n], is_known ? &known[n % LANES] : NULL, t, out, r);
        out += did & PRESSED_ACTS;
        r += (did & PRESSED_RESPONDS) > 0;
        if (did >= PRESSED_FAR) *notes++ = (note){k->first + n, did};
    }
    k->kicks = (uint32_t)(out - w->batch.pressed) - k->slot;
    k->responses = (uint32_t)(r - w->batch.response) - k->slot;
    k->notes = (uint32_t)(notes - w->batch.note) - k->slot;
    if (kind == BATCH_PAIRS && c->layer == 1 && k->responses > 0) slide_block(w, k, c->step, t);
}

static void press_block(world *w, const clock *c, block *k, double t)
{
    if (k->kind == BATCH_PAIRS) press_each(w, c, k, t, BATCH_PAIRS);
    if (k->kind == BATCH_SURFACES) press_each(w, c, k, t, BATCH_SURFACES);
    if (k->kind == BATCH_LINKED) press_each(w, c, k, t, BATCH_LINKED);
}

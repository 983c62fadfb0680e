/* Clocks firing: touches press, springs pull, nodes are kicked. */
#include "variational/kernel/fire.h"

#include "variational/kernel/bodies.h"
#include "variational/kernel/certify.h"
#include "variational/kernel/elements.h"
#include "variational/kernel/leash.h"
#include "variational/kernel/potentials.h"
#include "variational/kernel/reference.h"
#include "variational/kernel/shells.h"
#include "variational/kernel/springs.h"

#include "base/memory.h"

#include <float.h>

/* ---- kicks ----------------------------------------------------------------------------------------------------------- */

static bool reserve_kicks(world *w, uint32_t count)
{
    uint32_t capacity = w->kick_capacity > 0 ? w->kick_capacity : 64;
    while (capacity < count) capacity *= 2;
    if (capacity == w->kick_capacity) return true;
    kick *more = memory_resize(w->kick, w->kick_capacity, capacity, sizeof *more);
    if (more == NULL) return !(w->out_of_memory = true);
    w->kick = more;
    w->kick_capacity = capacity;
    return true;
}

bool add_kick(world *w, const kick *new)
{
    if (!reserve_kicks(w, w->kick_count + 1)) return false;
    w->kick[w->kick_count++] = *new;
    return true;
}

static inline void push(world *w, uint32_t i, const double impulse[DIM], double sign, double t)
{
    node *a = &w->node[i];
    double dt = t - a->t;
    if (w->reference != NULL) reference_kicked(w, i);
    if (a->w < 0) {
        body_push(w, i, impulse, sign, t);
        return;
    }
    if (a->w == 0) {
        w->ledger.work -= sign * dot(impulse, a->v);
        return;
    }
    for (int k = 0; k < DIM; k++) {
        a->x[k] += dt * (a->v[k] + dt * w->half_gravity[k]);
        a->v[k] += dt * w->gravity[k] + sign * a->w * impulse[k];
    }
    a->t = t;
    if (w->leash != NULL && !leash_holds(w, i)) leash_slack(w, i, TAUT);
}

static void push_surface(world *w, const surface *s, const double impulse[DIM])
{
    w->ledger.work += dot(impulse, s->velocity);
    if (s->axis >= 0) w->wall_impulse[s->axis][s->side] += fabs(impulse[s->axis]);
}

static inline void apply(world *w, const kick *q, double t)
{
    if (q->i != NOBODY) push(w, q->i, q->impulse, 1, t);
    if (q->j == NOBODY) return;
    if (q->j >= NODES) {
        push_surface(w, &w->surface[q->j - NODES], q->impulse);
        return;
    }
    push(w, q->j, q->impulse, -1, t);
    for (int a = 0; a < DIM; a++)
        for (int b = 0; b < DIM; b++) w->virial[a][b] += q->impulse[a] * q->r[b];
}

void apply_kicks(world *w, double t)
{
    const uint32_t ahead = 6, count = w->kick_count;
    for (uint32_t n = 0; n < count; n++) {
        const kick *later = &w->kick[n + ahead < count ? n + ahead : n];
        if (w->leash != NULL) {
            if (later->i != NOBODY) __builtin_prefetch(&w->leash[later->i]);
            if (later->j < NODES) __builtin_prefetch(&w->leash[later->j]);
        }
        if (later->i != NOBODY) __builtin_prefetch(&w->node[later->i], 1);
        if (later->j < NODES) __builtin_prefetch(&w->node[later->j], 1);
        apply(w, &w->kick[n], t);
    }
    w->kick_count = 0;
}

/* ---- layers ---------------------------------------------------------------------------------------------------------- */

static inline double power(double x, uint64_t exponent)
{
    double result = x;
    for (uint64_t k = 1; k < exponent; k++) result *= x;
    return result;
}

/* Deep layers are for impacts, which are short. Who stays in them, comes back again and again while what the scene moves
 * does work, or holds far more than an impact on something driven has, is driven together without end: energy and cost grow beyond all bounds before a gap can close. */
static void look_for_squeeze(world *w, const touch *p)
{
    const contact *pair = &w->contact[p->contact];
    const double most = 100, unit = w->choice.stiffness * w->choice.eta * w->choice.eta;
    const frame_ledger *l = &w->ledger;
    double held = layers_energy(w, thickness(w, pair->deepest));
    double gained = l->work - l->restitution - l->friction - l->damping;
    bool stays = w->now - pair->deep_since > 4 * ldexp(w->choice.step, (int)pair->class);
    bool again = (double)w->layers[LAYER_BINS - 1] > most && gained > most * unit;
    bool beyond = 2 * l->work > held && held > 1e4 * (unit + w->drive_energy);
    if (stays || again || beyond) w->squeezed = p->contact;
}

/* An impact so fast that a deeper layer acts first: the first layer, at whose tick it will be over, must know of it. */
static void tell_first_layer(world *w, uint32_t index)
{
    const contact *pair = &w->contact[index];
    batch *b = batch_of(&w->clock[clock_of_layer(w, pair->class, 1)], pair);
    touch *p = w->reference == NULL ? find_touch(b, pair, index) : NULL;
    if (p != NULL) p->least = lesser(p->least, DBL_MAX);
}

static void begin_to_act(world *w, const clock *c, const touch *p)
{
    contact *pair = &w->contact[p->contact];
    if (pair->deepest == 0) {
        w->events[pair->j < NODES ? EVENT_COLLISION : EVENT_WALL]++;
        pair->rebound = (rebound){.ratio = -1};
        pair->grip = (grip){0};
        if (c->layer > 1) tell_first_layer(w, p->contact);
    }
    if (c->layer <= pair->deepest) return;
    if (c->layer >= LAYER_BINS && pair->deepest < LAYER_BINS) pair->deep_since = w->now;
    pair->deepest = c->layer;
    if (c->layer >= LAYER_BINS) look_for_squeeze(w, p);
}

/* The layer no longer acts. */
static pressed cease(world *w, const clock *c, touch *p, const double place[DIM])
{
    contact *pair = &w->contact[p->contact];
    pair->closest = lesser(p->least, pair->closest);
    p->least = INFINITY;
    if (c->layer != 1 || pair->deepest == 0) return PRESSED_IDLE;
    if (w->law[p->law].friction > 0) return respond_parted(w, p->contact, place);
    impact_over(w, pair);
    return PRESSED_IDLE;
}

/* Beyond this distance a layer that does not act might sleep. */
static inline double far_away(const world *w, const clock *c, const touch *p)
{
    return p->reach + c->thickness + lesser(2.2 * w->tau, 0.5 * c->thickness);
}

pressed press_idle(world *w, const clock *c, touch *p, const double place[DIM], double distance)
{
    if (!isinf(p->least)) return cease(w, c, p, place);
    return distance > far_away(w, c, p) ? PRESSED_FAR : PRESSED_IDLE;
}

/* The impulse of a layer that acts, were it elastic. */
double layer_impulse(world *w, const clock *c, touch *p, double gap)
{
    if (isinf(p->least)) begin_to_act(w, c, p);
    p->least = lesser(gap, p->least);
    return c->strength * power(c->thickness - gap, w->settings->exponent - 1);
}

static inline pressed press_nodes(world *w, const clock *c, touch *p, double t, kick *out)
{
    const node *a = &w->node[p->i], *b = &w->node[p->j];
    double x[DIM], y[DIM];
    position_at(w, a, t, x);
    position_at(w, b, t, y);
    for (int k = 0; k < DIM; k++) x[k] -= y[k];
    shorten(w, x);
    double square = dot(x, x), limit = p->reach + c->thickness;
    if (square >= limit * limit) {
        double far = far_away(w, c, p);
        if (!isinf(p->least)) return cease(w, c, p, x);
        return square > far * far ? PRESSED_FAR : PRESSED_IDLE;
    }
    double distance = sqrt(square), gap = distance - p->reach, impulse = layer_impulse(w, c, p, gap);
    if (!w->law[p->law].elastic) {
        double normal[DIM];
        for (int k = 0; k < DIM; k++) normal[k] = x[k] / distance;
        impulse = respond(w, p->contact, normal, x, gap, impulse, t);
    }
    out->i = p->i;
    out->j = p->j;
    impulse /= distance;
    for (int k = 0; k < DIM; k++) {
        out->impulse[k] = impulse * x[k];
        out->r[k] = x[k];
    }
    return PRESSED_ACTS;
}

static inline pressed press_against(world *w, const clock *c, touch *p, double t, kick *out)
{
    const surface *s = &w->surface[p->j];
    const node *a = &w->node[p->i];
    double x[DIM], y[DIM];
    position_at(w, a, t, x);
    surface_at(s, t, y);
    for (int k = 0; k < DIM; k++) x[k] -= y[k];
    double distance = dot(x, s->normal), limit = p->reach + c->thickness, gap = distance - p->reach;
    if (distance >= limit) return press_idle(w, c, p, x, distance);
    double impulse = layer_impulse(w, c, p, gap);
    if (!w->law[p->law].elastic) impulse = respond(w, p->contact, s->normal, x, gap, impulse, t);
    out->i = p->i;
    out->j = NODES + p->j;
    for (int k = 0; k < DIM; k++) out->impulse[k] = impulse * s->normal[k];
    return PRESSED_ACTS;
}

pressed press_pair(world *w, const clock *c, touch *p, double t, kick *out)
{
    return press_nodes(w, c, p, t, out);
}

pressed press_surface(world *w, const clock *c, touch *p, double t, kick *out)
{
    return press_against(w, c, p, t, out);
}

static bool add_doze(world *w, uint32_t at)
{
    if (w->doze_count == w->doze_capacity) {
        uint32_t capacity = w->doze_capacity > 0 ? 2 * w->doze_capacity : 64;
        uint32_t *more = memory_resize(w->doze, w->doze_capacity, capacity, sizeof *more);
        if (more == NULL) return !(w->out_of_memory = true);
        w->doze = more;
        w->doze_capacity = capacity;
    }
    w->doze[w->doze_count++] = at;
    return true;
}

static inline void press_batch(world *w, clock *c, batch *b, double t,
                               pressed (*press_one)(world *, const clock *, touch *, double, kick *))
{
    const uint32_t ahead = 6;
    if (b->count == 0 || !reserve_kicks(w, w->kick_count + b->count)) return;
    kick *out = w->kick + w->kick_count;
    w->doze_count = 0;
    for (uint32_t n = 0; n < b->count; n++) {
        if (n + ahead < b->count) __builtin_prefetch(&w->node[b->at[n + ahead].i]);
        if (n + ahead < b->count && b == &c->pairs) __builtin_prefetch(&w->node[b->at[n + ahead].j]);
        if (!w->elastic && n + ahead < b->count) contact_fetch(w, b->at[n + ahead].contact);
        pressed did = press_one(w, c, &b->at[n], t, out);
        out += did == PRESSED_ACTS;
        if (did == PRESSED_FAR && w->contact[b->at[n].contact].n == c->layer && !add_doze(w, n)) return;
    }
    w->events[EVENT_FORCE] += (uint64_t)(out - w->kick) - w->kick_count;
    w->kick_count = (uint32_t)(out - w->kick);
    for (uint32_t n = 0; n < w->doze_count; n++) contact_doze(w, c, b, w->doze[n], t);
}

static void press_batch_linked(world *w, clock *c, double t)
{
    batch *b = &c->linked;
    batch_tidy(w, b);
    w->doze_count = 0;
    for (uint32_t n = 0; n < b->count; n++) {
        pressed did = press_linked(w, c, &b->at[n], t);
        w->events[EVENT_FORCE] += did == PRESSED_ACTS;
        if (did == PRESSED_FAR && w->contact[b->at[n].contact].n == c->layer && !add_doze(w, n)) return;
    }
    for (uint32_t n = 0; n < w->doze_count; n++) contact_doze(w, c, b, w->doze[n], t);
}

static void fire_gravity(world *w, const clock *c)
{
    for (uint32_t i = 0; i < w->count; i++) {
        kick q = {.i = i, .j = NOBODY};
        if (w->node[i].w == 0) continue;
        for (int k = 0; k < DIM; k++) q.impulse[k] = c->step * w->mass[i] * w->scene->gravity[k];
        if (!add_kick(w, &q)) return;
    }
}

void fire_material(world *w, uint32_t index, double t)
{
    const clock *c = &w->clock[index];
    if (c->kind == CLOCK_SPRINGS) springs_fire(w, c, t);
    if (c->kind == CLOCK_SHELLS) shells_fire(w, c, t);
    if (c->kind == CLOCK_GRAVITY) fire_gravity(w, c);
    if (c->kind == CLOCK_USER) potentials_fire(w, c, t);
    if (c->kind == CLOCK_BODIES) bodies_fire(w, c->step, t);
}

carom_status fire(world *w, uint32_t index, double t, error *e)
{
    clock *c = &w->clock[index];
    if (c->kind == CLOCK_LAYER) {
        batch_tidy(w, &c->pairs);
        batch_tidy(w, &c->surfaces);
        press_batch(w, c, &c->pairs, t, press_nodes);
        press_batch(w, c, &c->surfaces, t, press_against);
        if (c->linked.count > 0) press_batch_linked(w, c, t);
    } else {
        fire_material(w, index, t);
    }
    if (w->response_count > 0) rub(w, c, t);
    apply_kicks(w, t);
    if (w->response_count > 0) settle_responses(w, c, t);
    clock_fired(w, index);
    return w->loose_count > 0 ? leash_settle(w, t, e) : CAROM_OK;
}

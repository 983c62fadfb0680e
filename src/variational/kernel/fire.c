/* Clocks firing: touches press, springs pull, nodes are kicked. */
#include "variational/kernel/fire.h"

#include "variational/kernel/certify.h"
#include "variational/kernel/leash.h"
#include "variational/kernel/springs.h"
#include "scene/restitution.h"

#include "base/memory.h"

/* ---- kicks ----------------------------------------------------------------------------------------------------------- */

bool add_kick(world *w, const kick *new)
{
    if (w->kick_count == w->kick_capacity) {
        uint32_t capacity = w->kick_capacity > 0 ? 2 * w->kick_capacity : 64;
        kick *more = memory_resize(w->kick, w->kick_capacity, capacity, sizeof *more);
        if (more == NULL) {
            w->out_of_memory = true;
            return false;
        }
        w->kick = more;
        w->kick_capacity = capacity;
    }
    w->kick[w->kick_count++] = *new;
    return true;
}

static void push(world *w, uint32_t i, const double impulse[DIM], double sign, double t)
{
    node *a = &w->node[i];
    double dt = t - a->t;
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

void apply_kicks(world *w, double t)
{
    for (uint32_t n = 0; n < w->kick_count; n++) {
        const kick *q = &w->kick[n];
        push(w, q->i, q->impulse, 1, t);
        if (q->j == NOBODY) continue;
        if (q->j >= NODES) {
            push_surface(w, &w->surface[q->j - NODES], q->impulse);
            continue;
        }
        push(w, q->j, q->impulse, -1, t);
        for (int a = 0; a < DIM; a++)
            for (int b = 0; b < DIM; b++) w->virial[a][b] += q->impulse[a] * q->r[b];
    }
    w->kick_count = 0;
}

/* ---- layers ---------------------------------------------------------------------------------------------------------- */

static double power(double x, uint64_t exponent)
{
    double result = x;
    for (uint64_t k = 1; k < exponent; k++) result *= x;
    return result;
}

static void begin_to_act(world *w, const clock *c, const touch *p, double speed)
{
    contact *pair = &w->contact[p->contact];
    if (pair->deepest == 0) {
        w->events[pair->j < NODES ? EVENT_COLLISION : EVENT_WALL]++;
        pair->ratio = restitution(w->law[p->law].restitution, fmax(-speed, 0));
        pair->budget = 0;
        pair->last = NAN;
    }
    if (c->layer > pair->deepest) pair->deepest = c->layer;
}

/* The layer does not act. */
static pressed idle(world *w, const clock *c, touch *p, double distance, double limit)
{
    p->least = INFINITY;
    if (c->layer == 1 && w->contact[p->contact].deepest > 0) impact_over(w, &w->contact[p->contact]);
    return distance > limit + fmin(4 * w->tau, 0.5 * c->thickness) ? PRESSED_FAR : PRESSED_IDLE;
}

/* The normal impulse of a layer that acts, where the gap is this and changes this fast. */
static double normal_impulse(world *w, const clock *c, touch *p, double gap, double speed)
{
    double impulse = c->strength * power(c->thickness - gap, w->settings->exponent - 1);
    w->events[EVENT_FORCE]++;
    if (isinf(p->least)) begin_to_act(w, c, p, speed);
    if (gap < p->least) {
        contact *pair = &w->contact[p->contact];
        p->least = gap;
        if (gap < pair->closest) pair->closest = gap;
    }
    const contact *pair = &w->contact[p->contact];
    return w->law[p->law].elastic || pair->ratio == 1 ? impulse : temper(w, &w->contact[p->contact], gap, impulse, speed);
}

pressed press_pair(world *w, const clock *c, touch *p, double t, kick *out)
{
    const node *a = &w->node[p->i], *b = &w->node[p->j];
    double x[DIM], y[DIM];
    position_at(w, a, t, x);
    position_at(w, b, t, y);
    for (int k = 0; k < DIM; k++) x[k] -= y[k];
    shorten(w, x);
    double square = dot(x, x), limit = p->reach + c->thickness;
    if (square >= limit * limit) return idle(w, c, p, sqrt(square), limit);
    double distance = sqrt(square), u[DIM], v[DIM];
    velocity_at(w, a, t, u);
    velocity_at(w, b, t, v);
    for (int k = 0; k < DIM; k++) {
        out->r[k] = x[k];
        x[k] /= distance;
        u[k] -= v[k];
    }
    double impulse = normal_impulse(w, c, p, distance - p->reach, dot(x, u));
    for (int k = 0; k < DIM; k++) out->impulse[k] = impulse * x[k];
    out->i = p->i;
    out->j = p->j;
    return PRESSED_ACTS;
}

pressed press_surface(world *w, const clock *c, touch *p, double t, kick *out)
{
    const surface *s = &w->surface[p->j];
    const node *a = &w->node[p->i];
    double x[DIM], y[DIM], u[DIM];
    position_at(w, a, t, x);
    surface_at(s, t, y);
    for (int k = 0; k < DIM; k++) x[k] -= y[k];
    double distance = dot(x, s->normal), limit = p->reach + c->thickness;
    if (distance >= limit) return idle(w, c, p, distance, limit);
    velocity_at(w, a, t, u);
    for (int k = 0; k < DIM; k++) u[k] -= s->velocity[k];
    double impulse = normal_impulse(w, c, p, distance - p->reach, dot(u, s->normal));
    for (int k = 0; k < DIM; k++) out->impulse[k] = impulse * s->normal[k];
    out->i = p->i;
    out->j = NODES + p->j;
    return PRESSED_ACTS;
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

static void press_batch(world *w, clock *c, batch *b, double t,
                        pressed (*press_one)(world *, const clock *, touch *, double, kick *))
{
    w->doze_count = 0;
    for (uint32_t n = 0; n < b->count; n++) {
        kick out;
        pressed did = press_one(w, c, &b->at[n], t, &out);
        if (did == PRESSED_ACTS && !add_kick(w, &out)) return;
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
    if (c->kind == CLOCK_SPRINGS)
        springs_fire(w, c, t);
    else
        fire_gravity(w, c);
}

carom_status fire(world *w, uint32_t index, double t, error *e)
{
    clock *c = &w->clock[index];
    if (c->kind == CLOCK_LAYER) {
        batch_tidy(w, &c->pairs);
        batch_tidy(w, &c->surfaces);
        press_batch(w, c, &c->pairs, t, press_pair);
        press_batch(w, c, &c->surfaces, t, press_surface);
    } else {
        fire_material(w, index, t);
    }
    apply_kicks(w, t);
    clock_fired(w, index);
    return leash_settle(w, t, e);
}

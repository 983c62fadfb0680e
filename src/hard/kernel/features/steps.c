/* Potentials in steps, bridges and bonds: what a pair does between its steps and at them. */
#include "hard/kernel/features/steps.h"
#include "hard/kernel/narrow/flight.h"

#include "base/hash.h"
#include "base/memory.h"
#include "geometry/step.h"

#include <string.h>

/* ---- rows of links ----------------------------------------------------------------------------------------------- */

static link *find_link(const gas *g, uint32_t i, uint32_t j)
{
    link *row = g->steps->row + (size_t)i * g->steps->capacity;
    for (uint32_t k = 0; k < g->steps->length[i]; k++)
        if (row[k].with == j) return &row[k];
    return NULL;
}

static uint32_t shell_of(const gas *g, uint32_t i, uint32_t j)
{
    const link *l = find_link(g, i, j);
    return l != NULL ? l->shell : SHELL_OUTSIDE;
}

static bool steps_linked(const gas *g, uint32_t i, uint32_t j)
{
    return find_link(g, i, j) != NULL;
}

static carom_status links_widen(gas *g, uint32_t capacity, error *e)
{
    stepped *s = g->steps;
    link *wider = memory_new((size_t)g->count * capacity, sizeof *wider), *spare = NEW_ARRAY(capacity, link);
    if (wider == NULL || spare == NULL) {
        memory_free(wider);
        memory_free(spare);
        return error_memory(e, "links of pairs", (size_t)g->count * capacity * sizeof *wider);
    }
    for (uint32_t i = 0; s->row != NULL && i < g->count; i++)
        memcpy(wider + (size_t)i * capacity, links_of(g, i), s->length[i] * sizeof *wider);
    memory_free(s->row);
    memory_free(s->spare);
    s->row = wider;
    s->spare = spare;
    s->capacity = capacity;
    return CAROM_OK;
}

static carom_status add_half(gas *g, uint32_t i, uint32_t j, uint32_t in, error *e)
{
    stepped *s = g->steps;
    if (s->length[i] == s->capacity) TRY(links_widen(g, s->capacity + s->capacity / 2, e));
    s->row[(size_t)i * s->capacity + s->length[i]++] = (link){j, in};
    return CAROM_OK;
}

static void remove_half(gas *g, uint32_t i, uint32_t j)
{
    link *l = find_link(g, i, j);
    *l = links_of(g, i)[--g->steps->length[i]];
}

static carom_status links_set(gas *g, uint32_t i, uint32_t j, uint32_t in, error *e)
{
    link *a = find_link(g, i, j);
    if (a == NULL) {
        TRY(add_half(g, i, j, in, e));
        return add_half(g, j, i, in, e);
    }
    if (in == SHELL_OUTSIDE) {
        remove_half(g, i, j);
        remove_half(g, j, i);
    } else {
        a->shell = find_link(g, j, i)->shell = in;
    }
    return CAROM_OK;
}

/* ---- predictions ------------------------------------------------------------------------------------------------- */

static real steps_next(const gas *g, uint32_t i, uint32_t j, uint32_t in, real now, bool *outward)
{
    const shell *s = &g->steps->shell[in];
    real t = later(g->body[i].t, g->body[j].t), contact = radius_of(g, i) + radius_of(g, j);
    real r[DIM], v[DIM], unit = s->lengths ? 1 : contact * contact;
    relative_at(g, i, j, t, now, r, v);
    real a = dot(v, v), b = dot(v, r), rr = dot(r, r), moment = moment_squared(r, v);
    *outward = false;
    if (in == SHELL_OUTSIDE) {
        const real square = outermost_of(g, i, j) * unit;
        return t + contact_meeting(b, rr - square, a * square - moment);
    }
    return t + step_next(a, b, rr, moment, s->inner * unit, s->outer * unit, outward);
}

static real steps_detect(const gas *g, uint32_t i, uint32_t j, real now)
{
    bool outward;
    return steps_next(g, i, j, shell_of(g, i, j), now, &outward);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* Passes a step at local time t, or turns round there. `wall`: there is no other side. */
static carom_status pass(gas *g, uint32_t i, uint32_t j, real t, bool outward, bool wall, uint32_t from, uint32_t to,
                         error *e)
{
    const shell *here = &g->steps->shell[from];
    real r[DIM], v[DIM], impulse;
    relative_at(g, i, j, t, t, r, v);
    fly(g, i, t);
    fly(g, j, t);
    g->events[EVENT_FORCE]++;
    real vr = dot(v, r), rr = dot(r, r);
    if (outward ? vr < 0 : vr > 0) return CAROM_OK; /* glancing, within rounding */
    real w_i = 1 / (real)mass_of(g, i), w_j = 1 / (real)mass_of(g, j), m = 1 / (w_i + w_j);
    double torn = wall || !outward ? 0 : here->torn;
    double rise = wall ? (double)INFINITY : g->steps->shell[to].energy - here->energy + torn;
    bool passes = step_cross(vr, rr, m, wall ? REAL_NEVER : (real)ldexp(rise, (int)(2 * g->scale)), &impulse);
    for (int k = 0; k < DIM; k++) {
        real p = impulse * r[k];
        g->body[i].v[k] += p * w_i;
        g->body[j].v[k] -= p * w_j;
    }
    tally_pair(g, r, impulse, 0);
    if (!passes) return CAROM_OK;
    g->tallies.dissipated += torn;
    return links_set(g, i, j, to, e);
}

static carom_status steps_event(gas *g, uint32_t first, uint32_t second, real t, error *e)
{
    uint32_t i = first < second ? first : second, j = first < second ? second : first;
    const uint32_t from = shell_of(g, i, j);
    const size_t pair = species_of(g, i) * g->scene->species_count + species_of(g, j);
    const shell *s = &g->steps->shell[from];
    bool outward;
    steps_next(g, i, j, from, t, &outward);
    if (from == SHELL_OUTSIDE && g->steps->entered[pair] != SHELL_OUTSIDE)
        return pass(g, i, j, t, false, false, from, g->steps->entered[pair], e);
    if (from != SHELL_OUTSIDE && (outward || s->lengths || s->inside != SHELL_CORE))
        return pass(g, i, j, t, outward, s->lengths, from, outward ? s->beyond : s->inside, e);
    collide_pair(g, i, j, t);
    if (from == SHELL_OUTSIDE && g->steps->wetted[pair] != SHELL_OUTSIDE)
        return links_set(g, i, j, g->steps->wetted[pair], e);
    return CAROM_OK;
}

/* ---- looking ----------------------------------------------------------------------------------------------------- */

/* In true units. */
static double steps_energy(const gas *g)
{
    const stepped *s = g->steps;
    double energy = 0;
    memset(s->halves, 0, s->shell_count * sizeof *s->halves);
    for (uint32_t i = 0; i < g->count; i++)
        for (uint32_t k = 0; k < s->length[i]; k++) s->halves[links_of(g, i)[k].shell]++;
    for (uint32_t in = 0; in < s->shell_count; in++) energy += (double)(s->halves[in] / 2) * s->shell[in].energy;
    return energy;
}

static uint64_t steps_hash(const gas *g)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < g->count; i++)
        for (uint32_t k = 0; k < g->steps->length[i]; k++) {
            const link *l = &links_of(g, i)[k];
            uint64_t one = hash_u64(HASH_START, (uint64_t)g->id[i] << 32 | g->id[l->with]);
            sum += hash_finish(hash_u64(one, l->shell));
        }
    return sum;
}

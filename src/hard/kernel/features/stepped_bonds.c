/* Bonds and other linked pairs: their lists, and the time at which a pair reaches its next step or the limit of its
 * bond. */
#include "hard/kernel/features/stepped_bonds.h"
#include "hard/kernel/narrow/flight.h"

#include "base/memory.h"
#include "geometry/step.h"

#include <string.h>

/* ---- lists of links ---------------------------------------------------------------------------------------------- */

static link *find_link(const gas *g, uint32_t i, uint32_t j)
{
    link *row = g->stepped->row + (size_t)i * g->stepped->capacity;
    for (uint32_t k = 0; k < g->stepped->length[i]; k++)
        if (row[k].with == j) return &row[k];
    return NULL;
}

static uint32_t shell_of(const gas *g, uint32_t i, uint32_t j)
{
    const link *l = find_link(g, i, j);
    return l != NULL ? l->shell : SHELL_OUTSIDE;
}

static bool stepped_linked(const gas *g, uint32_t i, uint32_t j)
{
    return find_link(g, i, j) != NULL;
}

static carom_status links_widen(gas *g, uint32_t capacity, error *e)
{
    stepped *s = g->stepped;
    link *wider = memory_new((size_t)g->room * capacity, sizeof *wider), *spare = NEW_ARRAY(capacity, link);
    if (wider == NULL || spare == NULL) {
        memory_free(wider);
        memory_free(spare);
        return error_memory(e, "links of pairs", (size_t)g->room * capacity * sizeof *wider);
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
    stepped *s = g->stepped;
    if (s->length[i] == s->capacity) TRY(links_widen(g, s->capacity + s->capacity / 2, e));
    s->row[(size_t)i * s->capacity + s->length[i]++] = (link){j, in};
    return CAROM_OK;
}

static void remove_half(gas *g, uint32_t i, uint32_t j)
{
    link *l = find_link(g, i, j);
    *l = links_of(g, i)[--g->stepped->length[i]];
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

static real stepped_next(const gas *g, uint32_t i, uint32_t j, uint32_t in, real now, bool *outward)
{
    const shell *s = &g->stepped->shell[in];
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

static real stepped_detect(const gas *g, uint32_t i, uint32_t j, real now)
{
    bool outward;
    return stepped_next(g, i, j, shell_of(g, i, j), now, &outward);
}

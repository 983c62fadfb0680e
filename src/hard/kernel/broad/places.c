/* The places of the bodies in the structures that find neighbours, in checkpoints: list origins, cells, or on the
 * reference path the times until which predictions are valid.
 *
 * The time of a transfer is a function of the stored state of a body and of its place. A resumed run therefore has the
 * transfers of an uninterrupted one. */
#include "hard/kernel/broad/places.h"
#include "hard/kernel/broad/cells.h"
#include "hard/kernel/broad/extent.h"
#include "hard/kernel/broad/lists.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/numbers.h"
#include "hard/kernel/schedule/reference.h"
#include "hard/kernel/schedule/schedule.h"

#include "engine/sound.h"

/* ---- members of plans -------------------------------------------------------------------------------------------- */

/* `size` bytes at `offset` in the plan of each body. */
typedef struct plan_part {
    const char *name;
    size_t offset, size;
} plan_part;

#define PLAN_PART(name, member)                                                                                        \
    {                                                                                                                  \
        name, offsetof(plan, member), sizeof((plan *)0)->member                                                        \
    }
static const plan_part origin_part = PLAN_PART("engine/list_origin", list_origin),
                       cell_part = PLAN_PART("engine/cell", cell), until_part = PLAN_PART("engine/until", second.time);

static carom_status save_part(const gas *g, const plan_part *p, snapshot *out, error *e)
{
    void *data = NULL;
    TRY(snapshot_reserve(out, p->name, SNAPSHOT_U8, g->count * p->size, &data, e));
    for (uint32_t i = 0; i < g->count; i++)
        memcpy((char *)data + i * p->size, (const char *)&g->plan[i] + p->offset, p->size);
    return CAROM_OK;
}

static carom_status load_part(gas *g, const plan_part *p, const snapshot *in, error *e)
{
    const snapshot_array *a = snapshot_find(in, p->name);
    if (a == NULL || a->type != SNAPSHOT_U8 || a->count != g->count * p->size) return sound_not(p->name, e);
    for (uint32_t i = 0; i < g->count; i++)
        memcpy((char *)&g->plan[i] + p->offset, (const char *)a->data + i * p->size, p->size);
    return CAROM_OK;
}

/* ---- cells ------------------------------------------------------------------------------------------------------- */

/* Along open axes the cells depend on the positions at the last re-basing. */
typedef struct cell_shape {
    real low[DIM], width[DIM];
    uint32_t count[DIM];
} cell_shape;

static cell_shape shape_of_cells(const gas *g)
{
    cell_shape s;
    memset(&s, 0, sizeof s);
    for (int k = 0; k < DIM; k++) {
        s.low[k] = g->cells->corner[k][1];
        s.width[k] = g->cells->width[k];
        s.count[k] = g->cells->count[k];
    }
    return s;
}

/* The conditions of choose_cells. */
static bool is_cell_shape(const gas *g, const cell_shape *s)
{
    const double least = (double)largest_contact(g);
    double total = 1;
    for (int k = 0; k < DIM; k++) {
        const uint32_t n = s->count[k];
        const bool open = g->scene->box.boundary[k] == BOUNDARY_OPEN;
        if (n < (g->box[k] > 0 ? FEWEST_CELLS : 1) || n > 1000000) return false;
        if (!within(&s->low[k], 1, REAL_MOST) || !(s->width[k] > 0 && s->width[k] <= REAL_MOST)) return false;
        if (!open && (s->low[k] != 0 || s->width[k] != g->size[k] / (real)n)) return false;
        if (n > 1 && !((double)s->width[k] > least)) return false;
        total *= layers(g, k, n) + 3;
    }
    return total <= (double)g->cells->room;
}

/* Whether the body is in its cell, within rounding. */
static bool is_in_cell(const gas *g, uint32_t i)
{
    const cell_grid *c = g->cells;
    real r[DIM];
    position_at(g, i, g->now, r);
    for (int k = 0; k < DIM; k++) {
        const uint32_t at = g->plan[i].cell[k];
        if (at < 1 || at > c->count[k]) return false;
        real x = r[k] - c->corner[k][at], image = (x - c->width[k] / 2) * g->inverse_box[k];
        image = nearest_whole(image);
        x -= image * g->box[k];
        const real rounding = (real)1e-3 * c->width[k];
        if (x < -rounding && at != c->open_below[k]) return false;
        if (x > c->width[k] + rounding && at != c->open_above[k]) return false;
    }
    return true;
}

static carom_status save_cells(const gas *g, const gas *searched, snapshot *out, error *e)
{
    const cell_shape s = shape_of_cells(searched);
    TRY(snapshot_put(out, "engine/cells", SNAPSHOT_U8, sizeof s, &s, e));
    return save_part(g, &cell_part, out, e);
}

static carom_status load_cells(gas *g, const snapshot *in, error *e)
{
    cell_grid *c = g->cells;
    cell_shape s;
    TRY(snapshot_get(in, "engine/cells", SNAPSHOT_U8, sizeof s, &s, e));
    if (!is_cell_shape(g, &s)) return sound_not("engine/cells", e);
    c->total = 1;
    for (int k = 0; k < DIM; k++) {
        c->width[k] = s.width[k];
        c->count[k] = s.count[k];
        c->total *= layers(g, k, s.count[k]) + 3;
    }
    TRY(tabulate(g, s.low, e));
    TRY(load_part(g, &cell_part, in, e));
    for (size_t k = 0; k < c->total; k++) c->head[k] = EMPTY;
    for (uint32_t i = 0; i < g->count; i++) {
        if (!is_in_cell(g, i)) return sound_not("engine/cell", e);
        enter(g, i);
    }
    return CAROM_OK;
}

/* ---- lists and the reference path -------------------------------------------------------------------------------- */

static carom_status load_origins(gas *g, const snapshot *in, error *e)
{
    TRY(load_part(g, &origin_part, in, e));
    for (uint32_t i = 0; i < g->count; i++)
        if (!lists_hold(g, i)) return sound_not("engine/list_origin", e);
    return lists_restore(g, e);
}

static carom_status load_reference(gas *g, const snapshot *in, error *e)
{
    TRY(load_part(g, &until_part, in, e));
    for (uint32_t i = 0; i < g->count; i++)
        if (!(g->plan[i].second.time >= g->now)) return sound_not("engine/until", e);
    reference_resume(g);
    return CAROM_OK;
}

static carom_status places_save(const gas *g, const gas *searched, snapshot *out, error *e)
{
    if (searched->queue == NULL) return save_part(g, &until_part, out, e);
    return searched->cells != NULL ? save_cells(g, searched, out, e) : save_part(g, &origin_part, out, e);
}

static carom_status places_load(gas *g, const snapshot *in, error *e)
{
    if (g->queue == NULL) return load_reference(g, in, e);
    TRY(g->cells != NULL ? load_cells(g, in, e) : load_origins(g, in, e));
    schedule_all(g);
    return CAROM_OK;
}

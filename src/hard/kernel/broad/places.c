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
#include "hard/kernel/parts.h"
#include "hard/kernel/schedule/reference.h"
#include "hard/kernel/schedule/run.h"
#include "hard/kernel/schedule/schedule.h"

#include "engine/sound.h"

/* ---- members of plans -------------------------------------------------------------------------------------------- */

static void put_of_plan(const body_record *r, const gas *part, uint32_t i, void *to)
{
    memcpy(to, (const char *)&part->plan[i] + r->offset, r->source.bytes);
}

#define PLAN_PART(name, member)                                                                                        \
    {                                                                                                                  \
        {sizeof((plan *)0)->member, read_records}, name, put_of_plan, offsetof(plan, member)                           \
    }
static const body_record origin_part = PLAN_PART("engine/list_origin", list_origin),
                         cell_part = PLAN_PART("engine/cell", cell),
                         crossing_part = PLAN_PART("engine/crossing", crossing),
                         side_part = PLAN_PART("engine/side", side),
                         until_part = PLAN_PART("engine/until", second.time);

static carom_status load_part(gas *g, const body_record *p, const snapshot *in, error *e)
{
    const snapshot_array *a = snapshot_find(in, p->name);
    const size_t size = p->source.bytes;
    if (a == NULL || a->type != SNAPSHOT_U8 || a->count != all_bodies(g) * size) return sound_not(p->name, e);
    for (uint32_t i = 0; i < g->count; i++) snapshot_read(a, i * size, size, (char *)&g->plan[i] + p->offset);
    return CAROM_OK;
}

/* ---- cells ------------------------------------------------------------------------------------------------------- */

/* Along open axes the cells depend on the positions at the last re-basing, and the periods in which crossings are made
 * together on the speeds. */
typedef struct cell_shape {
    real low[DIM], width[DIM], start, period;
    uint32_t count[DIM]; /* 0: domains, which have cells of their own; at a load the bodies are sorted into cells */
} cell_shape;

static cell_shape shape_of_cells(const gas *g)
{
    const cell_grid *c = g->cells;
    cell_shape s;
    memset(&s, 0, sizeof s);
    if (c == NULL) return s;
    s.start = c->coming.start;
    s.period = c->coming.period;
    for (int k = 0; k < DIM; k++) {
        s.low[k] = c->low[k];
        s.width[k] = c->width[k];
        s.count[k] = c->count[k];
    }
    return s;
}

/* The conditions of choose_cells. */
static bool is_cell_shape(const gas *g, const cell_shape *s)
{
    const double least = cell_contact(g);
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
    return total <= (double)g->cells->room && within(&s->start, 1, REAL_MOST) && s->start <= g->now && s->period > 0 &&
           s->period <= REAL_MOST;
}

/* Whether the body is in its cell, or as near as one that crosses together with others, within rounding. */
static bool is_in_cell(const gas *g, uint32_t i)
{
    const cell_grid *c = g->cells;
    real r[DIM];
    position_at(g, i, g->now, r);
    for (int k = 0; k < DIM; k++) {
        const uint32_t at = g->plan[i].cell[k];
        if (at < 1 || at > c->count[k]) return false;
        real x = r[k] - (c->low[k] + ((real)at - (real)0.5) * c->width[k]), image = x * g->inverse_box[k];
        image = nearest_whole(image);
        x -= image * g->box[k];
        const real most = c->width[k] * (real)0.501 + c->slack[k];
        if (x < -most && c->edge[k][at] > -REAL_NEVER) return false;
        if (x > most && c->edge[k][at + 1] < REAL_NEVER) return false;
    }
    return true;
}

/* Whether a falling body may have this crossing. */
static bool is_crossing(const gas *g, uint32_t i)
{
    const cell_grid *c = g->cells;
    const plan *p = &g->plan[i];
    const uint32_t side = p->side % CROSSES_ALONE, axis = side / 2;
    if (p->side >= 2 * CROSSES_ALONE || axis >= DIM || !(p->crossing > -REAL_NEVER)) return false;
    if (!c->together && p->side < CROSSES_ALONE) return false;
    const bool open = real_fabs(c->edge[axis][p->cell[axis] + side % 2]) == REAL_NEVER;
    return !open || p->crossing == REAL_NEVER;
}

/* The cells of domains are not those of the whole. The crossing of a falling body depends on its last one: it may leave
 * the cell through each edge. */
static carom_status save_cells(const gas *g, snapshot *out, error *e)
{
    const cell_shape s = shape_of_cells(g);
    TRY(snapshot_put(out, "engine/cells", SNAPSHOT_U8, sizeof s, &s, e));
    if (g->cells == NULL) return CAROM_OK;
    TRY(records_save(g, &cell_part, out, e));
    if (!g->has_gravity) return CAROM_OK;
    TRY(records_save(g, &crossing_part, out, e));
    return records_save(g, &side_part, out, e);
}

static carom_status load_crossings(gas *g, const snapshot *in, error *e)
{
    if (g->has_gravity) {
        TRY(load_part(g, &crossing_part, in, e));
        TRY(load_part(g, &side_part, in, e));
    }
    for (uint32_t i = 0; i < g->count; i++)
        if (!g->has_gravity)
            find_crossing(g, i);
        else if (!is_crossing(g, i))
            return sound_not("engine/crossing", e);
    return CAROM_OK;
}

static carom_status load_cells(gas *g, const snapshot *in, error *e)
{
    cell_grid *c = g->cells;
    cell_shape s;
    TRY(snapshot_get(in, "engine/cells", SNAPSHOT_U8, sizeof s, &s, e));
    if (s.count[0] == 0) return gas_find_events(g, e);
    if (!is_cell_shape(g, &s)) return sound_not("engine/cells", e);
    c->total = 1;
    for (int k = 0; k < DIM; k++) {
        c->low[k] = s.low[k];
        c->width[k] = s.width[k];
        c->count[k] = s.count[k];
        c->total *= layers(g, k, s.count[k]) + 3;
    }
    set_slack(g);
    TRY(tabulate(g, e));
    begin_periods(g, s.start, s.period);
    TRY(load_part(g, &cell_part, in, e));
    clear_cells(g);
    for (uint32_t i = 0; i < g->count; i++) {
        if (!is_in_cell(g, i)) return sound_not("engine/cell", e);
        g->plan[i].entry = 0;
        enter(g, i);
    }
    TRY(load_crossings(g, in, e));
    schedule_again_all(g);
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

static carom_status places_save(const gas *g, const gas *searched, const void *origins, snapshot *out, error *e)
{
    if (searched->queue == NULL) return records_save(g, &until_part, out, e);
    if (searched->cells != NULL) return save_cells(g, out, e);
    if (origins == NULL) return records_save(g, &origin_part, out, e);
    return snapshot_lend(out, origin_part.name, SNAPSHOT_U8, g->count * origin_part.source.bytes, origins, e);
}

static carom_status places_load(gas *g, const snapshot *in, error *e)
{
    if (g->queue == NULL) return load_reference(g, in, e);
    if (g->cells != NULL) return load_cells(g, in, e);
    TRY(load_origins(g, in, e));
    schedule_all(g);
    return CAROM_OK;
}

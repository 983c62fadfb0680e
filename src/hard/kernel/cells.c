/* Cells instead of lists, for gases: a body meets those in the cells around its own, which are at least as wide as the
 * largest contact distance. When it crosses into the next cell (a `transfer` event) it meets those of the layer of cells
 * that has come into reach; what it knows of the others stays true. */
#include "base/memory.h"
#include "geometry/contact.h"
#include "hard/kernel/gas.h"

#include <stdlib.h>
#include <string.h>

#define NO_BODY 0xffffffffu
#define MORE 0x80000000u /* in a link: the cell holds others than this one */

enum { FEWEST_CELLS = 5, ROOM = 120, CELLS_PER_BODY = 4 };

/* ---- links: the bodies of a cell ----------------------------------------------------------------------------------- */

static uint32_t *head_of(const gas *g, const uint32_t at[DIM])
{
    const cell_grid *c = g->cells;
    size_t index = at[DIM - 1];
    for (int k = DIM - 2; k >= 0; k--) index = index * c->count[k] + at[k];
    return &c->head[index];
}

static void enter(gas *g, uint32_t i)
{
    plan *p = &g->plan[i];
    uint32_t *head = head_of(g, p->cell);
    p->next_in_cell = *head;
    *head = *head == NO_BODY ? i : i | MORE;
}

static void leave(gas *g, uint32_t i)
{
    uint32_t *link = head_of(g, g->plan[i].cell), *before = NULL;
    while ((*link & ~MORE) != i) {
        before = link;
        link = &g->plan[*link & ~MORE].next_in_cell;
    }
    if ((*link & MORE) != 0)
        *link = g->plan[i].next_in_cell;
    else if (before == NULL)
        *link = NO_BODY;
    else
        *before &= ~MORE;
}

/* ---- meeting ------------------------------------------------------------------------------------------------------- */

typedef struct party {
    uint32_t count, id[ROOM + 8];
} party;

static void meet(const gas *g, uint32_t i, party *others, plan *p)
{
    for (uint32_t k = others->count; k % 8 != 0; k++) others->id[k] = i;
    predict(g, i, others->id, others->count, p);
    others->count = 0;
}

/* Strides to the coordinates around `at` on axis k, or to the one at its `side` alone. */
static int around(const cell_grid *c, int k, uint32_t at, bool alone, int side, size_t offset[3])
{
    int n = 0;
    for (int step = alone ? side : -1; step <= (alone ? side : 1); step++) {
        int64_t to = (int64_t)at + step, count = c->count[k];
        if (to < 0 || to >= count) {
            if (!c->periodic[k]) continue;
            to += to < 0 ? count : -count;
        }
        offset[n++] = (size_t)to * c->stride[k];
    }
    return n;
}

/* Improves the plan of i by what it meets in the cells around it, or in the layer at `side` of `axis` (-1: all). */
static void meet_around(const gas *g, uint32_t i, int axis, int side, plan *p)
{
    const cell_grid *c = g->cells;
    party others;
    size_t offset[3][3] = {{0}};
    int n[3] = {1, 1, 1};
    others.count = 0;
    for (int k = 0; k < DIM; k++) n[k] = around(c, k, g->plan[i].cell[k], k == axis, side, offset[k]);
    for (int z = 0; z < n[2]; z++)
        for (int y = 0; y < n[1]; y++)
            for (int x = 0; x < n[0]; x++) {
                uint32_t link = c->head[offset[0][x] + offset[1][y] + offset[2][z]];
                others.id[others.count] = link & ~MORE;
                others.count += link != NO_BODY;
                while (link != NO_BODY && (link & MORE) != 0) {
                    if (others.count >= ROOM) meet(g, i, &others, p);
                    link = g->plan[link & ~MORE].next_in_cell;
                    others.id[others.count++] = link & ~MORE;
                }
                if (others.count >= ROOM) meet(g, i, &others, p);
            }
    meet(g, i, &others, p);
}

/* When will something at x, of speed v and acceleration a, leave what lies between 0 and `width`, and upwards? A side may
 * be open. */
static real leaving(real x, real v, real a, real width, bool open_below, bool open_above, bool *up)
{
    if (a == 0) {
        *up = v > 0;
        real way = *up ? width - x : x;
        if (v == 0 || (*up ? open_above : open_below)) return REAL_NEVER;
        return (way > 0 ? way : 0) / real_fabs(v);
    }
    real down = open_below ? REAL_NEVER : contact_parabola(a, v, 2 * x);
    real above = open_above ? REAL_NEVER : contact_parabola(-a, -v, 2 * (width - x));
    *up = above < down;
    return *up ? above : down;
}

/* When and where will i leave its cell? */
static next_event next_crossing(const gas *g, uint32_t i)
{
    const cell_grid *c = g->cells;
    const body *b = &g->body[i];
    const real dt = g->now - b->t;
    real soonest = REAL_NEVER;
    uint32_t side = 0;
    for (int k = 0; k < DIM; k++) {
        uint32_t at = g->plan[i].cell[k];
        real a = acceleration(g, i, k), v = b->v[k] + a * dt, r = b->r[k] + dt * (b->v[k] + a * (dt / 2));
        real x = r - (c->low[k] + (real)at * c->width[k]), image = x * g->inverse_box[k];
        image = (image + REAL_ROUNDER) - REAL_ROUNDER;
        x -= image * g->box[k];
        bool open_below = !c->periodic[k] && at == 0, open_above = !c->periodic[k] && at == c->count[k] - 1, up;
        real when = leaving(x, v, a, c->width[k], open_below, open_above, &up);
        side = when < soonest ? (uint32_t)(2 * k + up) : side;
        soonest = when < soonest ? when : soonest;
    }
    return (next_event){g->now + soonest, PARTNER_TRANSFER, side};
}

void cells_plan(gas *g, uint32_t i)
{
    plan *p = &g->plan[i];
    plan_nothing(p);
    consider(p, i, next_crossing(g, i));
    meet_around(g, i, -1, 0, p);
    plan_surfaces(g, i, p);
}

void cells_cross(gas *g, uint32_t i)
{
    plan *p = &g->plan[i];
    const next_event known = p->second;
    const cell_grid *c = g->cells;
    int axis = (int)p->first.stamp / 2, side = p->first.stamp % 2 != 0 ? 1 : -1;
    leave(g, i);
    uint32_t *at = &p->cell[axis];
    *at = side > 0 ? (*at + 1 == c->count[axis] ? 0 : *at + 1) : (*at == 0 ? c->count[axis] : *at) - 1;
    enter(g, i);
    plan_nothing(p);
    consider(p, i, known);
    consider(p, i, (next_event){known.time, PARTNER_UNKNOWN, 0});
    consider(p, i, next_crossing(g, i));
    meet_around(g, i, axis, side, p);
}

/* ---- making -------------------------------------------------------------------------------------------------------- */

static void register_body(gas *g, uint32_t i)
{
    const cell_grid *c = g->cells;
    real r[DIM];
    position_at(g, i, g->now, r);
    for (int k = 0; k < DIM; k++) {
        r[k] -= real_floor(r[k] * g->inverse_box[k]) * g->box[k];
        real x = (r[k] - c->low[k]) / c->width[k];
        uint32_t last = c->count[k] - 1;
        g->plan[i].cell[k] = !(x > 0) ? 0 : x < (real)last ? (uint32_t)x : last;
    }
    enter(g, i);
}

/* Width of the cells for a gas with so much room for a body: the fastest by measurement. */
static double cell_width_for(double least, double room)
{
    const char *f = getenv("CELLF");
    (void)room;
    return least * (f ? atof(f) : 1.0);
}

/* Numbers and widths of cells; false where they would be too few to tell the images of a body apart. */
static bool shape(gas *g, cell_grid *c)
{
    double least = (double)largest_contact(g) * (1 + 1e-6), bodies = g->count, volume = 1, room = CELLS_PER_BODY * bodies + 64;
    real length[DIM];
    for (int k = 0; k < DIM; k++) {
        span_of(g, k, &c->low[k], &length[k]);
        volume *= fmax((double)length[k], least);
    }
    double width = fmax(least, cell_width_for(least, volume / bodies));
    for (double total = 2 * room; total > room; width *= 1.05) {
        total = 1;
        for (int k = 0; k < DIM; k++) {
            double cells = fmax(floor((double)length[k] / width), 1);
            c->count[k] = (uint32_t)fmin(cells, 1e6);
            total *= c->count[k];
        }
    }
    size_t stride = 1;
    for (int k = 0; k < DIM; k++) {
        c->periodic[k] = g->box[k] > 0;
        if (c->periodic[k] && c->count[k] < FEWEST_CELLS) return false;
        c->width[k] = length[k] > 0 ? length[k] / (real)c->count[k] : 1;
        c->stride[k] = stride;
        stride *= c->count[k];
    }
    c->total = stride;
    return true;
}

void cells_rebuild(gas *g)
{
    cell_grid *c = g->cells;
    shape(g, c);
    memset(c->head, 0xff, c->total * sizeof *c->head);
    for (uint32_t i = 0; i < g->count; i++) register_body(g, i);
}

carom_status cells_create(gas *g, error *e)
{
    cell_grid *c = NEW_ARRAY(1, cell_grid);
    if (c == NULL) return error_memory(e, "cells", sizeof *c);
    if (!shape(g, c)) {
        memory_free(c);
        return CAROM_OK;
    }
    g->cells = c;
    c->head = memory_new(CELLS_PER_BODY * (size_t)g->count + 64, sizeof *c->head);
    if (c->head == NULL) return error_memory(e, "cells", CELLS_PER_BODY * (size_t)g->count * sizeof *c->head);
    cells_rebuild(g);
    return CAROM_OK;
}

void cells_destroy(gas *g)
{
    if (g->cells == NULL) return;
    memory_free(g->cells->head);
    memory_free(g->cells);
    g->cells = NULL;
}

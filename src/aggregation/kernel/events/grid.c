#include "aggregation/kernel/events/grid.h"

#include "base/memory.h"

#include <assert.h>

/* The skin by density: cells as wide as the mean distance of particles. Upper limit in small periodic boxes: the
 * nearest image of a pair must stay the nearest. Lower limit: rounding uses up a thinner skin. */
static double choose_skin(const cluster_state *s)
{
    const double contact = 2 * s->largest;
    double volume = 1, least = 0;
    for (int k = 0; k < DIM; k++) {
        volume *= s->size[k];
        least = fmax(least, SKIN_LEAST_OF_BOX * s->size[k]);
    }
    double spacing = pow(volume / s->count, 1.0 / DIM),
           chosen = fmax(SKIN_LEAST * contact, SKIN_SHARE * (spacing - contact));
    if (s->settings->skin > 0) chosen = fmax(s->settings->skin, SKIN_LEAST_SET * contact);
    return fmin(fmax(chosen, least), s->horizon);
}

static uint32_t cells_along(const cluster_state *s, int k, double width)
{
    return (uint32_t)fmax(1, fmin(CELLS_MOST, floor(s->size[k] / width)));
}

static void grid_shape(grid *g, const cluster_state *s)
{
    double width = 2 * s->largest + 2 * s->skin, inner;
    for (;; width *= CELLS_WIDENING) {
        inner = 1;
        for (int k = 0; k < DIM; k++) inner *= g->count[k] = cells_along(s, k, width);
        if (inner <= 2.0 * s->count + 64) break;
    }
    g->total = 1;
    for (int k = 0; k < DIM; k++) {
        g->per_width[k] = g->count[k] / s->size[k];
        g->stride[k] = g->total;
        g->total *= g->count[k] + 2;
        if (s->period[k] > 0 && g->count[k] < CELLS_ROOMY) g->cramped = true;
    }
    for (int n = 0; n < AROUND; n++) {
        g->offset[n] = 0;
        for (int k = 0, rest = n; k < DIM; k++, rest /= 3) g->offset[n] += (rest % 3 - 1) * (int32_t)g->stride[k];
    }
}

static carom_status grid_create(cluster_state *s, error *e)
{
    grid *g = s->grid = NEW_ARRAY(1, grid);
    if (g == NULL) return error_memory(e, "the grid", sizeof *g);
    s->skin = choose_skin(s);
    grid_shape(g, s);
    assert(g->total < PLACE_CELL);
    g->cell = NEW_ARRAY(g->total, cell);
    if (g->cell == NULL) return error_memory(e, "the grid", g->total * sizeof(cell));
    for (uint32_t c = 0; c < g->total; c++) g->cell[c].head = NONE;
    return CAROM_OK;
}

static void grid_destroy(cluster_state *s)
{
    if (s->grid == NULL) return;
    memory_free(s->grid->cell);
    memory_free(s->grid);
    s->grid = NULL;
}

/* A particle may be outside a box with walls by the displacement of its cluster from the list origin: the outermost
 * cells contain it. */
static uint32_t cell_along(const grid *g, const cluster_state *s, int k, double x)
{
    x -= s->period[k] * floor(x * s->per_period[k]);
    double c = x * g->per_width[k];
    return c <= 0 ? 0 : c >= g->count[k] ? g->count[k] - 1 : (uint32_t)c;
}

static uint32_t grid_place(const cluster_state *s, uint32_t i)
{
    const grid *g = s->grid;
    double r[DIM];
    uint32_t place = 0, edge = 0;
    anchored_at(s, i, r);
    for (int k = 0; k < DIM; k++) {
        uint32_t c = cell_along(g, s, k, r[k]);
        if (s->period[k] > 0 && (c == 0 || c == g->count[k] - 1)) edge = PLACE_EDGE;
        place += (c + 1) * g->stride[k];
    }
    return place | edge;
}

static void grid_add(cluster_state *s, uint32_t i, uint32_t place)
{
    particle *p = &s->particle[i];
    cell *here = &s->grid->cell[place & PLACE_CELL];
    here->owner = here->head == NONE || here->owner == p->root ? p->root : MIXED;
    p->next = here->head;
    p->place = place | (p->place & PLACE_ACTIVE);
    here->head = i;
}

static void grid_remove(cluster_state *s, uint32_t i)
{
    particle *p = &s->particle[i];
    uint32_t *link = &s->grid->cell[p->place & PLACE_CELL].head;
    while (*link != i) link = &s->particle[*link].next;
    *link = p->next;
}

/* The cells at and adjacent to cell c along one axis: up to three along a periodic axis. Along an axis with walls there
 * are always three, as the grid has an empty layer around it. */
static int along(const grid *g, const cluster_state *s, int k, uint32_t c, uint32_t out[3])
{
    const uint32_t n = g->count[k];
    int found = 0;
    if (s->period[k] == 0) {
        for (uint32_t x = c - 1; x != c + 2; x++) out[found++] = x;
        return found;
    }
    if (n >= 3) out[found++] = c == 1 ? n : c - 1;
    out[found++] = c;
    if (n >= 2) out[found++] = c == n ? 1 : c + 1;
    return found;
}

static int grid_around(const grid *g, const cluster_state *s, uint32_t place, uint32_t cells[AROUND])
{
    const uint32_t here = place & PLACE_CELL;
    if (!(place & PLACE_EDGE)) {
        for (int n = 0; n < AROUND; n++) cells[n] = (uint32_t)((int32_t)here + g->offset[n]);
        return AROUND;
    }
    uint32_t axis[3][3] = {{0}};
    int count[3] = {1, 1, 1}, found = 0;
    for (int k = 0; k < DIM; k++) count[k] = along(g, s, k, here / g->stride[k] % (g->count[k] + 2), axis[k]);
    for (int z = 0; z < count[2]; z++)
        for (int y = 0; y < count[1]; y++)
            for (int x = 0; x < count[0]; x++) {
                uint32_t at = axis[0][x] * g->stride[0] + axis[1][y] * g->stride[1];
                cells[found++] = at + (DIM == 3 ? axis[2][z] * g->stride[DIM - 1] : 0);
            }
    return found;
}

static int grid_newly_around(const grid *g, const cluster_state *s, uint32_t place, uint32_t before,
                             uint32_t cells[AROUND])
{
    uint32_t old[AROUND];
    int count = grid_around(g, s, place, cells), old_count = grid_around(g, s, before, old), kept = 0;
    for (int n = 0; n < count; n++) {
        int m = 0;
        while (m < old_count && old[m] != cells[n]) m++;
        if (m == old_count) cells[kept++] = cells[n];
    }
    return kept;
}

#include "neighbors/cells.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* Fewer cells than about twice the points: a sparse system must not cost the memory of a dense one. */
static void choose_counts(cells *c, double width, size_t points)
{
    const double limit = fmin(2.0 * (double)points + 64.0, 4e9);
    double wider = width > 0 ? width : 0;
    for (;;) {
        double total = 1;
        for (int k = 0; k < 3; k++) {
            double n = k < c->box.dimension ? floor(c->box.size[k] / wider) : 1;
            if (!(n >= 1)) n = 1;
            if (n > limit) n = limit;
            c->count[k] = (uint32_t)n;
            total *= n;
        }
        if (total <= limit) return;
        double factor = pow(total / limit, 1.0 / c->box.dimension);
        double least = c->box.size[0];
        for (int k = 0; k < c->box.dimension; k++) {
            double cell = c->box.size[k] / c->count[k];
            if (cell < least) least = cell;
        }
        if (wider < least) wider = least;
        wider *= factor > 1.01 ? factor : 1.01;
    }
}

carom_status cells_create(cells *c, const cells_box *box, double width, size_t points, uint32_t *next, error *e)
{
    *c = (cells){.box = *box, .next = next};
    choose_counts(c, width, points);
    for (int k = 0; k < box->dimension; k++) c->per_length[k] = c->count[k] / box->size[k];
    size_t total = cells_total(c);
    c->first = NEW_ARRAY(total, uint32_t);
    if (c->first == NULL) return error_memory(e, "the cell grid", total * sizeof(uint32_t));
    for (size_t i = 0; i < total; i++) c->first[i] = CELLS_END;
    return CAROM_OK;
}

void cells_destroy(cells *c)
{
    memory_free(c->first);
    *c = (cells){0};
}

size_t cells_total(const cells *c)
{
    return (size_t)c->count[0] * c->count[1] * c->count[2];
}

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

size_t cells_of(const cells *c, const double position[3])
{
    size_t index[3] = {0, 0, 0};
    for (int k = 0; k < c->box.dimension; k++)
        index[k] = (size_t)clamp(floor((position[k] - c->box.low[k]) * c->per_length[k]), 0, (double)c->count[k] - 1);
    return (index[2] * c->count[1] + index[1]) * c->count[0] + index[0];
}

void cells_sort(const cells *c, size_t points, const double (*position)[3], uint32_t *start, uint32_t *order)
{
    size_t total = cells_total(c);
    memset(start, 0, (total + 1) * sizeof *start);
    for (size_t i = 0; i < points; i++) start[cells_of(c, position[i]) + 1]++;
    for (size_t k = 0; k < total; k++) start[k + 1] += start[k];
    for (size_t i = 0; i < points; i++) order[start[cells_of(c, position[i])]++] = (uint32_t)i;
}

void cells_add(cells *c, uint32_t point, const double position[3])
{
    uint32_t *first = &c->first[cells_of(c, position)];
    c->next[point] = *first;
    *first = point;
}

cells_walk cells_near(const cells *c, const double position[3], double reach)
{
    /* the slack keeps rounding of the cell index from hiding a point at exactly `reach` */
    const double slack = 1e-9;
    cells_walk w = {.grid = c, .span = {1, 1, 1}};
    for (int k = 0; k < c->box.dimension; k++) {
        double n = c->count[k];
        double low = floor((position[k] - c->box.low[k] - reach) * c->per_length[k] - slack * n);
        double high = floor((position[k] - c->box.low[k] + reach) * c->per_length[k] + slack * n);
        if (!c->box.periodic[k]) {
            low = clamp(low, 0, n - 1);
            high = clamp(high, 0, n - 1);
        } else if (high - low + 1 >= n) {
            low = 0;
            high = n - 1;
        } else if (low < 0 || low >= n) {
            double shift = floor(low / n) * n;
            low -= shift;
            high -= shift;
        }
        w.low[k] = (uint32_t)low;
        w.span[k] = (uint32_t)(high - low) + 1;
    }
    w.at[0] = UINT32_MAX; /* the first step goes to 0 */
    w.point = CELLS_END;
    return w;
}

static size_t walk_cell(const cells_walk *w)
{
    size_t index[3];
    for (int k = 0; k < 3; k++) {
        uint64_t cell = (uint64_t)w->low[k] + w->at[k];
        index[k] = cell < w->grid->count[k] ? cell : cell - w->grid->count[k];
    }
    return (index[2] * w->grid->count[1] + index[1]) * w->grid->count[0] + index[0];
}

/* The first point of the next cell that holds one. */
uint32_t cells_step_cell(cells_walk *w)
{
    for (;;) {
        if (++w->at[0] == w->span[0]) {
            w->at[0] = 0;
            if (++w->at[1] == w->span[1]) {
                w->at[1] = 0;
                if (++w->at[2] == w->span[2]) {
                    w->at[0] = w->span[0] - 1; /* stays at the end */
                    w->at[1] = w->span[1] - 1;
                    w->at[2] = w->span[2] - 1;
                    return CELLS_END;
                }
            }
        }
        uint32_t point = w->grid->first[walk_cell(w)];
        if (point != CELLS_END) return point;
    }
}

#include "measure/pairs.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "scene/scene.h"

/* Cells are half the range wide: those up to REACH away contain all partners. An axis too short for that is one
 * cell. */
enum { REACH = 2, CELLS_MIN = 2 * REACH + 1, BATCH = 64 };

typedef struct grid {
    int dimension;
    size_t n[3];
    bool periodic[3];
    double side[3], half[3]; /* half of the side: beyond it another image is nearer; infinite without periodicity */
} grid;

carom_status pairs_create(pairs *p, double range, size_t bins, error *e)
{
    *p = (pairs){.range = range, .bins = bins, .count = NEW_ARRAY(bins, uint64_t)};
    return p->count != NULL ? CAROM_OK : error_memory(e, "a histogram of pairs", bins * sizeof(uint64_t));
}

void pairs_destroy(pairs *p)
{
    memory_free(p->count);
    memory_free(p->sorted);
    memory_free(p->cell);
    memory_free(p->first);
    *p = (pairs){0};
}

static size_t cells_of(const grid *g)
{
    return g->n[0] * g->n[1] * g->n[2];
}

static grid make_grid(const carom_frame *f, double range)
{
    const double slack = 1.0 + 1e-12; /* rounding must not make a cell too narrow */
    grid g = {.dimension = f->dimension, .n = {1, 1, 1}};
    for (int a = 0; a < f->dimension; a++) {
        double n = floor(f->box[a] * REACH / (range * slack)), most = 1 << 20;
        g.side[a] = f->box[a];
        g.periodic[a] = f->boundary[a] == BOUNDARY_PERIODIC;
        g.half[a] = g.periodic[a] ? 0.5 * f->box[a] : (double)INFINITY;
        g.n[a] = n >= CELLS_MIN ? (size_t)(n < most ? n : most) : 1;
    }
    for (int a = 0; cells_of(&g) > 4 * f->count + 1000;
         a = (a + 1) % 3) /* more cells than particles have no advantage */
        if (g.n[a] >= 2 * CELLS_MIN) g.n[a] /= 2;
    return g;
}

static carom_status reserve(pairs *p, size_t particles, int dimension, size_t cells, error *e)
{
    if (particles > p->particles) {
        memory_free(p->sorted);
        memory_free(p->cell);
        p->particles = 0;
        p->sorted = NEW_ARRAY(particles * (size_t)dimension, double);
        p->cell = NEW_ARRAY(particles, uint32_t);
        if (p->sorted == NULL || p->cell == NULL)
            return error_memory(e, "a grid of particles", particles * ((size_t)dimension * sizeof(double) + 4));
        p->particles = particles;
    }
    if (cells > p->cells) {
        memory_free(p->first);
        p->cells = 0;
        p->first = NEW_ARRAY(cells + 1, size_t);
        if (p->first == NULL) return error_memory(e, "a grid of particles", (cells + 1) * sizeof(size_t));
        p->cells = cells;
    }
    return CAROM_OK;
}

static size_t cell_along(const grid *g, int a, double x)
{
    double cell = floor(x * (double)g->n[a] / g->side[a]), last = (double)(g->n[a] - 1);
    return (size_t)(!(cell > 0.0) ? 0.0 : cell > last ? last : cell);
}

/* Sorts the positions by cell, keeping their order within one. */
static void sort_positions(pairs *p, const carom_frame *f, const grid *g)
{
    size_t d = (size_t)f->dimension, cells = cells_of(g);
    frame_need(f, FRAME_POSITION);
    memset(p->first, 0, (cells + 1) * sizeof *p->first);
    for (size_t i = 0; i < f->count; i++) {
        size_t cell = 0;
        for (int a = 0; a < f->dimension; a++) cell = cell * g->n[a] + cell_along(g, a, f->position[i * d + (size_t)a]);
        p->cell[i] = (uint32_t)cell;
        p->first[cell + 1]++;
    }
    for (size_t c = 0; c < cells; c++) p->first[c + 1] += p->first[c];
    for (size_t i = 0; i < f->count; i++) {
        size_t at = p->first[p->cell[i]]++;
        for (size_t a = 0; a < d; a++) p->sorted[a * f->count + at] = f->position[i * d + a];
    }
    for (size_t c = cells; c > 0; c--) p->first[c] = p->first[c - 1];
    p->first[0] = 0;
}

/* Adds the squares of distances that are within the range to the histogram. */
static void drop(pairs *p, const double *square, size_t size)
{
    double scale = (double)p->bins / p->range;
    for (size_t k = 0; k < size; k++) {
        size_t bin = (size_t)(sqrt(square[k]) * scale);
        if (bin < p->bins) p->count[bin]++;
    }
}

/* Particle i against sorted neighbours from ... to. */
static void count_row(pairs *p, const grid *g, size_t count, size_t i, size_t from, size_t to)
{
    double square[BATCH], near[BATCH], range2 = p->range * p->range;
    for (; from < to; from += BATCH) {
        size_t size = to - from < BATCH ? to - from : BATCH, found = 0;
        for (int a = 0; a < g->dimension; a++) {
            const double *x = p->sorted + (size_t)a * count;
            double here = x[i], half = g->half[a], side = g->side[a];
            for (size_t k = 0; k < size; k++) {
                double way = fabs(x[from + k] - here);
                way = way > half ? side - way : way;
                square[k] = a == 0 ? way * way : square[k] + way * way;
            }
        }
        for (size_t k = 0; k < size; k++) {
            near[found] = square[k];
            found += square[k] < range2;
        }
        drop(p, near, found);
    }
}

/* Cell at `offset` along an axis; false: none. */
static bool step(const grid *g, int a, size_t from, int offset, size_t *to)
{
    long n = (long)g->n[a], cell = (long)from + offset;
    if (g->n[a] == 1 && offset != 0) return false;
    if (g->periodic[a]) cell = (cell + n) % n;
    *to = (size_t)cell;
    return cell >= 0 && cell < n;
}

/* Compares a cell with those of a column, all of them after it. */
static void count_column(pairs *p, const grid *g, size_t count, size_t cell, size_t column, size_t z)
{
    for (int offset = -REACH; offset <= REACH;) {
        size_t low, high, at;
        if (!step(g, 2, z, offset++, &low)) continue;
        for (high = low; offset <= REACH && step(g, 2, z, offset, &at) && at == high + 1; offset++) high = at;
        size_t first = column * g->n[2] + low, last = column * g->n[2] + high; /* cells in a row */
        if (first <= cell) first = cell + 1;
        if (first > last) continue;
        for (size_t i = p->first[cell]; i < p->first[cell + 1]; i++)
            count_row(p, g, count, i, p->first[first], p->first[last + 1]);
    }
}

/* All pairs of a cell and the cells from it on in the order. */
static void count_cell(pairs *p, const grid *g, size_t count, const size_t at[3])
{
    size_t cell = (at[0] * g->n[1] + at[1]) * g->n[2] + at[2], to[2];
    size_t begin = p->first[cell], end = p->first[cell + 1];
    for (size_t i = begin; i < end; i++) count_row(p, g, count, i, i + 1, end);
    for (int x = -REACH; x <= REACH; x++) {
        if (!step(g, 0, at[0], x, &to[0])) continue;
        for (int y = -REACH; y <= REACH; y++)
            if (step(g, 1, at[1], y, &to[1])) count_column(p, g, count, cell, to[0] * g->n[1] + to[1], at[2]);
    }
}

carom_status pairs_count(pairs *p, const carom_frame *frame, error *e)
{
    grid g = make_grid(frame, p->range);
    TRY(reserve(p, frame->count, frame->dimension, cells_of(&g), e));
    sort_positions(p, frame, &g);
    memset(p->count, 0, p->bins * sizeof *p->count);
    size_t at[3];
    for (at[0] = 0; at[0] < g.n[0]; at[0]++)
        for (at[1] = 0; at[1] < g.n[1]; at[1]++)
            for (at[2] = 0; at[2] < g.n[2]; at[2]++) count_cell(p, &g, frame->count, at);
    return CAROM_OK;
}

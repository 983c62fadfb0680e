/* Box counting: number of boxes of side L / 2^m that contain a particle. */
#include <math.h>

#include "base/memory.h"
#include "base/sort.h"
#include "measure/shape.h"

/* The finest grid. Its boxes have integer coordinates, from 0, of `bits` bits each. */
typedef struct lattice {
    int levels; /* the finest is L / 2^levels */
    int bits;
    double side;
    double origin[3]; /* in units of L */
} lattice;

/* The first level with boxes narrower than R, or the last one that fits into 64 bits. */
static lattice make_lattice(const shape_partition *p, const shape_group *g)
{
    lattice grid = {0};
    double span = 1;
    const double(*x)[3] = (const double(*)[3])p->position + g->first;
    for (int a = 0; a < p->dimension; a++) grid.side = fmax(grid.side, p->box[a]);
    for (int a = 0; a < p->dimension; a++) {
        double low = floor(x[0][a] / grid.side), high = low;
        for (size_t i = 1; i < g->size; i++) {
            low = fmin(low, floor(x[i][a] / grid.side));
            high = fmax(high, floor(x[i][a] / grid.side));
        }
        grid.origin[a] = low;
        span = fmax(span, high - low + 1);
    }
    int extra = 0, most = p->dimension == 2 ? 31 : 21;
    while (extra <= most && ldexp(1, extra) < span) extra++;
    while (grid.levels + extra < most && grid.levels + 1 < SHAPE_LEVELS && ldexp(grid.side, -grid.levels) >= p->radius)
        grid.levels++;
    grid.bits = extra <= most ? grid.levels + extra : 0;
    return grid;
}

/* Interleaves the bits of the coordinates: boxes of a coarser grid are common prefixes. */
static uint64_t key_of(const shape_partition *p, const lattice *grid, const double x[3])
{
    uint64_t at[3] = {0, 0, 0}, key = 0;
    for (int a = 0; a < p->dimension; a++) {
        double box = floor(ldexp(x[a] / grid->side, grid->levels));
        at[a] = (uint64_t)(box - ldexp(grid->origin[a], grid->levels));
    }
    for (int bit = grid->bits - 1; bit >= 0; bit--)
        for (int a = 0; a < p->dimension; a++) key = key << 1 | ((at[a] >> bit) & 1);
    return key;
}

/* Two consecutive keys are in different boxes from the level of their first different bit on. */
static void count_levels(const uint64_t *keys, size_t count, int dimension, const lattice *grid, shape_curves *curves)
{
    curves->levels = grid->levels + 1;
    for (int m = 0; m < curves->levels; m++) curves->boxes[m] = m == 0;
    for (size_t i = 1; i < count; i++) {
        uint64_t differ = keys[i] ^ keys[i - 1];
        int bit = 0;
        if (differ == 0) continue;
        while (differ >> 1 >> bit != 0) bit++;
        int level = grid->levels - bit / dimension;
        curves->boxes[level > 0 ? level : 0]++;
    }
    for (int m = 1; m < curves->levels; m++) curves->boxes[m] += curves->boxes[m - 1];
}

/* On a plateau: the next grid, coarser or finer, has as many boxes. */
static bool flat(const shape_curves *c, int m)
{
    return c->boxes[m] == c->boxes[m - 1] || (m + 1 < c->levels && c->boxes[m] == c->boxes[m + 1]);
}

static shape_fit fit_levels(shape_curves *c, double radius)
{
    const double rounding = 1 - 1e-12;
    double side[SHAPE_LEVELS], boxes[SHAPE_LEVELS];
    int from = 1, to = 0;
    while (to + 1 < c->levels && ldexp(c->side, -(to + 1)) >= 3 * radius * rounding) to++;
    while (from <= to && flat(c, from)) from++;
    while (to >= from && flat(c, to)) to--;
    for (int m = from; m <= to; m++) {
        side[m] = ldexp(c->side, -m);
        boxes[m] = (double)c->boxes[m];
    }
    c->fit_from = from;
    c->fit_to = to;
    return shape_fit_logs(side + from, boxes + from, to >= from ? (size_t)(to - from + 1) : 0);
}

carom_status shape_boxes(const shape_partition *p, size_t group, shape_cluster *out, shape_curves *curves, error *e)
{
    const shape_group *g = &p->groups[group];
    lattice grid = make_lattice(p, g);
    uint64_t *keys = NEW_ARRAY(2 * g->size, uint64_t);
    if (keys == NULL) return error_memory(e, "the boxes", 2 * g->size * sizeof *keys);
    curves->side = grid.side;
    if (grid.bits > 0) {
        for (size_t i = 0; i < g->size; i++) keys[i] = key_of(p, &grid, p->position[g->first + i]);
        sort_u64(keys, keys + g->size, g->size);
        count_levels(keys, g->size, p->dimension, &grid, curves);
    }
    memory_free(keys);
    out->boxes = fit_levels(curves, p->radius);
    return CAROM_OK;
}

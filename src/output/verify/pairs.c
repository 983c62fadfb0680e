#include "output/verify/pairs.h"

#include <math.h>

#include "base/memory.h"

/* One grid for each factor of two in radius, so that cells of large spheres do not contain many small ones. Level 0 has
 * the largest spheres; the last level also contains all smaller ones. */
enum { LEVELS = 24, NOWHERE = LEVELS }; /* NOWHERE: of an absent particle */
static const size_t NONE = (size_t)-1;

typedef struct level {
    size_t members, cells[3];
    double radius; /* the largest */
    size_t *head;  /* first member of each cell */
} level;

typedef struct grid {
    const carom_frame *f;
    double lower[3], extent[3];
    bool periodic[3];
    level levels[LEVELS];
    size_t *next;   /* [count] */
    uint8_t *where; /* [count]: level */
} grid;

static void find_extent(grid *g)
{
    const carom_frame *f = g->f;
    size_t dimension = (size_t)f->dimension;
    for (size_t k = 0; k < dimension; k++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t i = 0; i < f->count; i++) {
            least = fmin(least, f->position[i * dimension + k]);
            most = fmax(most, f->position[i * dimension + k]);
        }
        g->periodic[k] = f->boundary[k] == FRAME_PERIODIC;
        g->lower[k] = g->periodic[k] ? 0 : least;
        g->extent[k] = g->periodic[k] ? f->box[k] : most - least;
    }
}

static void sort_in_levels(grid *g)
{
    const carom_frame *f = g->f;
    double largest = 0;
    for (size_t i = 0; i < f->count; i++) largest = fmax(largest, f->radius[i]);
    for (size_t i = 0; i < f->count; i++) {
        if (frame_is_absent(f, i)) {
            g->where[i] = NOWHERE;
            continue;
        }
        int octave = f->radius[i] > 0 ? ilogb(largest) - ilogb(f->radius[i]) : LEVELS;
        g->where[i] = (uint8_t)(octave < LEVELS ? octave : LEVELS - 1);
        level *l = &g->levels[g->where[i]];
        l->members++;
        l->radius = fmax(l->radius, f->radius[i]);
    }
}

/* Cells at least as wide as a diameter; their number is limited by that of the members. */
static void choose_cells(const grid *g, level *l)
{
    const size_t most = 2 * l->members + 8;
    size_t total = 1;
    for (int k = 0; k < 3; k++) {
        double fit = k < g->f->dimension && l->radius > 0 ? floor(g->extent[k] / (2 * l->radius)) : 1;
        l->cells[k] = fit < 1 ? 1 : fit > (double)most ? most : (size_t)fit;
    }
    for (;;) {
        int widest = 0;
        for (int k = 1; k < 3; k++)
            if (l->cells[k] > l->cells[widest]) widest = k;
        total = l->cells[0] * l->cells[1] * l->cells[2];
        if (total <= most || l->cells[widest] == 1) return;
        l->cells[widest] = (l->cells[widest] + 1) / 2;
    }
}

static void cell_of(const grid *g, const level *l, size_t i, size_t cell[3])
{
    size_t dimension = (size_t)g->f->dimension;
    for (size_t k = 0; k < 3; k++) {
        cell[k] = 0;
        if (k >= dimension || g->extent[k] <= 0) continue;
        double x = (g->f->position[i * dimension + k] - g->lower[k]) / g->extent[k];
        if (g->periodic[k]) x -= floor(x);
        double at = floor(x * (double)l->cells[k]);
        cell[k] = at >= (double)l->cells[k] ? l->cells[k] - 1 : at > 0 ? (size_t)at : 0;
    }
}

static size_t flat(const level *l, const size_t cell[3])
{
    return (cell[2] * l->cells[1] + cell[1]) * l->cells[0] + cell[0];
}

static carom_status fill(grid *g, error *e)
{
    const size_t count = g->f->count;
    g->next = NEW_ARRAY(count, size_t);
    g->where = NEW_ARRAY(count, uint8_t);
    if (g->next == NULL || g->where == NULL) return error_memory(e, "a cell grid", count * sizeof *g->next);
    find_extent(g);
    sort_in_levels(g);
    for (int n = 0; n < LEVELS; n++) {
        level *l = &g->levels[n];
        if (l->members == 0) continue;
        choose_cells(g, l);
        size_t total = l->cells[0] * l->cells[1] * l->cells[2];
        l->head = NEW_ARRAY(total, size_t);
        if (l->head == NULL) return error_memory(e, "a cell grid", total * sizeof *l->head);
        for (size_t c = 0; c < total; c++) l->head[c] = NONE;
    }
    for (size_t i = count; i-- > 0;) {
        if (g->where[i] == NOWHERE) continue;
        level *l = &g->levels[g->where[i]];
        size_t cell[3];
        cell_of(g, l, i, cell);
        g->next[i] = l->head[flat(l, cell)];
        l->head[flat(l, cell)] = i;
    }
    return CAROM_OK;
}

/* The cells adjacent to `at` along an axis, each once. */
static int neighbours(size_t at, size_t cells, bool periodic, size_t out[3])
{
    int count = 0;
    bool wraps = periodic && cells > 2;
    out[count++] = at;
    if (at + 1 < cells || wraps) out[count++] = at + 1 < cells ? at + 1 : 0;
    if (at > 0 || wraps) out[count++] = at > 0 ? at - 1 : cells - 1;
    return count;
}

static double distance(const grid *g, size_t i, size_t j)
{
    size_t dimension = (size_t)g->f->dimension;
    double square = 0, slid = 0;
    if (g->f->shear != 0)
        slid =
            g->f->slid * rint((g->f->position[i * dimension + 1] - g->f->position[j * dimension + 1]) / g->f->box[1]);
    for (size_t k = 0; k < dimension; k++) {
        double d = g->f->position[i * dimension + k] - g->f->position[j * dimension + k] - (k == 0 ? slid : 0);
        if (g->periodic[k]) d -= g->f->box[k] * rint(d / g->f->box[k]);
        square += d * d;
    }
    return sqrt(square);
}

typedef struct search {
    double tolerance;
    pair_found *found;
    void *data;
} search;

/* Sphere i against the members of a cell. Within one level each pair occurs twice and is counted once. */
static void meet_cell(const grid *g, const level *l, size_t cell, size_t i, const search *s)
{
    bool own = l == &g->levels[g->where[i]];
    for (size_t j = l->head[cell]; j != NONE; j = g->next[j]) {
        if (own && j >= i) continue;
        double gap = distance(g, i, j);
        if (gap < g->f->radius[i] + g->f->radius[j] - s->tolerance)
            s->found(i < j ? i : j, i < j ? j : i, gap, s->data);
    }
}

/* Sphere i against a level of spheres at least as large: their cells are at least as wide as the contact distance. */
static void meet_level(const grid *g, const level *l, size_t i, const search *s)
{
    size_t at[3], near[3][3];
    int count[3];
    cell_of(g, l, i, at);
    for (int k = 0; k < 3; k++)
        count[k] = neighbours(at[k], l->cells[k], k < g->f->dimension && g->periodic[k], near[k]);
    for (int b = 0; b < count[1]; b++) {
        const bool beyond = near[1][b] > at[1] + 1 || at[1] > near[1][b] + 1 || l->cells[1] < 3;
        const bool slid = g->f->shear != 0 && beyond; /* then all cells along x are searched */
        for (size_t a = 0; a < (slid ? l->cells[0] : (size_t)count[0]); a++)
            for (int c = 0; c < count[2]; c++)
                meet_cell(g, l, flat(l, (size_t[3]){slid ? a : near[0][a], near[1][b], near[2][c]}), i, s);
    }
}

carom_status pairs_overlapping(const carom_frame *f, double tolerance, pair_found *found, void *data, error *e)
{
    grid g = {.f = f};
    const search s = {tolerance, found, data};
    if (f->count < 2) return CAROM_OK;
    carom_status status = fill(&g, e);
    for (size_t i = 0; status == CAROM_OK && i < f->count; i++)
        for (int n = 0; n <= g.where[i] && g.where[i] != NOWHERE; n++)
            if (g.levels[n].members > 0) meet_level(&g, &g.levels[n], i, &s);
    for (int n = 0; n < LEVELS; n++) memory_free(g.levels[n].head);
    memory_free(g.next);
    memory_free(g.where);
    return status;
}

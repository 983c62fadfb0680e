/* Cells with the particles at their positions when they were listed: one grid for each class of radii. */
#include "aggregation/kernel/steps/steps.h"

#include "base/memory.h"

/* ---- creation
 * ----------------------------------------------------------------------------------------------------- */

static double volume_of(const steps *s)
{
    double volume = 1;
    for (int k = 0; k < DIM; k++) volume *= s->size[k];
    return volume;
}

static int level_of(const pair_list *w, double radius)
{
    int l = 0;
    while (l + 1 < w->level_count && radius <= w->levels[l + 1].radius) l++;
    return l;
}

/* Cells as wide as the range of a query between two particles of the level; wider if there would be more cells than
 * particles. */
static size_t set_level(steps *s, level *l, size_t base, uint32_t particles)
{
    const pair_list *w = &s->pair_list;
    double width = 2 * l->radius + CELL_MARGINS * (w->margin + w->drift_limit);
    width = fmax(width, pow(volume_of(s) / (particles + 1.0), 1.0 / DIM));
    size_t cells = 1;
    for (int k = 0; k < DIM; k++) {
        l->cells[k] = (uint32_t)fmin(fmax(s->size[k] / width, 1), 2e9);
        l->per_length[k] = l->cells[k] / s->size[k];
        cells *= l->cells[k];
    }
    l->base = base;
    return base + cells;
}

static size_t set_levels(steps *s)
{
    pair_list *w = &s->pair_list;
    double largest = 0;
    uint32_t members[MOST_LEVELS] = {0};
    for (uint32_t i = 0; i < s->count; i++) largest = fmax(largest, s->particles[i].radius);
    w->level_count = MOST_LEVELS;
    for (int l = 0; l < MOST_LEVELS; l++) w->levels[l].radius = ldexp(largest, -l);
    for (uint32_t i = 0; i < s->count; i++) members[level_of(w, s->particles[i].radius)]++;
    int used = 0;
    size_t cells = 0;
    for (int l = 0; l < MOST_LEVELS; l++) {
        if (members[l] == 0) continue;
        w->levels[used].radius = w->levels[l].radius;
        cells = set_level(s, &w->levels[used++], cells, members[l]);
    }
    w->level_count = used;
    return cells;
}

static carom_status bins_create(steps *s, error *e)
{
    pair_list *w = &s->pair_list;
    size_t bins = set_levels(s);
    w->first = NEW_ARRAY(bins, uint32_t);
    w->listed_in_pass = NEW_ARRAY(bins, uint32_t);
    w->queried_in_pass = NEW_ARRAY(bins, uint32_t);
    w->next = NEW_ARRAY(s->count, uint32_t);
    w->bin = NEW_ARRAY(s->count, uint32_t);
    if (!w->first || !w->listed_in_pass || !w->queried_in_pass || !w->next || !w->bin)
        return error_memory(e, "cells", 12 * bins);
    for (size_t n = 0; n < bins; n++) w->first[n] = NONE;
    for (uint32_t i = 0; i < s->count; i++) w->bin[i] = NONE;
    return CAROM_OK;
}

static void bins_destroy(steps *s)
{
    pair_list *w = &s->pair_list;
    memory_free(w->first);
    memory_free(w->listed_in_pass);
    memory_free(w->queried_in_pass);
    memory_free(w->next);
    memory_free(w->bin);
}

/* ---- particles of cells ------------------------------------------------------------------------------------------ */

static int64_t cell_along(const steps *s, const level *l, int k, double x)
{
    if (s->box[k] == 0) return (int64_t)clamp(x * l->per_length[k], 0, l->cells[k] - 0.5);
    return (int64_t)floor(x * l->per_length[k]);
}

static uint32_t wrapped(int64_t cell, uint32_t cells)
{
    int64_t rest = cell % (int64_t)cells;
    return (uint32_t)(rest < 0 ? rest + (int64_t)cells : rest);
}

static uint32_t bin_of(const steps *s, uint32_t i)
{
    const level *l = &s->pair_list.levels[level_of(&s->pair_list, s->particles[i].radius)];
    double r[DIM];
    position_of(s, i, r);
    size_t bin = 0;
    for (int k = DIM - 1; k >= 0; k--) bin = bin * l->cells[k] + wrapped(cell_along(s, l, k, r[k]), l->cells[k]);
    return (uint32_t)(l->base + bin);
}

static void bins_put(steps *s, uint32_t i)
{
    pair_list *w = &s->pair_list;
    const uint32_t bin = bin_of(s, i);
    if (bin == w->bin[i]) return;
    if (w->bin[i] != NONE) {
        uint32_t *place = &w->first[w->bin[i]];
        while (*place != i) place = &w->next[*place];
        *place = w->next[i];
    }
    w->next[i] = w->first[bin];
    w->first[bin] = i;
    w->bin[i] = bin;
}

static const level *bins_level(const steps *s, uint32_t i)
{
    return &s->pair_list.levels[level_of(&s->pair_list, s->particles[i].radius)];
}

/* ---- iteration over cells ---------------------------------------------------------------------------------------- */

static bin_walk bins_around(const steps *s, const level *l, const double r[DIM], double reach)
{
    bin_walk w = {.level = l, .first = {0, 0, 0}, .span = {1, 1, 1}, .at = {0, 0, 0}};
    for (int k = 0; k < DIM; k++) {
        int64_t low = cell_along(s, l, k, r[k] - reach), high = cell_along(s, l, k, r[k] + reach);
        bool all = high - low + 1 >= (int64_t)l->cells[k];
        w.first[k] = all ? 0 : wrapped(low, l->cells[k]);
        w.span[k] = all ? l->cells[k] : (uint32_t)(high - low + 1);
    }
    return w;
}

/* Who may touch whom.
 *
 * A particle is *listed*: all foreign particles that it could touch before either of the two is listed again go to the list
 * of pairs, which each step goes through. A cluster's members are listed anew when it has flown the margin (of their own
 * they may have drifted by the slop, as others push); so the pair listed last is always known. Cells hold particles as of
 * when they were listed. */
#include "aggregation/kernel/steps/steps.h"

#include "base/memory.h"
#include "base/threads.h"

/* ---- making ------------------------------------------------------------------------------------------------------ */

static double volume_of(const steps *s)
{
    double volume = 1;
    for (int k = 0; k < DIM; k++) volume *= s->size[k];
    return volume;
}

static int level_of(const watch *w, double radius)
{
    int l = 0;
    while (l + 1 < w->level_count && radius <= w->levels[l + 1].radius) l++;
    return l;
}

/* Cells as wide as a query between two of the level reaches, wider where there would be more cells than particles. */
static size_t set_level(steps *s, level *l, size_t base, uint32_t particles)
{
    const watch *w = &s->watch;
    double width = 2 * l->radius + 3 * (w->margin + w->slop);
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
    watch *w = &s->watch;
    double largest = 0;
    uint32_t members[MOST_LEVELS] = {0};
    for (uint32_t i = 0; i < s->count; i++) largest = fmax(largest, s->bodies[i].radius);
    w->level_count = MOST_LEVELS;
    for (int l = 0; l < MOST_LEVELS; l++) w->levels[l].radius = ldexp(largest, -l);
    for (uint32_t i = 0; i < s->count; i++) members[level_of(w, s->bodies[i].radius)]++;
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

carom_status watch_create(steps *s, error *e)
{
    const double part = 0.25; /* of the mean distance: by measurement */
    watch *w = &s->watch;
    w->margin = part * pow(volume_of(s) / s->count, 1.0 / DIM);
    w->slop = 0.01 * w->margin;
    size_t cells = set_levels(s);
    w->first = NEW_ARRAY(cells, uint32_t);
    w->next = NEW_ARRAY(s->count, uint32_t);
    w->cell = NEW_ARRAY(s->count, uint32_t);
    w->drift = NEW_ARRAY(s->count, float);
    w->due = NEW_ARRAY(s->count, uint32_t);
    if (!w->first || !w->next || !w->cell || !w->drift || !w->due) return error_memory(e, "cells", 4 * cells);
    for (size_t n = 0; n < cells; n++) w->first[n] = NOBODY;
    for (uint32_t i = 0; i < s->count; i++) w->cell[i] = NOBODY;
    watch_again(s);
    return CAROM_OK;
}

void watch_destroy(steps *s)
{
    watch *w = &s->watch;
    memory_free(w->first);
    memory_free(w->next);
    memory_free(w->cell);
    memory_free(w->drift);
    memory_free(w->due);
}

void watch_again(steps *s)
{
    for (uint32_t n = 0; n < s->count; n++) s->motions[n].used = (double)INFINITY;
    for (int t = 0; t < s->threads; t++) s->crews[t].pair_count = 0;
}

/* ---- cells ------------------------------------------------------------------------------------------------------- */

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

static uint32_t cell_of(const steps *s, uint32_t i)
{
    const level *l = &s->watch.levels[level_of(&s->watch, s->bodies[i].radius)];
    double r[DIM];
    position_of(s, i, r);
    size_t cell = 0;
    for (int k = DIM - 1; k >= 0; k--) cell = cell * l->cells[k] + wrapped(cell_along(s, l, k, r[k]), l->cells[k]);
    return (uint32_t)(l->base + cell);
}

static void put_in_cell(steps *s, uint32_t i, uint32_t cell)
{
    watch *w = &s->watch;
    if (cell == w->cell[i]) return;
    if (w->cell[i] != NOBODY) {
        uint32_t *place = &w->first[w->cell[i]];
        while (*place != i) place = &w->next[*place];
        *place = w->next[i];
    }
    w->next[i] = w->first[cell];
    w->first[cell] = i;
    w->cell[i] = cell;
}

/* ---- queries ----------------------------------------------------------------------------------------------------- */

static bool keep_near(crew *c, size_t count, uint32_t j)
{
    if (count == c->near_capacity) {
        uint32_t *more = memory_resize(c->near, c->near_capacity, 2 * c->near_capacity + 64, sizeof *more);
        if (more == NULL) {
            c->out_of_memory = true;
            return false;
        }
        c->near = more;
        c->near_capacity = 2 * c->near_capacity + 64;
    }
    c->near[count] = j;
    return true;
}

/* The cells of one level within reach: the first, and how many, on each axis. */
typedef struct window {
    uint32_t first[3], span[3];
} window;

static window window_of(const steps *s, const level *l, const double r[DIM], double reach)
{
    window w = {{0, 0, 0}, {1, 1, 1}};
    for (int k = 0; k < DIM; k++) {
        int64_t low = cell_along(s, l, k, r[k] - reach), high = cell_along(s, l, k, r[k] + reach);
        bool all = high - low + 1 >= (int64_t)l->cells[k];
        w.first[k] = all ? 0 : wrapped(low, l->cells[k]);
        w.span[k] = all ? l->cells[k] : (uint32_t)(high - low + 1);
    }
    return w;
}

/* Adds to crew.near who in this cell is nearer to i than contact and `extra`. */
static size_t look_into(const steps *s, crew *c, size_t count, uint32_t i, const double r[DIM], size_t cell,
                        double extra, bool foreign)
{
    const body *b = &s->bodies[i];
    for (uint32_t j = s->watch.first[cell]; j != NOBODY; j = s->watch.next[j]) {
        const body *o = &s->bodies[j];
        if (j == i || (foreign && o->cluster == b->cluster)) continue;
        double apart[DIM], reach = b->radius + o->radius + extra;
        const double *offset = s->motions[o->cluster].offset;
        for (int k = 0; k < DIM; k++) apart[k] = r[k] - (o->x[k] + offset[k]);
        nearest_image(s, apart);
        if (inner(apart, apart) < reach * reach && keep_near(c, count, j)) count++;
    }
    return count;
}

static size_t look_around(const steps *s, crew *c, uint32_t i, double extra, bool foreign)
{
    double r[DIM];
    position_of(s, i, r);
    size_t count = 0;
    for (int n = 0; n < s->watch.level_count; n++) {
        const level *l = &s->watch.levels[n];
        double stale = s->watch.margin + s->watch.slop;
        window w = window_of(s, l, r, s->bodies[i].radius + l->radius + extra + stale);
        for (uint32_t z = 0; z < w.span[2]; z++)
            for (uint32_t y = 0; y < w.span[1]; y++)
                for (uint32_t x = 0; x < w.span[0]; x++) {
                    uint32_t at[3] = {w.first[0] + x, w.first[1] + y, w.first[2] + z};
                    size_t cell = 0;
                    for (int k = DIM - 1; k >= 0; k--)
                        cell = cell * l->cells[k] + (at[k] < l->cells[k] ? at[k] : at[k] - l->cells[k]);
                    count = look_into(s, c, count, i, r, l->base + cell, extra, foreign);
                }
    }
    return count;
}

/* ---- listing ----------------------------------------------------------------------------------------------------- */

static void keep_pair(crew *c, uint32_t i, uint32_t j, uint32_t listed)
{
    if (c->pair_count == c->pair_capacity) {
        size_t wanted = c->pair_capacity + c->pair_capacity / 2 + 1024;
        pair *more = memory_resize(c->pairs, c->pair_capacity, wanted, sizeof *more);
        if (more == NULL) {
            c->out_of_memory = true;
            return;
        }
        c->pairs = more;
        c->pair_capacity = wanted;
    }
    c->pairs[c->pair_count++] = (pair){i, j, listed};
}

static void keep_contact(crew *c, uint32_t i, uint32_t j)
{
    if (c->found_count == c->found_capacity) {
        size_t wanted = 2 * c->found_capacity + 64;
        uint64_t *more = memory_resize(c->found, c->found_capacity, wanted, sizeof *more);
        if (more == NULL) {
            c->out_of_memory = true;
            return;
        }
        c->found = more;
        c->found_capacity = wanted;
    }
    c->found[c->found_count++] = i < j ? (uint64_t)i << 32 | j : (uint64_t)j << 32 | i;
}

/* Of two that are listed at once the one with the smaller number keeps the pair. */
static void list_pairs(const steps *s, crew *c, uint32_t i)
{
    const watch *w = &s->watch;
    size_t count = look_around(s, c, i, 2 * (w->margin + w->slop), true);
    for (size_t n = 0; n < count; n++) {
        uint32_t j = c->near[n];
        if (s->bodies[j].listed != w->listings || i < j) keep_pair(c, i, j, w->listings);
    }
}

/* Lists watch.due. */
static void list_due(steps *s)
{
    watch *w = &s->watch;
    w->listings++;
    for (size_t n = 0; n < w->due_count; n++) {
        uint32_t i = w->due[n];
        put_in_cell(s, i, cell_of(s, i));
        s->bodies[i].listed = w->listings;
        w->drift[i] = 0;
    }
    s->events[EVENT_TRANSFER] += w->due_count;
#pragma omp parallel for schedule(static) num_threads(s->threads) if (w->due_count > FEW / 10)
    for (size_t n = 0; n < w->due_count; n++) list_pairs(s, &s->crews[threads_here()], w->due[n]);
    w->due_count = 0;
}

void watch_renew(steps *s)
{
    watch *w = &s->watch;
    w->due_count = 0;
    for (uint32_t n = 0; n < s->live_count; n++) {
        uint32_t slot = s->live[n];
        if (s->motions[slot].used <= w->margin) continue;
        s->motions[slot].used = 0;
        for (uint32_t i = s->clusters[slot].first; i != NOBODY; i = s->next[i]) w->due[w->due_count++] = i;
    }
    if (w->due_count > 0) list_due(s);
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/* Overlaps with its own cluster count beyond the tolerance: neighbours in contact overlap by that much. */
static void find_overlaps(const steps *s, crew *c, uint32_t i)
{
    size_t count = look_around(s, c, i, 0, false);
    for (size_t n = 0; n < count; n++) {
        uint32_t j = c->near[n];
        double r[DIM], least = contact_distance(s, i, j) * (1 - s->settings->tolerance);
        between(s, i, j, r);
        if (s->bodies[i].cluster == s->bodies[j].cluster && inner(r, r) >= least * least) continue;
        if (!links_has(s, i, j)) keep_contact(c, i, j);
    }
}

void watch_moved(steps *s)
{
    watch *w = &s->watch;
    w->due_count = 0;
    for (int t = 0; t < s->threads; t++)
        for (size_t n = 0; n < s->crews[t].moved_count; n++) {
            uint32_t i = s->crews[t].moved[n];
            if ((double)w->drift[i] > w->slop) w->due[w->due_count++] = i;
        }
    if (w->due_count > 0) list_due(s);
    for (int t = 0; t < s->threads; t++) {
        const crew *from = &s->crews[t];
#pragma omp parallel for schedule(static) num_threads(s->threads) if (from->moved_count > FEW / 10)
        for (size_t n = 0; n < from->moved_count; n++) find_overlaps(s, &s->crews[threads_here()], from->moved[n]);
    }
    for (int t = 0; t < s->threads; t++) s->crews[t].moved_count = 0;
}

static void scan(const steps *s, crew *c, bool only_touched)
{
    size_t kept = 0;
    for (size_t n = 0; n < c->pair_count; n++) {
        const pair p = c->pairs[n];
        const body *a = &s->bodies[p.i], *b = &s->bodies[p.j];
        if (a->cluster == b->cluster || a->listed > p.listed || b->listed > p.listed) continue;
        c->pairs[kept++] = p;
        if (only_touched && !((s->touched[a->cluster] | s->touched[b->cluster]) & TOUCHED_OFFSET)) continue;
        double r[DIM], reach = a->radius + b->radius;
        const double *from = s->motions[b->cluster].offset, *to = s->motions[a->cluster].offset;
        for (int k = 0; k < DIM; k++) r[k] = (a->x[k] + to[k]) - (b->x[k] + from[k]);
        nearest_image(s, r);
        if (inner(r, r) < reach * reach && !(only_touched && links_has(s, p.i, p.j))) keep_contact(c, p.i, p.j);
    }
    c->pair_count = kept;
}

void watch_scan(steps *s, bool only_touched)
{
    size_t pairs = 0;
    for (int t = 0; t < s->threads; t++) pairs += s->crews[t].pair_count;
#pragma omp parallel for schedule(static, 1) num_threads(s->threads) if (pairs > FEW)
    for (int t = 0; t < s->threads; t++) scan(s, &s->crews[t], only_touched);
}

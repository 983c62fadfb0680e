/* Pairs that may touch.
 *
 * A particle is *listed*: all foreign particles that it could touch before either of the two is listed again go to the
 * list of pairs, which each step goes through. A cluster's members are listed anew when it has flown the margin (of
 * their own they may have drifted by the slop, as others push); so the pair listed last is always known. Cells hold
 * particles as of when they were listed. */
#include "aggregation/kernel/steps/steps.h"

#include "base/memory.h"
#include "base/threads.h"

/* A cluster of more members looks around as a whole. */
enum { BIG = 16 };

/* ---- making ------------------------------------------------------------------------------------------------------ */

static carom_status watch_create(steps *s, error *e)
{
    const double part = 0.2; /* of the mean distance: by measurement */
    watch *w = &s->watch;
    double volume = 1;
    for (int k = 0; k < DIM; k++) volume *= s->size[k];
    w->margin = part * pow(volume / s->count, 1.0 / DIM);
    w->slop = 0.01 * w->margin;
    TRY(bins_create(s, e));
    w->drift = NEW_ARRAY(s->count, float);
    w->due = NEW_ARRAY(s->count, uint32_t);
    w->big = NEW_ARRAY(s->count / BIG + 1, uint32_t);
    if (!w->drift || !w->due || !w->big) return error_memory(e, "neighbours", 8 * (size_t)s->count);
    for (uint32_t n = 0; n < s->count; n++) s->motions[n].used = (double)INFINITY;
    return CAROM_OK;
}

static void watch_destroy(steps *s)
{
    watch *w = &s->watch;
    bins_destroy(s);
    memory_free(w->drift);
    memory_free(w->due);
    memory_free(w->big);
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

/* Which others a query is about: all, all of other clusters, or those of one (a slot). */
enum { ABOUT_ALL = -2, ABOUT_FOREIGN = -1 };

static inline bool is_about(int64_t about, uint32_t own, uint32_t other)
{
    return about == ABOUT_ALL || (about == ABOUT_FOREIGN ? other != own : other == about);
}

/* Adds to crew.near the particles of this cell that are nearer to i than contact and `extra`. */
static size_t look_into(const steps *s, crew *c, size_t count, uint32_t i, const double r[DIM], size_t bin,
                        double extra, int64_t about)
{
    const body *b = &s->bodies[i];
    for (uint32_t j = s->watch.first[bin]; j != NOBODY; j = s->watch.next[j]) {
        const body *o = &s->bodies[j];
        if (j == i || !is_about(about, b->cluster, o->cluster)) continue;
        double apart[DIM], reach = b->radius + o->radius + extra;
        const double *offset = s->motions[o->cluster].offset;
        for (int k = 0; k < DIM; k++) apart[k] = r[k] - (o->x[k] + offset[k]);
        nearest_image(s, apart);
        if (inner(apart, apart) < reach * reach && keep_near(c, count, j)) count++;
    }
    return count;
}

/* How far particles may have come from where their cells were told. */
static double staleness(const watch *w)
{
    return w->margin + w->slop;
}

static size_t look_around(const steps *s, crew *c, uint32_t i, double extra, int64_t about)
{
    double r[DIM];
    position_of(s, i, r);
    size_t count = 0, bin;
    for (int n = 0; n < s->watch.level_count; n++) {
        const level *l = &s->watch.levels[n];
        bin_walk w = bins_around(s, l, r, s->bodies[i].radius + l->radius + extra + staleness(&s->watch));
        while (bins_step(&w, &bin)) count = look_into(s, c, count, i, r, bin, extra, about);
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

/* Others that may be touched before either is listed again. */
static double horizon(const watch *w)
{
    return 2 * (w->margin + w->slop);
}

/* Of two that are listed at once the one of the cluster with the smaller slot keeps the pair. */
static bool keeps(const steps *s, uint32_t i, uint32_t j)
{
    const body *a = &s->bodies[i], *b = &s->bodies[j];
    return b->listed != s->watch.listings || a->cluster < b->cluster;
}

static void list_pairs(const steps *s, crew *c, uint32_t i)
{
    size_t count = look_around(s, c, i, horizon(&s->watch), ABOUT_FOREIGN);
    for (size_t n = 0; n < count; n++)
        if (keeps(s, i, c->near[n])) keep_pair(c, i, c->near[n], s->watch.listings);
}

/* Across a cell, corner to corner. */
static double diagonal(const level *l)
{
    double square = 0;
    for (int k = 0; k < DIM; k++) square += 1 / (l->per_length[k] * l->per_length[k]);
    return sqrt(square);
}

/* Those of other clusters that are in the cells around one of its members' cells go to watch.due. */
static void find_strangers(steps *s, uint32_t slot, uint32_t i)
{
    watch *w = &s->watch;
    const level *own = bins_level(s, i);
    double r[DIM];
    size_t bin;
    position_of(s, i, r);
    for (int n = 0; n < w->level_count; n++) {
        const level *l = &w->levels[n];
        /* a whole cell more: this member stands for all in its cell */
        double reach = own->radius + diagonal(own) + l->radius + horizon(w) + staleness(w);
        bin_walk walk = bins_around(s, l, r, reach);
        while (bins_step(&walk, &bin)) {
            if (w->seen[bin] == w->pass) continue;
            w->seen[bin] = w->pass;
            for (uint32_t j = w->first[bin]; j != NOBODY; j = w->next[j])
                if (s->bodies[j].cluster != slot) w->due[w->due_count++] = j;
        }
    }
}

/* Lists a big cluster's members: it is enough to look around the few others that are near. */
static void list_big(steps *s, uint32_t slot)
{
    watch *w = &s->watch;
    w->due_count = 0;
    w->pass++;
    for (uint32_t i = s->clusters[slot].first; i != NOBODY; i = s->next[i]) {
        uint32_t *looked = &w->looked[w->bin[i]];
        if (*looked == w->pass) continue;
        *looked = w->pass;
        find_strangers(s, slot, i);
    }
#pragma omp parallel for schedule(static) num_threads(s->threads) if (w->due_count > FEW / 10)
    for (size_t n = 0; n < w->due_count; n++) {
        crew *c = &s->crews[threads_here()];
        uint32_t j = w->due[n];
        size_t count = look_around(s, c, j, horizon(w), slot);
        for (size_t m = 0; m < count; m++)
            if (keeps(s, c->near[m], j)) keep_pair(c, c->near[m], j, w->listings);
    }
    w->due_count = 0;
}

static void enter(steps *s, uint32_t i)
{
    bins_put(s, i);
    s->bodies[i].listed = s->watch.listings;
}

static void settle(steps *s, uint32_t i)
{
    enter(s, i);
    s->watch.drift[i] = 0;
    s->events[EVENT_TRANSFER]++;
}

static void list_due(steps *s)
{
    watch *w = &s->watch;
#pragma omp parallel for schedule(static) num_threads(s->threads) if (w->due_count > FEW / 10)
    for (size_t n = 0; n < w->due_count; n++) list_pairs(s, &s->crews[threads_here()], w->due[n]);
    w->due_count = 0;
}

/* Members that have entered: those of a big cluster as a whole. */
static void list_entered(steps *s, size_t big_count)
{
    if (s->watch.due_count > 0) list_due(s);
    for (size_t n = 0; n < big_count; n++) list_big(s, s->watch.big[n]);
}

/* Enters the members of all clusters that are due, or of all. The count of big ones. */
static size_t enter_due(steps *s, bool all)
{
    watch *w = &s->watch;
    size_t big_count = 0;
    w->due_count = 0;
    w->listings++;
    for (uint32_t n = 0; n < s->live_count; n++) {
        const uint32_t slot = s->live[n];
        const bool big = s->clusters[slot].size > BIG;
        if (!all && s->motions[slot].used <= w->margin) continue;
        if (!all) s->motions[slot].used = 0;
        if (big) w->big[big_count++] = slot;
        for (uint32_t i = s->clusters[slot].first; i != NOBODY; i = s->next[i]) {
            if (all)
                enter(s, i);
            else
                settle(s, i);
            if (!big) w->due[w->due_count++] = i;
        }
    }
    return big_count;
}

static void watch_renew(steps *s)
{
    list_entered(s, enter_due(s, false));
}

/* The ways flown stay, so that the next listings come, and are counted, when they would have come. */
static void watch_restore(steps *s)
{
    for (int t = 0; t < s->threads; t++) s->crews[t].pair_count = 0;
    list_entered(s, enter_due(s, true));
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/* Overlaps with its own cluster count beyond the tolerance: neighbours in contact overlap by that much. */
static void find_overlaps(const steps *s, crew *c, uint32_t i)
{
    size_t count = look_around(s, c, i, 0, ABOUT_ALL);
    for (size_t n = 0; n < count; n++) {
        uint32_t j = c->near[n];
        double r[DIM], least = contact_distance(s, i, j) * (1 - s->settings->tolerance);
        between(s, i, j, r);
        if (s->bodies[i].cluster == s->bodies[j].cluster && inner(r, r) >= least * least) continue;
        if (!links_has(s, i, j)) keep_contact(c, i, j);
    }
}

static void watch_moved(steps *s)
{
    watch *w = &s->watch;
    w->due_count = 0;
    w->listings++;
    for (int t = 0; t < s->threads; t++)
        for (size_t n = 0; n < s->crews[t].moved_count; n++) {
            uint32_t i = s->crews[t].moved[n];
            if ((double)w->drift[i] <= w->slop) continue;
            settle(s, i);
            w->due[w->due_count++] = i;
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

static void watch_scan(steps *s, bool only_touched)
{
    size_t pairs = 0;
    for (int t = 0; t < s->threads; t++) pairs += s->crews[t].pair_count;
#pragma omp parallel for schedule(static, 1) num_threads(s->threads) if (pairs > FEW)
    for (int t = 0; t < s->threads; t++) scan(s, &s->crews[t], only_touched);
}

/* The neighbour list: pairs that may touch.
 *
 * When a particle is *listed*, the list of pairs gets all particles of other clusters that it could touch before either
 * of the two is listed again. Each step checks this list. The members of a cluster are listed again when it has moved
 * by the margin (or solvers have moved a member by the drift limit). Of two entries of a pair the later one is valid.
 * Cells contain particles at their positions when they were listed. */
#include "aggregation/kernel/steps/feature.h"

#include "base/memory.h"
#include "base/threads.h"
#include "engine/sound.h"

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static carom_status pair_list_create(steps *s, error *e)
{
    pair_list *w = &s->pair_list;
    double volume = 1;
    for (int k = 0; k < DIM; k++) volume *= s->size[k];
    w->margin = MARGIN_SHARE * pow(volume / s->count, 1.0 / DIM);
    w->drift_limit = DRIFT_SHARE * w->margin;
    TRY(bins_create(s, e));
    w->drift = NEW_ARRAY(s->count, float);
    w->due = NEW_ARRAY(s->count, uint32_t);
    w->large = NEW_ARRAY(s->count / LARGE_CLUSTER + 1, uint32_t);
    if (!w->drift || !w->due || !w->large) return error_memory(e, "neighbours", 8 * (size_t)s->count);
    for (uint32_t n = 0; n < s->count; n++) s->motions[n].used = (double)INFINITY;
    return CAROM_OK;
}

static void pair_list_destroy(steps *s)
{
    pair_list *w = &s->pair_list;
    bins_destroy(s);
    memory_free(w->drift);
    memory_free(w->due);
    memory_free(w->large);
}

/* ---- queries ----------------------------------------------------------------------------------------------------- */

static bool append_near(thread_buffers *c, size_t count, uint32_t j)
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

/* The scope of a query: all particles, all of other clusters, or those of one cluster (a slot). */
enum { QUERY_ALL = -2, QUERY_FOREIGN = -1 };

static inline bool is_queried(int64_t scope, uint32_t own, uint32_t other)
{
    return scope == QUERY_ALL || (scope == QUERY_FOREIGN ? other != own : other == scope);
}

/* Appends to `near` the particles of a cell whose gap to i is below `extra`. */
static size_t query_cell(const steps *s, thread_buffers *c, size_t count, uint32_t i, const double r[DIM], size_t bin,
                         double extra, int64_t scope)
{
    const particle *b = &s->particles[i];
    for (uint32_t j = s->pair_list.first[bin]; j != NONE; j = s->pair_list.next[j]) {
        const particle *o = &s->particles[j];
        if (j == i || !is_queried(scope, b->cluster, o->cluster)) continue;
        double apart[DIM], reach = b->radius + o->radius + extra;
        const double *offset = s->motions[o->cluster].offset;
        for (int k = 0; k < DIM; k++) apart[k] = r[k] - (o->x[k] + offset[k]);
        nearest_image(s, apart);
        if (dot(apart, apart) < reach * reach && append_near(c, count, j)) count++;
    }
    return count;
}

/* The largest distance of particles from the positions at which they were put into cells. */
static double staleness(const pair_list *w)
{
    return w->margin + w->drift_limit;
}

static size_t query(const steps *s, thread_buffers *c, uint32_t i, double extra, int64_t scope)
{
    double r[DIM];
    position_of(s, i, r);
    size_t count = 0, bin;
    for (int n = 0; n < s->pair_list.level_count; n++) {
        const level *l = &s->pair_list.levels[n];
        bin_walk w = bins_around(s, l, r, s->particles[i].radius + l->radius + extra + staleness(&s->pair_list));
        while (bins_step(&w, &bin)) count = query_cell(s, c, count, i, r, bin, extra, scope);
    }
    return count;
}

/* ---- listing ----------------------------------------------------------------------------------------------------- */

static void append_pair(thread_buffers *c, uint32_t i, uint32_t j, uint32_t listed)
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

static void append_contact(thread_buffers *c, uint32_t i, uint32_t j)
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

/* Particles that this particle may touch before either is listed again. */
static double horizon(const pair_list *w)
{
    return 2 * (w->margin + w->drift_limit);
}

/* If two particles are listed at once, the one in the cluster with the smaller slot keeps the pair. */
static bool keeps(const steps *s, uint32_t i, uint32_t j)
{
    const particle *a = &s->particles[i], *b = &s->particles[j];
    return b->listed != s->pair_list.listings || a->cluster < b->cluster;
}

static void list_pairs(const steps *s, thread_buffers *c, uint32_t i)
{
    size_t count = query(s, c, i, horizon(&s->pair_list), QUERY_FOREIGN);
    for (size_t n = 0; n < count; n++)
        if (keeps(s, i, c->near[n])) append_pair(c, i, c->near[n], s->pair_list.listings);
}

/* The diagonal of a cell. */
static double diagonal(const level *l)
{
    double square = 0;
    for (int k = 0; k < DIM; k++) square += 1 / (l->per_length[k] * l->per_length[k]);
    return sqrt(square);
}

/* Adds to `due` the particles of other clusters in the cells around a member's cell. */
static void find_foreign(steps *s, uint32_t slot, uint32_t i)
{
    pair_list *w = &s->pair_list;
    const level *own = bins_level(s, i);
    double r[DIM];
    size_t bin;
    position_of(s, i, r);
    for (int n = 0; n < w->level_count; n++) {
        const level *l = &w->levels[n];
        /* one more cell: this member represents all members in its cell */
        double reach = own->radius + diagonal(own) + l->radius + horizon(w) + staleness(w);
        bin_walk walk = bins_around(s, l, r, reach);
        while (bins_step(&walk, &bin)) {
            if (w->listed_in_pass[bin] == w->pass) continue;
            w->listed_in_pass[bin] = w->pass;
            for (uint32_t j = w->first[bin]; j != NONE; j = w->next[j])
                if (s->particles[j].cluster != slot) w->due[w->due_count++] = j;
        }
    }
}

/* Lists the members of a large cluster by queries around the few other particles that are near. */
static void list_large(steps *s, uint32_t slot)
{
    pair_list *w = &s->pair_list;
    w->due_count = 0;
    w->pass++;
    for (uint32_t i = s->clusters[slot].first; i != NONE; i = s->next[i]) {
        uint32_t *queried_in_pass = &w->queried_in_pass[w->bin[i]];
        if (*queried_in_pass == w->pass) continue;
        *queried_in_pass = w->pass;
        find_foreign(s, slot, i);
    }
#pragma omp parallel for schedule(static) num_threads(s->threads) if (w->due_count > PARALLEL_QUERIES)
    for (size_t n = 0; n < w->due_count; n++) {
        thread_buffers *c = &s->buffers[threads_here()];
        uint32_t j = w->due[n];
        size_t count = query(s, c, j, horizon(w), slot);
        for (size_t m = 0; m < count; m++)
            if (keeps(s, c->near[m], j)) append_pair(c, c->near[m], j, w->listings);
    }
    w->due_count = 0;
}

static void put_in_cell(steps *s, uint32_t i)
{
    bins_put(s, i);
    s->particles[i].listed = s->pair_list.listings;
}

static void relist(steps *s, uint32_t i)
{
    put_in_cell(s, i);
    s->pair_list.drift[i] = 0;
    s->events[EVENT_TRANSFER]++;
}

static void list_due(steps *s)
{
    pair_list *w = &s->pair_list;
#pragma omp parallel for schedule(static) num_threads(s->threads) if (w->due_count > PARALLEL_QUERIES)
    for (size_t n = 0; n < w->due_count; n++) list_pairs(s, &s->buffers[threads_here()], w->due[n]);
    w->due_count = 0;
}

/* Lists the members in cells: those of a large cluster together. */
static void list_entered(steps *s, size_t large_count)
{
    if (s->pair_list.due_count > 0) list_due(s);
    for (size_t n = 0; n < large_count; n++) list_large(s, s->pair_list.large[n]);
}

/* Enters the members of all due clusters, or of all clusters. Returns the number of large ones. */
static size_t enter_due(steps *s, bool all)
{
    pair_list *w = &s->pair_list;
    size_t large_count = 0;
    w->due_count = 0;
    w->listings++;
    for (uint32_t n = 0; n < s->live_count; n++) {
        const uint32_t slot = s->live[n];
        const bool large = s->clusters[slot].size > LARGE_CLUSTER;
        if (!all && s->motions[slot].used <= w->margin) continue;
        if (!all) s->motions[slot].used = 0;
        if (large) w->large[large_count++] = slot;
        for (uint32_t i = s->clusters[slot].first; i != NONE; i = s->next[i]) {
            if (all)
                put_in_cell(s, i);
            else
                relist(s, i);
            if (!large) w->due[w->due_count++] = i;
        }
    }
    return large_count;
}

static void pair_list_renew(steps *s)
{
    list_entered(s, enter_due(s, false));
}

/* The path lengths are saved, so that the next listings occur, and are counted, at the same steps as without the
 * checkpoint. */
static carom_status pair_list_load(steps *s, const snapshot *in, error *e)
{
    (void)in;
    (void)e;
    for (int t = 0; t < s->threads; t++) s->buffers[t].pair_count = 0;
    list_entered(s, enter_due(s, true));
    return CAROM_OK;
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/* An overlap within its own cluster counts if it exceeds the tolerance: neighbours in contact overlap by up to the
 * tolerance. */
static void find_overlaps(const steps *s, thread_buffers *c, uint32_t i)
{
    size_t count = query(s, c, i, 0, QUERY_ALL);
    for (size_t n = 0; n < count; n++) {
        uint32_t j = c->near[n];
        double r[DIM], least = contact_distance(s, i, j) * (1 - s->settings->tolerance);
        between(s, i, j, r);
        if (s->particles[i].cluster == s->particles[j].cluster && dot(r, r) >= least * least) continue;
        if (!links_has(s, i, j)) append_contact(c, i, j);
    }
}

static void pair_list_moved(steps *s)
{
    pair_list *w = &s->pair_list;
    w->due_count = 0;
    w->listings++;
    for (int t = 0; t < s->threads; t++)
        for (size_t n = 0; n < s->buffers[t].moved_count; n++) {
            uint32_t i = s->buffers[t].moved[n];
            if ((double)w->drift[i] <= w->drift_limit) continue;
            relist(s, i);
            w->due[w->due_count++] = i;
        }
    if (w->due_count > 0) list_due(s);
    for (int t = 0; t < s->threads; t++) {
        const thread_buffers *from = &s->buffers[t];
#pragma omp parallel for schedule(static) num_threads(s->threads) if (from->moved_count > PARALLEL_QUERIES)
        for (size_t n = 0; n < from->moved_count; n++) find_overlaps(s, &s->buffers[threads_here()], from->moved[n]);
    }
    for (int t = 0; t < s->threads; t++) s->buffers[t].moved_count = 0;
}

static void scan(const steps *s, thread_buffers *c, bool only_touched)
{
    size_t kept = 0;
    for (size_t n = 0; n < c->pair_count; n++) {
        const pair p = c->pairs[n];
        const particle *a = &s->particles[p.i], *b = &s->particles[p.j];
        if (a->cluster == b->cluster || a->listed > p.listed || b->listed > p.listed) continue;
        c->pairs[kept++] = p;
        if (only_touched && !((s->touched[a->cluster] | s->touched[b->cluster]) & TOUCHED_OFFSET)) continue;
        double r[DIM], reach = a->radius + b->radius;
        const double *from = s->motions[b->cluster].offset, *to = s->motions[a->cluster].offset;
        for (int k = 0; k < DIM; k++) r[k] = (a->x[k] + to[k]) - (b->x[k] + from[k]);
        nearest_image(s, r);
        if (dot(r, r) < reach * reach && !(only_touched && links_has(s, p.i, p.j))) append_contact(c, p.i, p.j);
    }
    c->pair_count = kept;
}

static void pair_list_scan(steps *s, bool only_touched)
{
    size_t pairs = 0;
    for (int t = 0; t < s->threads; t++) pairs += s->buffers[t].pair_count;
#pragma omp parallel for schedule(static, 1) num_threads(s->threads) if (pairs > PARALLEL_FROM)
    for (int t = 0; t < s->threads; t++) scan(s, &s->buffers[t], only_touched);
}

/* ---- the feature ------------------------------------------------------------------------------------------------- */

static size_t pair_list_memory(size_t particles)
{
    return particles * (5 * sizeof(uint32_t) + 3 * sizeof(pair));
}

static int pair_list_parts(steps *s, snapshot_part parts[FEATURE_PARTS])
{
    parts[0] = (snapshot_part){"engine/drift", s->pair_list.drift, sizeof *s->pair_list.drift * s->count};
    return 1;
}

static carom_status pair_list_check(const steps *s, error *e)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (!(s->pair_list.drift[i] >= 0)) return sound_not("engine/drift", e);
    return CAROM_OK;
}

static const steps_feature pair_list_feature = {.name = "pair list",
                                                .memory = pair_list_memory,
                                                .create = pair_list_create,
                                                .destroy = pair_list_destroy,
                                                .parts = pair_list_parts,
                                                .check = pair_list_check,
                                                .load = pair_list_load};

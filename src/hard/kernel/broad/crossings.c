/* Storage of crossings: blocks of entries for each period. */
#include "hard/kernel/broad/crossings.h"
#include "hard/kernel/broad/rows.h"

#include "base/memory.h"

static carom_status crossings_create(crossings *c, uint32_t count, error *e)
{
    c->spare = CROSSING_PERIODS + count / BLOCK_IDS + 1;
    c->block_count = 2 * c->spare + count / BLOCK_IDS;
    c->block = NEW_ARRAY(c->block_count, crossing_block);
    if (c->block == NULL) return error_memory(e, "crossings of cells", c->block_count * sizeof *c->block);
    for (uint32_t k = 0; k < BLOCK_IDS; k++) c->block[0].id[k] = NONE;
    return CAROM_OK;
}

static void crossings_destroy(crossings *c)
{
    memory_free(c->block);
}

static void empty(crossings *c)
{
    memset(c->occupied, 0, sizeof c->occupied);
    memset(c->last, 0, sizeof c->last);
    c->due = REAL_NEVER;
    c->free_block = 0;
    c->used_blocks = 1;
    c->free_count = c->block_count - 1;
}

/* The present period and those before it have been done. */
static void do_until(crossings *c, real now)
{
    const int64_t k = crossings_period(c, now);
    c->done = k + 1 - (k > 0 && period_begin(c, k) > now) + (period_begin(c, k + 1) <= now);
    c->done_begin = period_begin(c, c->done);
}

static void crossings_clear(crossings *c, real start, real period, real now)
{
    c->start = start;
    c->period = period;
    c->per_period = 1 / period;
    do_until(c, now);
    empty(c);
}

static inline uint32_t new_block(crossings *c)
{
    const uint32_t n = c->free_block;
    c->free_count--;
    if (n == 0) return c->used_blocks++;
    c->free_block = c->block[n].next;
    return n;
}

static inline void append_crossing(gas *g, crossings *c, uint32_t i, uint32_t k)
{
    if (c->last[k] == 0 || c->used[k] == BLOCK_IDS) {
        const uint32_t n = new_block(c);
        c->block[n].next = c->last[k];
        c->last[k] = n;
        c->used[k] = 0;
        c->occupied[k / 64] |= 1ull << k % 64;
    }
    const uint32_t slot = c->used[k]++;
    c->block[c->last[k]].id[slot] = i;
    g->plan[i].entry = c->last[k] * (BLOCK_IDS + 1) + slot;
}

static void insert(gas *g, crossings *c, uint32_t i, int64_t wanted)
{
    if (g->now >= c->done_begin) do_until(c, g->now);
    const int64_t last = c->done + CROSSING_PERIODS - 1, later_one = wanted > c->done ? wanted : c->done;
    const int64_t period = later_one < last ? later_one : last;
    append_crossing(g, c, i, (uint32_t)(period % CROSSING_PERIODS));
    const real begin = period_begin(c, period);
    c->due = begin < c->due ? begin : c->due;
}

/* Renews all entries: removed ones have used up the blocks. */
static __attribute__((noinline)) void compact(gas *g, crossings *c)
{
    empty(c);
    for (uint32_t i = 0; i < g->count; i++)
        if (g->plan[i].entry != 0) insert(g, c, i, crossings_period(c, g->plan[i].crossing));
}

static void crossings_put(gas *g, crossings *c, uint32_t i)
{
    const plan *p = &g->plan[i];
    const int64_t wanted = crossings_period(c, p->crossing);
    if (!(p->crossing < REAL_NEVER) || period_begin(c, wanted) > p->first.time) return;
    insert(g, c, i, wanted);
}

static void crossings_spare(gas *g, crossings *c)
{
    if (c->free_count < c->spare) compact(g, c);
}

static void crossings_remove(crossings *c, plan *p)
{
    c->block[p->entry / (BLOCK_IDS + 1)].id[p->entry % (BLOCK_IDS + 1)] = NONE; /* without an entry: in block 0 */
    p->entry = 0;
}

/* Number of the first period with crossings from c->done on. */
static int64_t first_occupied(const crossings *c)
{
    const uint32_t from = (uint32_t)(c->done % CROSSING_PERIODS);
    for (uint32_t n = 0; n <= CROSSING_PERIODS / 64; n++) {
        const uint32_t word = (from / 64 + n) % (CROSSING_PERIODS / 64);
        uint64_t bits = c->occupied[word];
        if (n == 0) bits &= ~0ull << from % 64;
        if (bits == 0) continue;
        const uint32_t k = word * 64 + (uint32_t)__builtin_ctzll(bits);
        return c->done + (k + CROSSING_PERIODS - from) % CROSSING_PERIODS;
    }
    return -1;
}

static void find_due(crossings *c)
{
    const int64_t next = first_occupied(c);
    c->due = next < 0 ? REAL_NEVER : period_begin(c, next);
}

static uint32_t crossings_take(crossings *c, real *end)
{
    const int64_t period = first_occupied(c);
    const uint32_t k = (uint32_t)(period % CROSSING_PERIODS), first = c->last[k];
    for (uint32_t n = c->used[k]; n < BLOCK_IDS; n++) c->block[first].id[n] = NONE;
    c->last[k] = 0;
    c->occupied[k / 64] &= ~(1ull << k % 64);
    c->done = period + 1;
    *end = c->done_begin = period_begin(c, c->done);
    find_due(c);
    return first;
}

static void crossings_rewind(crossings *c, real now)
{
    do_until(c, now);
    find_due(c);
}

static uint32_t crossings_soon(const crossings *c)
{
    const int64_t next = first_occupied(c);
    return next < 0 ? 0 : c->last[next % CROSSING_PERIODS];
}

static void crossings_free(crossings *c, uint32_t n)
{
    c->block[n].next = c->free_block;
    c->free_block = n;
    c->free_count++;
}

/* The coming crossings of cells, by periods of time.
 *
 * A crossing of a body from one cell to the next is no event of the queue: crossings of one period are made together at
 * its start. In between a body is outside its cell by the flight of one period at most, which the width of the cells
 * permits. Each body has one entry at most. */
#ifndef CAROM_HARD_KERNEL_CROSSINGS_H
#define CAROM_HARD_KERNEL_CROSSINGS_H

#include "hard/kernel/broad/rows.h"

enum { BLOCK_IDS = 15 };
typedef struct crossing_block {
    alignas(64) uint32_t id[BLOCK_IDS]; /* of bodies; NONE: removed */
    uint32_t next;
} crossing_block;

typedef struct crossings {
    real start, period, per_period; /* period k begins at local time start + k * period */
    real due;                       /* beginning of the first period with crossings; REAL_NEVER: none */
    int64_t done;                   /* number of the first period that has not been done: later than the present one */
    real done_begin;                /* its beginning */
    uint64_t occupied[CROSSING_PERIODS / 64];
    uint32_t last[CROSSING_PERIODS]; /* the last block of a period */
    uint8_t used[CROSSING_PERIODS];  /* and its entries */
    crossing_block *block;
    uint32_t block_count, used_blocks; /* the blocks from used_blocks on have not been used */
    uint32_t free_block, free_count;   /* list of those in between that are free; number of all free blocks */
    uint32_t spare;                    /* blocks for the crossings of one period */
} crossings;

static carom_status crossings_create(crossings *c, uint32_t count, error *e);
static void crossings_destroy(crossings *c);

/* Local time at which period k begins. */
static inline real period_begin(const crossings *c, int64_t k)
{
    return c->start + (real)k * c->period;
}

/* Number of the period of a local time, or by rounding of the one before or after. */
static inline int64_t crossings_period(const crossings *c, real t)
{
    const real x = (t - c->start) * c->per_period, most = (real)0x1p60;
    return (int64_t)(x > 0 ? x < most ? x : most : 0);
}

/* Removes all crossings; plan.entry is to be cleared. Period 0 begins at local time `start`. */
static void crossings_clear(crossings *c, real start, real period, real now);

/* Inserts the crossing of i, which has none, at the time plan.crossing, unless the first planned event is before its
 * period. A crossing in the present period is made at the start of the next one; one far away is inserted at the last
 * period, to be inserted again. */
static void crossings_put(gas *g, crossings *c, uint32_t i);
static void crossings_remove(crossings *c, plan *p);

/* Makes room for as many crossings as there are bodies. Before each change of a plan; not while crossings are made. */
static void crossings_spare(gas *g, crossings *c);

/* Takes the blocks of the period that is due, and finds its end. Returns the first block; they are linked by `next`, and
 * 0 ends: block 0 is empty. */
static uint32_t crossings_take(crossings *c, real *end);
static uint32_t crossings_soon(const crossings *c); /* a block of the first period with crossings, or 0 */
static void crossings_free(crossings *c, uint32_t n);

/* Returns to the earlier local time `now`. Entries that were inserted after it may be due too early, which has no effect;
 * bodies that have crossed since are to be inserted again. */
static void crossings_rewind(crossings *c, real now);

#endif

/* Neighbour lists: their data. */
#ifndef CAROM_HARD_KERNEL_ROWS_H
#define CAROM_HARD_KERNEL_ROWS_H

#include "hard/kernel/gas.h"
#include "hard/kernel/narrow/lanes.h"

#define NONE 0xffffffffu /* no block, no large body, no body */
enum { MOST_NEIGHBORS = 1 << 20, MOST_LEVELS = 24 };
enum { ROW_UNIT = 32, ROW_SPARE = 64, ROW_MOST = 256, LONGER_SPARE = 16 };

/* Some of the bodies of a cell, in one cache line: offsets of their list origins from its corner, in steps of 2^-16 of its
 * largest width. An origin outside of the grid, which is possible along an axis that is not periodic, counts as the nearest
 * point of the grid: then distances can only be too small. */
enum { SLOTS = 6, MOST_STEPS = (1 << 16) - 1 };
typedef struct block {
    alignas(64) uint32_t id[SLOTS]; /* NONE: empty */
    uint16_t from[3][SLOTS];        /* [DIM]; a vector of eight offsets ends within the block */
    uint32_t next;                  /* next block of the cell */
} block;

/* Grid of bodies of about one size: radii from `largest` down to half of it. */
typedef struct level {
    size_t first; /* index of its first cell in `head` */
    uint32_t count, cells[DIM];
    real width[DIM], per_length[DIM];
    real step, per_step; /* unit of offsets, the same for all axes, and its inverse */
    real largest;        /* radius at the end of a growth */
} level;

/* A body with thousands of neighbours. It stores a lower bound of the contact time for each neighbour, which holds
 * while its velocity is near `velocity`, whatever its other collisions (large_bodies.c). */
typedef struct large_body {
    uint32_t body, room, leaves; /* leaves: a power of two */
    uint32_t *row, *done;        /* [room]; done: scratch */
    real *due;                   /* [2 * leaves]: a tree of minima; leaf k, for row[k], is due[leaves + k] */
    real velocity[DIM], since;   /* stored velocity, at this local time, under gravity */
    real deviation;              /* permitted difference of the velocity from it */
} large_body;

/* Storage of the lists. A list of at most `capacity` bodies is a row of `stride` bytes: the low 16 bits of the indices,
 * then their other bits. The row of a longer list contains its number in `longer`. */
typedef struct row_store {
    uint8_t *bytes;       /* [count][stride], and ROW_SPARE that a read of whole batches may reach */
    uint32_t stride;      /* a multiple of ROW_UNIT */
    uint32_t index_bytes; /* 2, 3 or 4, depending on the number of bodies */
    uint32_t capacity;
    uint32_t *longer; /* [long_room][long_capacity] */
    uint32_t long_room, long_capacity, long_count;
    uint32_t free_longer; /* first unused list, whose first element is the next one; NONE: none */
    uint32_t *copy;       /* scratch: one list */
} row_store;

/* A list in memory of its own. */
typedef struct list_copy {
    alignas(64) uint32_t body[ROW_MOST + PADDING];
} list_copy;

typedef struct neighbor_lists {
    row_store rows;
    real skin;    /* a list contains all j with |list_origin_i - list_origin_j| < contact distance + skin + slack */
    real slack;   /* for the gap of bodies that count as touching, and for rounding */
    real coarse;  /* for the rounding of offsets in a cell */
    real largest; /* contact distance at the end of a growth */
    level level[MOST_LEVELS]; /* from the largest bodies down */
    int level_count;
    uint8_t *level_of_kind; /* [kind] */
    size_t cell_total, cell_room;
    real low[DIM], length[DIM];
    real first[DIM]; /* coverage (extent.h) */
    bool ring[DIM];
    bool bounded;   /* bodies may be outside of the grid along some axis */
    bool open;      /* many may */
    uint32_t *head; /* first block of each cell */
    block *block;
    uint32_t block_count, block_room;
    uint32_t *found, found_count, found_room; /* scratch */
    large_body *large;                        /* [large_room], the first large_count in use */
    uint32_t large_count, large_room;
    real large_body_from; /* smallest radius of a large body */
    uint32_t *large_of;   /* [count]; NULL where there are no large bodies */
    uint32_t *row_place;  /* [count]: last index in the list of a large body */
    uint8_t *mark;        /* [count]: scratch */
} neighbor_lists;

static inline bool is_large(const neighbor_lists *l, uint32_t i)
{
    return l->large_of != NULL && l->large_of[i] != NONE;
}

static inline uint8_t *row_of(const row_store *s, uint32_t i)
{
    return s->bytes + (size_t)i * s->stride;
}

static inline uint32_t *longer_list(const row_store *s, uint32_t i)
{
    uint32_t n;
    memcpy(&n, row_of(s, i), sizeof n);
    return s->longer + (size_t)n * s->long_capacity;
}

/* Copies the list of i from its row and pads it with i. */
static inline void row_read(const row_store *s, uint32_t i, uint32_t length, uint32_t *to)
{
    _Static_assert(PADDING * sizeof *to == sizeof(indices), "a batch of a list is a vector");
    const uint8_t *low = row_of(s, i), *high = low + 2 * (size_t)s->capacity;
    const indices owner = i - (indices){0};
    for (uint32_t from = 0; from < length; from += PADDING) {
        indices all = indices_of_halves(low + 2 * from);
        if (s->index_bytes == 3)
            all |= indices_of_bytes(high + from) << 16;
        else if (s->index_bytes == 4)
            all |= indices_of_halves(high + 2 * from) << 16;
        memcpy(to + from, &all, sizeof all);
    }
    memcpy(to + length, &owner, sizeof owner);
}

/* The list of i, plan.length bodies, padded with i to a multiple of PADDING: in `room` or in the store. It is valid
 * until a list changes. */
static inline const uint32_t *lists_row(const gas *g, uint32_t i, list_copy *room)
{
    const neighbor_lists *l = g->lists;
    const uint32_t length = g->plan[i].length;
    if (is_large(l, i)) return l->large[l->large_of[i]].row;
    if (length > l->rows.capacity) return longer_list(&l->rows, i);
    row_read(&l->rows, i, length, room->body);
    return room->body;
}

/* Prefetches the list of i; the bodies in it. */
static inline __attribute__((always_inline)) void lists_prefetch_row(const gas *g, uint32_t i)
{
    const row_store *s = &g->lists->rows;
    const uint8_t *row = row_of(s, i);
    __builtin_prefetch(row);
    if (s->stride > 64) __builtin_prefetch(row + 64);
}

static inline void lists_prefetch_bodies(const gas *g, uint32_t i)
{
    if (is_large(g->lists, i)) return;
    list_copy room;
    const uint32_t *list = lists_row(g, i, &room);
    for (uint32_t k = 0; k < g->plan[i].length; k++) __builtin_prefetch(&g->body[list[k]]);
}

/* Makes empty rows for `capacity` bodies or a few more. */
static carom_status rows_create(gas *g, uint32_t capacity, error *e);
static void rows_destroy(row_store *s);

/* Empties all rows. */
static void rows_clear(gas *g);

/* Adds j to the row of i; removes it; removes all. Not for large bodies. */
static carom_status row_append(gas *g, uint32_t i, uint32_t j, error *e);
static void row_drop(gas *g, uint32_t i, uint32_t j);
static void row_empty(gas *g, uint32_t i);

/* Copies the list of i to `copy`, where it remains while lists change. */
static void row_copy(gas *g, uint32_t i);

#endif

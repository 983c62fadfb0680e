/* Neighbour lists: their data. */
#ifndef CAROM_HARD_KERNEL_ROWS_H
#define CAROM_HARD_KERNEL_ROWS_H

#include "hard/kernel/gas.h"

#define NONE 0xffffffffu /* no block, no large body, no body */
enum { MOST_NEIGHBORS = 1 << 20, MOST_LEVELS = 24 };

/* Some of the bodies of a cell: offsets of their list origins from its corner. */
enum { SLOTS = DIM == 3 ? 7 : 8, FULL_BLOCK = (1 << SLOTS) - 1 };
typedef struct block {
    alignas(64) uint32_t id[SLOTS];
    float from[DIM][SLOTS];
    uint32_t used; /* one bit for each slot */
    uint32_t next; /* next block of the cell */
} block;

/* Grid of bodies of about one size: radii from `largest` down to half of it. */
typedef struct level {
    size_t first; /* index of its first cell in `head` */
    uint32_t count, cells[DIM];
    real width[DIM], per_length[DIM];
    real largest; /* radius at the end of a growth */
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

typedef struct neighbor_lists {
    uint32_t *neighbor; /* [count][capacity], a multiple of 8; padded with the index of the owner */
    uint32_t capacity;
    real skin;    /* a list contains all j with |list_origin_i - list_origin_j| < contact distance + skin + slack */
    real slack;   /* for the gap of bodies that count as touching, and for rounding */
    real coarse;  /* for the rounding of offsets in a cell, which are single-precision numbers */
    real largest; /* contact distance at the end of a growth */
    level level[MOST_LEVELS]; /* from the largest bodies down */
    int level_count;
    uint8_t *level_of_kind; /* [kind] */
    size_t cell_total, cell_room;
    real low[DIM], length[DIM];
    uint32_t *head; /* first block of each cell */
    block *block;
    uint32_t block_count, free_block;
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

/* The list of i: plan.length bodies. */
static inline uint32_t *lists_row(const gas *g, uint32_t i)
{
    const neighbor_lists *l = g->lists;
    return is_large(l, i) ? l->large[l->large_of[i]].row : l->neighbor + (size_t)i * l->capacity;
}

/* Prefetches the list of i; the bodies in it. */
static inline void lists_prefetch_row(const gas *g, uint32_t i)
{
    const uint32_t *row = g->lists->neighbor + (size_t)i * g->lists->capacity;
    __builtin_prefetch(row);
    __builtin_prefetch(row + 16);
}

static inline void lists_prefetch_bodies(const gas *g, uint32_t i)
{
    if (is_large(g->lists, i)) return;
    const uint32_t *row = g->lists->neighbor + (size_t)i * g->lists->capacity;
    for (uint32_t k = 0; k < g->plan[i].length; k++) __builtin_prefetch(&g->body[row[k]]);
}

#endif

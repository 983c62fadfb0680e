/* Where the elements were when their lists were made: for near.c and rods.c. */
#ifndef CAROM_VARIATIONAL_HOMES_H
#define CAROM_VARIATIONAL_HOMES_H

#include "variational/kernel/elements.h"
#include "variational/kernel/near.h"

/* A rod that is entered in a cell. */
typedef struct crossing {
    uint32_t rod, next;
} crossing;

/* One cache line: all that a search looks at. */
typedef struct home {
    double x[DIM], radius;
    uint32_t cell;        /* NOBODY: not at home anywhere yet */
    uint32_t next, prior; /* in the same cell */
    uint32_t mark;        /* the search that found it last */
} __attribute__((aligned(64))) home;

typedef struct near {
    double skin, ahead; /* ahead: how far before a node that flies its home lies */
    uint32_t cells[DIM];
    double per_length[DIM];
    bool wraps[DIM];        /* cells repeat along axes without walls: in open boxes nodes may be anywhere */
    uint32_t *head;         /* [cells]: a node at home there; NOBODY */
    home *home;             /* [count] */
    double (*ends)[2][DIM]; /* [rods] homes of rods: where their ends were */
    bool *at_home;          /* [rods] */
    uint32_t *crossed;      /* [cells]: the first of those entries of rods that may be touched from there; NOBODY */
    crossing *crossing;
    uint32_t crossing_count, crossing_capacity, crossing_free;
    double widest;  /* radius of the largest node */
    uint32_t *mark; /* [rods]: the search that found it last */
    uint32_t marks;
    uint32_t *found;
    uint32_t found_count, found_capacity;
} near;

/* Cell of a coordinate along axis k. */
int32_t near_place(const world *w, const near *n, int k, double x);

/* Notes a neighbour for the list that is being made; false where there is no memory. */
bool near_remember(near *n, uint32_t who);

/* Makes the list of an element from those noted. */
bool near_renew_list(world *w, near *n, uint32_t i);

/* Notes the rods near the home of node i. */
bool rods_search(const world *w, near *n, uint32_t i);

/* A new home, and a new list, for a rod. */
carom_status rods_renew(world *w, near *n, uint32_t who, double t, error *e);

#endif

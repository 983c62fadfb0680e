/* Pairs that interact beyond contact: potentials in steps, bridges of liquid, bonds.
 *
 * Where a pair is - outside, or in which shell between two steps - is part of the state and changes only in events.
 * Those that are not outside are linked: each body has a row of its links, which is all that there is to know about
 * them; the ways of finding neighbours see to the others, which may only come in. */
#ifndef CAROM_HARD_KERNEL_STEPPED_BONDS_H
#define CAROM_HARD_KERNEL_STEPPED_BONDS_H

#include "hard/kernel/gas.h"

/* Where a linked pair may be: between two spheres. Bonds have lengths, all others contact distances. */
typedef struct shell {
    real inner, outer;       /* squares; inner < 0: there is no inner sphere */
    bool lengths;            /* of a bond: both spheres are walls */
    uint32_t inside, beyond; /* shells on the other sides; SHELL_CORE, SHELL_OUTSIDE */
    double energy;
    double torn; /* what a bridge takes when it breaks */
} shell;
#define SHELL_CORE 0xffffffffu
enum { SHELL_OUTSIDE = 0 }; /* shell[0] */

typedef struct link {
    uint32_t with, shell;
} link;

typedef struct stepped {
    shell *shell;
    uint32_t shell_count;
    uint32_t *entered; /* [species][species]: shell that a pair outside enters at `outermost`; SHELL_OUTSIDE: none */
    uint32_t *wetted;  /* [species][species]: shell that a pair outside enters when it collides; likewise */
    real *outermost;   /* [species][species]: square of the distance where something happens to a pair outside */
    link *row;         /* [count][capacity] */
    uint32_t *length;  /* [count] */
    uint32_t capacity;
    uint8_t *linked;  /* [count]: scratch of predictions, zeros in between */
    link *spare;      /* [capacity]: scratch of order_bodies, */
    uint32_t *place;  /* [count]: likewise, */
    uint64_t *halves; /* [shell_count]: and of stepped_energy */
} stepped;

static inline const link *links_of(const gas *g, uint32_t i)
{
    return g->stepped->row + (size_t)i * g->stepped->capacity;
}

/* Local time at which the pair, in a shell, crosses the next step, and which way; as known at local time `now`. */
static real stepped_next(const gas *g, uint32_t i, uint32_t j, uint32_t in, real now, bool *outward);

/* Marks those that i is linked with in `linked`, or takes the marks away. */
static inline void links_mark(const gas *g, uint32_t i, bool linked)
{
    const link *row = links_of(g, i);
    for (uint32_t k = 0; k < g->stepped->length[i]; k++) g->stepped->linked[row[k].with] = linked;
}

/* Makes room for more links in each row. */
static carom_status links_widen(gas *g, uint32_t capacity, error *e);

/* Puts a pair into a shell, or outside. */
static carom_status links_set(gas *g, uint32_t i, uint32_t j, uint32_t in, error *e);

/* Of a pair outside: the square of the distance where something happens next, in contact distances. */
static inline real outermost_of(const gas *g, uint32_t i, uint32_t j)
{
    return g->stepped->outermost[species_of(g, i) * g->scene->species_count + species_of(g, j)];
}

/* Local time at which the pair collides or crosses the next step. */
static real stepped_detect(const gas *g, uint32_t i, uint32_t j, real now);

/* In which shell a pair is. */
static uint32_t shell_of(const gas *g, uint32_t i, uint32_t j);
static bool stepped_linked(const gas *g, uint32_t i, uint32_t j);

#endif

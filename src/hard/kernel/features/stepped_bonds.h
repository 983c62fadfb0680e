/* Pairs that interact beyond contact: stepped potentials, liquid bridges, bonds.
 *
 * A pair is outside, or in a shell between two steps. The shell is part of the state and changes only in events. Pairs
 * in a shell are linked: each body has a list of its links, which contains all data of linked pairs. Cells and
 * neighbour lists are used for pairs outside, which can only enter. */
#ifndef CAROM_HARD_KERNEL_STEPPED_BONDS_H
#define CAROM_HARD_KERNEL_STEPPED_BONDS_H

#include "hard/kernel/gas.h"

/* Shell of a linked pair, between two spheres: in units of the contact distance; for a bond, in units of length. */
typedef struct shell {
    real inner, outer;       /* squares; inner < 0: no inner sphere */
    bool lengths;            /* of a bond: both limits reflect the pair */
    uint32_t inside, beyond; /* shells on the other sides; SHELL_CORE, SHELL_OUTSIDE */
    double energy;
    double torn; /* energy that a bridge dissipates when it breaks */
} shell;
#define SHELL_CORE 0xffffffffu
enum { SHELL_OUTSIDE = 0 }; /* shell[0] */

typedef struct link {
    uint32_t with, shell;
} link;

typedef struct stepped {
    shell *shell;
    uint32_t shell_count;
    uint32_t
        *entered; /* [species][species]: shell that a pair enters from outside at `outermost`; SHELL_OUTSIDE: none */
    uint32_t
        *wetted;     /* [species][species]: shell that a pair enters from outside at a collision; SHELL_OUTSIDE: none */
    real *outermost; /* [species][species]: squared distance of the first event of a pair outside */
    link *row;       /* [count][capacity] */
    uint32_t *length; /* [count] */
    uint32_t capacity;
    uint8_t *linked;  /* [count]: scratch of predictions, otherwise zeros */
    link *spare;      /* [capacity]: scratch of order_bodies */
    uint32_t *place;  /* [count]: scratch of order_bodies */
    uint64_t *halves; /* [shell_count]: scratch of stepped_energy */
} stepped;

static inline const link *links_of(const gas *g, uint32_t i)
{
    return g->stepped->row + (size_t)i * g->stepped->capacity;
}

/* Local time at which a pair in shell `in` crosses the next step, predicted at local time `now`, and the direction. */
static real stepped_next(const gas *g, uint32_t i, uint32_t j, uint32_t in, real now, bool *outward);

/* Sets or clears the flags `linked` of all bodies linked with i. */
static inline void links_mark(const gas *g, uint32_t i, bool linked)
{
    const link *row = links_of(g, i);
    for (uint32_t k = 0; k < g->stepped->length[i]; k++) g->stepped->linked[row[k].with] = linked;
}

/* Makes room for more links in each row. */
static carom_status links_widen(gas *g, uint32_t capacity, error *e);

/* Moves a pair into a shell, or outside. */
static carom_status links_set(gas *g, uint32_t i, uint32_t j, uint32_t in, error *e);

/* Removes the link with j from the row of i only. */
static void remove_half(gas *g, uint32_t i, uint32_t j);

/* Squared distance of the next event of a pair outside, in contact distances. */
static inline real outermost_of(const gas *g, uint32_t i, uint32_t j)
{
    return g->stepped->outermost[species_of(g, i) * g->scene->species_count + species_of(g, j)];
}

/* Local time at which the pair collides or reaches the next step. */
static real stepped_detect(const gas *g, uint32_t i, uint32_t j, real now);

/* Shell of a pair. */
static uint32_t shell_of(const gas *g, uint32_t i, uint32_t j);
static bool stepped_linked(const gas *g, uint32_t i, uint32_t j);

#endif

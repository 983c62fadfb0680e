/* Static equilibrium of a body on its supports. */
#ifndef CAROM_HARD_KERNEL_SUPPORT_H
#define CAROM_HARD_KERNEL_SUPPORT_H

#include "hard/kernel/gas.h"

/* What touches a body, in the order of numbers: results do not depend on the order of lists and of memory. */
typedef struct supports {
    double normal[MOST_SUPPORTS][DIM]; /* unit vectors towards the body */
    double friction[MOST_SUPPORTS];    /* coefficient; INFINITY: no bound */
    uint32_t id[MOST_SUPPORTS];
    int count;
    bool awake;  /* one of them is not asleep */
    bool moving; /* one of them is a driven boundary, which may move away */
} supports;

static void add_support(supports *s, uint32_t id, const real normal[DIM], real length, double friction);

/* Coefficient of friction of a contact; 0: smooth; INFINITY: no bound. */
static double support_friction(const restitution_law *law);

/* Whether the supports can carry a body. */
static bool carried(const gas *g, const supports *s);

#endif

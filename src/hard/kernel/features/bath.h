/* A heat bath at rest. */
#ifndef CAROM_HARD_KERNEL_BATH_H
#define CAROM_HARD_KERNEL_BATH_H

#include "hard/kernel/gas.h"

/* What a body still has before it from a heat bath. */
typedef struct heat_bath {
    real *next;      /* local time of its next kick, */
    uint64_t *kicks; /* and how many it has had */
} heat_bath;

static bool bath_create(gas *g); /* false: no memory */
static void bath_destroy(gas *g);
static void bath_start(gas *g); /* draws the first kicks */
static void bath_kick(gas *g, uint32_t i, real t);

/* Clocks are set back by t, or velocities multiplied by 2^bits. */
static void bath_rebase(gas *g, uint32_t i, real t);
static void bath_rescale(gas *g, uint32_t i, int bits);

static inline void plan_kick(const gas *g, uint32_t i, plan *p)
{
    if (g->bath != NULL) consider(p, i, (next_event){g->bath->next[i], PARTNER_KICK, 0});
}

#endif

/* A heat bath at rest. */
#ifndef CAROM_HARD_KERNEL_THERMOSTAT_H
#define CAROM_HARD_KERNEL_THERMOSTAT_H

#include "hard/kernel/gas.h"

/* Next kick of a body. */
typedef struct thermostat {
    real *next;      /* local time of the next kick */
    uint64_t *kicks; /* number of kicks so far */
} thermostat;

/* Kick of body i by the heat bath at local time t. */
static void thermostat_kick(gas *g, uint32_t i, real t);

static inline void plan_kick(const gas *g, uint32_t i, plan *p)
{
    if (g->thermostat != NULL) consider(g, p, i, (next_event){g->thermostat->next[i], PARTNER_KICK, 0});
}

#endif

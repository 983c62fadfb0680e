/* Which bodies are at rest, and sleep until they are hit. */
#ifndef CAROM_HARD_KERNEL_SLEEPERS_H
#define CAROM_HARD_KERNEL_SLEEPERS_H

#include "hard/kernel/gas.h"

typedef struct sleepers {
    bool *asleep;
    uint16_t *slow;     /* consecutive slow contacts */
    real (*mark)[DIM];  /* where each body was some contacts ago */
    real *check;        /* local time when a sleeper that others hold has to be checked */
    real holding;       /* gap up to which a body may hold a sleeper */
    real touching;      /* gap up to which bodies count as touching */
    uint32_t *awakened; /* bodies that woke up in the event at hand, to be scheduled */
    uint32_t awakened_count;
} sleepers;

static inline bool is_asleep(const gas *g, uint32_t i)
{
    return g->sleep != NULL && g->sleep->asleep[i];
}

/* Does body i meet what moves by it, or stands still (NULL)? A sleeper is hit only by what moves. */
static inline bool may_be_hit(const gas *g, uint32_t i, const struct motion *by)
{
    return !is_asleep(g, i) || by != NULL;
}

static inline void plan_check(const gas *g, uint32_t i, plan *p)
{
    if (is_asleep(g, i)) consider(p, i, (next_event){g->sleep->check[i], PARTNER_CHECK, 0});
}

#endif

/* Bodies at rest, which sleep until they are hit. */
#ifndef CAROM_HARD_KERNEL_SLEEP_H
#define CAROM_HARD_KERNEL_SLEEP_H

#include "hard/kernel/gas.h"

/* After a contact of i: puts it to sleep where it has been slow for a while and its contacts carry it. */
static void sleep_after_contact(gas *g, uint32_t i);

/* Finds out how far apart bodies are that touch or hold each other: the height of a bounce at the sleeping speed, or
 * 1 % of the smallest radius; twice that height, or 5 %. */
static void sleep_measure(gas *g);

/* Does body i meet what moves by it, or stands still (NULL)? A sleeper is hit only by what moves. */
static inline bool may_be_hit(const gas *g, uint32_t i, const struct motion *by)
{
    return g->asleep == NULL || !g->asleep[i] || by != NULL;
}

/* A sleeper is looked at that others hold, which may have gone. */
static void sleep_check(gas *g, uint32_t i, real t);

static inline void plan_check(const gas *g, uint32_t i, plan *p)
{
    if (g->asleep != NULL && g->asleep[i]) consider(p, i, (next_event){g->check[i], PARTNER_CHECK, 0});
}

/* Puts i to sleep where it is. */
static void sleep_now(gas *g, uint32_t i);

/* Body i has been hit hard: it wakes, and so does whatever it carried. */
static void sleep_wake(gas *g, uint32_t i);

#endif

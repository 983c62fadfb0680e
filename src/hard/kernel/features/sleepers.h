/* State of the policy `sleep`: sleeping bodies. */
#ifndef CAROM_HARD_KERNEL_SLEEPERS_H
#define CAROM_HARD_KERNEL_SLEEPERS_H

#include "hard/kernel/gas.h"

typedef struct sleepers {
    bool *asleep;
    uint16_t *slow;     /* consecutive slow contacts */
    real (*mark)[DIM];  /* position of each body some contacts ago */
    real *check;        /* local time of the next check of a sleeping body that depends on other bodies */
    real holding;       /* largest gap at which a body may support a sleeping one */
    real touching;      /* largest gap of bodies that count as touching */
    uint32_t *awakened; /* bodies that woke up in the present event, to be scheduled */
    uint32_t awakened_count;
} sleepers;

static inline bool is_asleep(const gas *g, uint32_t i)
{
    return g->sleep != NULL && g->sleep->asleep[i];
}

/* Smallest velocity of separation of a slow contact, where the energy of the bodies permits it. */
static inline real least_bounce(const gas *g)
{
    return (real)(0.5 * g->settings->collapse.speed);
}

/* Whether body i may collide with a boundary of motion `by` (NULL: at rest). A sleeping body collides only with moving
 * ones. */
static inline bool may_be_hit(const gas *g, uint32_t i, const struct motion *by)
{
    return !is_asleep(g, i) || by != NULL;
}

static inline void plan_check(const gas *g, uint32_t i, plan *p)
{
    if (is_asleep(g, i)) consider(g, p, i, (next_event){g->sleep->check[i], PARTNER_CHECK, 0});
}

#endif

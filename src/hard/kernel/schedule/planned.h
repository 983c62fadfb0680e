/* The first planned event of a body in the queue. */
#ifndef CAROM_HARD_KERNEL_PLANNED_H
#define CAROM_HARD_KERNEL_PLANNED_H

#include "hard/kernel/gas.h"
#include "hard/kernel/numbers.h"

static inline void schedule_planned(gas *g, uint32_t i)
{
    fel_schedule(g->queue, i,
                 (double)later(g->plan[i].first.time, g->now)); /* detection by `naive` may give times in the past */
}

#endif

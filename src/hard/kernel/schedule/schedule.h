/* The event queue: one entry for each body. */
#ifndef CAROM_HARD_KERNEL_SCHEDULE_H
#define CAROM_HARD_KERNEL_SCHEDULE_H

#include "hard/kernel/gas.h"

static carom_status schedule_create(gas *g, error *e);
static void schedule_destroy(gas *g);
static void schedule_all(gas *g);       /* after a change of all bodies */
static void schedule_again_all(gas *g); /* after a change of plans only */
static void schedule_one(gas *g, uint32_t i);
static bool schedule_first(gas *g, uint32_t *i, next_event *e); /* the next event; false: none */

#endif

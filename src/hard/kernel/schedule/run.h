/* The event loop. */
#ifndef CAROM_HARD_KERNEL_RUN_H
#define CAROM_HARD_KERNEL_RUN_H

#include "hard/kernel/gas.h"

/* After a change of all bodies: finds neighbours and makes new predictions. */
static carom_status gas_find_events(gas *g, error *e);

static carom_status gas_advance(void *self, const engine_limits *limits, carom_stop *stop, error *e);

#endif

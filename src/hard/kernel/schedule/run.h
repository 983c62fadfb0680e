/* The event loop. */
#ifndef CAROM_HARD_KERNEL_RUN_H
#define CAROM_HARD_KERNEL_RUN_H

#include "hard/kernel/gas.h"

/* After a change of all bodies: finds neighbours and makes new predictions. */
static carom_status gas_find_events(gas *g, error *e);

/* The serial event loop, up to local time `end` of the present stage. */
static carom_status advance_serial(gas *g, const engine_limits *limits, real end, carom_stop *stop, error *e);

/* Parts of the loop that domains use: the change of the bodies of an event; new plans after it; a transfer. */
static carom_status carry_out(gas *g, uint32_t i, const next_event *event, carom_stop *stop, error *e);
static void schedule_again(gas *g, uint32_t i, uint32_t j);
static carom_status renew_neighbors(gas *g, uint32_t i, real t, error *e);
static bool time_stalled(gas *g, real t);
static carom_stop limit_reached(const gas *g, const engine_limits *limits);
static carom_status clock_overflow(const gas *g, carom_stop *stop, error *e);
static real stage_end(const gas *g);

#endif

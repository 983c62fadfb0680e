/* The kernel of `method: events`, one translation unit for each dimension (CAROM_DIM): clusters without rotation, and,
 * included from rotating/kernel.c, clusters with rotation. All functions of the parts are static. */
#ifndef CAROM_ROTATING
#define CAROM_ROTATING 0
#endif

#if CAROM_ROTATING
#include "aggregation/kernel/rotating/advancement.c"
#include "aggregation/kernel/rotating/attitude.c"
#include "aggregation/kernel/rotating/body.c"
#include "aggregation/kernel/rotating/bounce.c"
#include "aggregation/kernel/rotating/inertia.c"
#include "aggregation/kernel/rotating/merge.c"
#include "aggregation/kernel/rotating/motion.c"
#include "aggregation/kernel/rotating/rotation.c"
#include "aggregation/kernel/rotating/touch.c"
#else
#include "aggregation/kernel/events/bounce.c"
#include "aggregation/kernel/events/merge.c"
#include "aggregation/kernel/events/motion.c"
#include "aggregation/kernel/events/touch.c"
#endif

#include "aggregation/kernel/events/grid.c"
#include "aggregation/kernel/events/history.c"
#include "aggregation/kernel/events/impact.c"
#include "aggregation/kernel/events/isolated.c"
#include "aggregation/kernel/events/members.c"
#include "aggregation/kernel/events/plan.c"
#include "aggregation/kernel/events/record.c"
#include "aggregation/kernel/events/reference.c"
#include "aggregation/kernel/events/run.c"
#include "aggregation/kernel/events/stall.c"

/* The table of features, and the loops over it. */
#include "aggregation/kernel/events/features.c"

#include "aggregation/kernel/events/edit.c"
#include "aggregation/kernel/events/save.c"
#include "aggregation/kernel/events/state.c"

#if CAROM_ROTATING
#define KERNEL AGGREGATION_KERNEL(rotating)
#else
#define KERNEL AGGREGATION_KERNEL(events)
#endif

const engine_kernel KERNEL = {.memory = memory_of,
                              .create = create,
                              .advance = state_advance,
                              .time = time_of,
                              .events = events_of,
                              .clusters = clusters_of,
                              .fill_frame = state_fill_frame,
                              .fill_columns = state_fill_columns,
                              .save = state_save,
                              .load = state_load,
                              .destroy = destroy,
                              .set_velocities = state_set_velocities,
                              .log_events = state_record};

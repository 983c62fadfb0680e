/* The kernel of `method: steps`, one translation unit for each dimension (CAROM_DIM). All functions of the parts are
 * static. */
#include "aggregation/kernel/steps/solvers.h"

#include "aggregation/kernel/steps/advance.c"
#include "aggregation/kernel/steps/bins.c"
#include "aggregation/kernel/steps/contacts.c"
#include "aggregation/kernel/steps/flight.c"
#include "aggregation/kernel/steps/links.c"
#include "aggregation/kernel/steps/merge.c"
#include "aggregation/kernel/steps/pair_list.c"
#include "aggregation/kernel/steps/record.c"
#include "aggregation/kernel/steps/resolve.c"

/* The table of features, and the loops over it. */
#include "aggregation/kernel/steps/features.c"

#include "aggregation/kernel/steps/edit.c"
#include "aggregation/kernel/steps/save.c"
#include "aggregation/kernel/steps/steps.c"

const engine_kernel AGGREGATION_KERNEL(steps) = {.memory = memory_of,
                                                 .create = create,
                                                 .advance = steps_advance,
                                                 .time = time_of,
                                                 .events = events_of,
                                                 .clusters = clusters_of,
                                                 .fill_frame = fill_frame,
                                                 .fill_columns = fill_columns,
                                                 .save = steps_save,
                                                 .load = steps_load,
                                                 .destroy = destroy,
                                                 .steps = flight_steps,
                                                 .set_velocities = steps_set_velocities,
                                                 .log_events = steps_record};

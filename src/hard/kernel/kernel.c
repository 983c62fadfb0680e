/* One variant of the kernel of the engine `hard`: a translation unit, compiled for each dimension (CAROM_DIM), number
 * type (CAROM_REAL) and instruction set (CAROM_ISA), and with or without the historic rules of detection
 * (CAROM_REMEDIES). All functions are static. */
#include "hard/kernel.h"
#include "hard/kernel/gas.h"

#include "hard/kernel/broad/cells.c"
#include "hard/kernel/broad/crossings.c"
#include "hard/kernel/broad/extent.c"
#include "hard/kernel/broad/grid.c"
#include "hard/kernel/broad/large_bodies.c"
#include "hard/kernel/broad/lists.c"
#include "hard/kernel/broad/order.c"
#include "hard/kernel/broad/places.c"
#include "hard/kernel/broad/rows.c"
#include "hard/kernel/clock.c"
#include "hard/kernel/features/compression.c"
#include "hard/kernel/features/contact_duration.c"
#include "hard/kernel/features/cylinders.c"
#include "hard/kernel/features/exact.c"
#include "hard/kernel/features/flights.c"
#include "hard/kernel/features/impacts.c"
#include "hard/kernel/features/meshes.c"
#include "hard/kernel/features/motion.c"
#include "hard/kernel/features/presence.c"
#include "hard/kernel/features/reserve.c"
#include "hard/kernel/features/rotation.c"
#include "hard/kernel/features/shape_state.c"
#include "hard/kernel/features/shapes.c"
#include "hard/kernel/features/shapes_collide.c"
#include "hard/kernel/features/shear.c"
#include "hard/kernel/features/sleep.c"
#include "hard/kernel/features/starts.c"
#include "hard/kernel/features/stepped.c"
#include "hard/kernel/features/stepped_bonds.c"
#include "hard/kernel/features/stepped_domains.c"
#include "hard/kernel/features/stepped_make.c"
#include "hard/kernel/features/stepped_plan.c"
#include "hard/kernel/features/support.c"
#include "hard/kernel/features/thermal.c"
#include "hard/kernel/features/thermostat.c"
#include "hard/kernel/features/transport.c"

/* The table of the features above. */
#include "hard/kernel/features/features.c"

#include "hard/kernel/narrow/detect.c"
#include "hard/kernel/narrow/mesh_contact.c"
#include "hard/kernel/narrow/predict.c"
#include "hard/kernel/narrow/remedies.c"
#include "hard/kernel/narrow/spheres.c"
#include "hard/kernel/parallel/body_state.c"
#include "hard/kernel/parallel/collect.c"
#include "hard/kernel/parallel/crew.c"
#include "hard/kernel/parallel/divide.c"
#include "hard/kernel/parallel/exchange.c"
#include "hard/kernel/parallel/follow.c"
#include "hard/kernel/parallel/halo.c"
#include "hard/kernel/parallel/members.c"
#include "hard/kernel/parallel/notes.c"
#include "hard/kernel/parallel/orders.c"
#include "hard/kernel/parallel/reach.c"
#include "hard/kernel/parallel/recut.c"
#include "hard/kernel/parallel/share.c"
#include "hard/kernel/parallel/stage.c"
#include "hard/kernel/parallel/window.c"
#include "hard/kernel/response/collapse.c"
#include "hard/kernel/response/collide.c"
#include "hard/kernel/response/record.c"
#include "hard/kernel/response/tallies.c"
#include "hard/kernel/schedule/rebase.c"
#include "hard/kernel/schedule/reference.c"
#include "hard/kernel/schedule/run.c"
#include "hard/kernel/schedule/schedule.c"
#include "hard/kernel/schedule/start.c"

#include "hard/kernel/advance.c"
#include "hard/kernel/bodies.c"
#include "hard/kernel/checkpoint.c"
#include "hard/kernel/create.c"
#include "hard/kernel/edit.c"
#include "hard/kernel/flows.c"
#include "hard/kernel/frame.c"
#include "hard/kernel/gates.c"
#include "hard/kernel/load.c"
#include "hard/kernel/parts.c"
#include "hard/kernel/save.c"
#include "hard/kernel/totals.c"
#include "hard/kernel/true_place.c"

/* ---- the name of the variant ------------------------------------------------------------------------------------- */

#ifndef HARD_KERNEL /* tests of static functions define a name of their own */
#define KERNEL_NAME3(dim, type) hard_kernel_##dim##d_##type
#define KERNEL_NAME(dim, type) KERNEL_NAME3(dim, type)
#if CAROM_REAL == 0 && CAROM_ISA == 3
#define HARD_KERNEL KERNEL_NAME(CAROM_DIM, double_avx2)
#elif CAROM_REAL == 0 && CAROM_ISA == 4
#define HARD_KERNEL KERNEL_NAME(CAROM_DIM, double_avx512)
#elif CAROM_REAL == 0 && CAROM_REMEDIES
#define HARD_KERNEL KERNEL_NAME(CAROM_DIM, double_remedies)
#elif CAROM_REAL == 0
#define HARD_KERNEL KERNEL_NAME(CAROM_DIM, double)
#elif CAROM_REAL == 1
#define HARD_KERNEL KERNEL_NAME(CAROM_DIM, long_double)
#elif CAROM_REAL == 2
#define HARD_KERNEL KERNEL_NAME(CAROM_DIM, quad)
#else
#define HARD_KERNEL KERNEL_NAME(CAROM_DIM, float)
#endif
#endif

extern const hard_kernel HARD_KERNEL;
const hard_kernel HARD_KERNEL = {.run = {.memory = memory_of,
                                         .create = gas_create,
                                         .begin = gas_begin,
                                         .advance = gas_advance,
                                         .time = time_of,
                                         .events = events_of,
                                         .fill_frame = gas_fill_frame,
                                         .fill_columns = gas_fill_columns,
                                         .fills_parts = gas_fills_parts,
                                         .save = gas_save,
                                         .load = gas_load,
                                         .destroy = gas_destroy,
                                         .set_velocities = gas_set_velocities,
                                         .adopt = gas_adopt,
                                         .enter = gas_enter,
                                         .leave = gas_leave,
                                         .record = gas_record,
                                         .log_events = gas_log_events,
                                         .take_contacts = gas_take_contacts,
                                         .follow = CAROM_REAL == 0 ? gas_follow : NULL,
                                         .domains = gas_domains},
                                 .grow = grow};

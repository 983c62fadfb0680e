/* The kernel: one translation unit for each dimension (CAROM_DIM), instruction set (CAROM_ISA) and variational.contact (CAROM_CONTACT). All
 * its functions are static. Headers declare the functions that other parts may call, so the order of the parts has
 * no effect. */
#include "variational/kernel/world.h"

#include "variational/kernel/broad/clear.c"
#include "variational/kernel/broad/grid.c"
#include "variational/kernel/broad/lists.c"
#include "variational/kernel/broad/mesh_grid.c"
#include "variational/kernel/broad/origins.c"
#include "variational/kernel/broad/renew.c"
#include "variational/kernel/broad/segments.c"

#include "variational/kernel/narrow/elements.c"
#include "variational/kernel/narrow/separation.c"

#include "variational/kernel/response/ball_friction.c"
#include "variational/kernel/response/ball_ledger.c"
#include "variational/kernel/response/contact_arrange.c"
#include "variational/kernel/response/contact_end.c"
#include "variational/kernel/response/contact_motion.c"
#include "variational/kernel/response/contact_order.c"
#include "variational/kernel/response/contacts.c"
#include "variational/kernel/response/element_lanes.c"
#include "variational/kernel/response/energy_balance.c"
#include "variational/kernel/response/friction.c"
#include "variational/kernel/response/kicks.c"
#include "variational/kernel/response/layers.c"
#include "variational/kernel/response/loads.c"
#include "variational/kernel/response/press.c"
#include "variational/kernel/response/record.c"
#include "variational/kernel/response/restitution.c"
#include "variational/kernel/response/rolling.c"
#include "variational/kernel/response/surface_motion.c"

#include "variational/kernel/schedule/certificates.c"
#include "variational/kernel/schedule/clocks.c"
#include "variational/kernel/schedule/fire.c"
#include "variational/kernel/schedule/flight_bound.c"
#include "variational/kernel/schedule/invariants.c"
#include "variational/kernel/schedule/monitoring.c"
#include "variational/kernel/schedule/monitoring_save.c"
#include "variational/kernel/schedule/recheck.c"
#include "variational/kernel/schedule/run.c"

#include "variational/kernel/features/bodies.c"
#include "variational/kernel/features/conditions.c"
#include "variational/kernel/features/drive_hold.c"
#include "variational/kernel/features/drives.c"
#include "variational/kernel/features/elastic_rods.c"
#include "variational/kernel/features/gravity.c"
#include "variational/kernel/features/hertz.c"
#include "variational/kernel/features/potentials.c"
#include "variational/kernel/features/presence.c"
#include "variational/kernel/features/reserve.c"
#include "variational/kernel/features/shell_draft.c"
#include "variational/kernel/features/shells.c"
#include "variational/kernel/features/shells_damping.c"
#include "variational/kernel/features/shells_feature.c"
#include "variational/kernel/features/shells_make.c"
#include "variational/kernel/features/shells_membranes.c"
#include "variational/kernel/features/shells_plates.c"
#include "variational/kernel/features/shells_steps.c"
#include "variational/kernel/features/spins.c"
#include "variational/kernel/features/springs.c"
#include "variational/kernel/features/table.c"
#include "variational/kernel/features/vertex_loads.c"

#include "variational/kernel/reference/reference.c"

#include "variational/kernel/create.c"
#include "variational/kernel/edit.c"
#include "variational/kernel/frame.c"
#include "variational/kernel/save.c"
#include "variational/kernel/step_costs.c"
#include "variational/kernel/step_rows.c"
#include "variational/kernel/steps.c"

#if CAROM_CONTACT == 1 && CAROM_DIM == 2
#define KERNEL kernel_variational_2d_impulses
#elif CAROM_CONTACT == 1
#define KERNEL kernel_variational_3d_impulses
#elif CAROM_CONTACT == 2 && CAROM_DIM == 2
#define KERNEL kernel_variational_2d_realigned
#elif CAROM_CONTACT == 2
#define KERNEL kernel_variational_3d_realigned
#elif CAROM_DIM == 2
#define KERNEL kernel_variational_2d
#elif CAROM_ISA == 3
#define KERNEL kernel_variational_3d_avx2
#else
#define KERNEL kernel_variational_3d
#endif

const engine_kernel KERNEL = {.memory = memory_of,
                              .create = world_create,
                              .advance = world_advance,
                              .time = time_of,
                              .events = events_of,
                              .fill_frame = world_fill_frame,
                              .fill_columns = world_fill_columns,
                              .save = world_save,
                              .load = world_load,
                              .destroy = world_destroy,
                              .add_potential = potentials_add,
                              .set_velocities = world_set_velocities,
                              .adopt = world_adopt,
                              .enter = world_enter,
                              .leave = world_leave,
                              .record = world_request,
                              .log_events = world_record,
                              .take_contacts = world_take_contacts,
                              .steps = steps_of};

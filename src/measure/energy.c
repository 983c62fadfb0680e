/* Kinetic, potential and total energy, and energy dissipated by collisions: total + dissipated is conserved. The
 * total includes the energy of springs and contacts. */
#include "measure/gauge.h"

static const settings_table settings = {
    .name = "energy",
    .help = "kinetic, potential and total energy, and the energy lost in collisions since the start",
};

static const series_column columns[] = {{"total", "energy", 1, true},
                                        {"kinetic", "energy", 1, true},
                                        {"potential", "energy", 1, true},
                                        {"dissipated", "energy", 1, true}};

static carom_status create(void **self, const void *unused, const carom_frame *first, error *e)
{
    (void)unused;
    return gauge_create(self, &settings, columns, 4, first, e);
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    gauge *g = self;
    frame_energy now = frame_energy_of(frame);
    double row[4] = {now.total, now.kinetic, now.potential, frame->tallies.dissipated};
    return series_add(&g->rows, frame->time, 1.0, row, e);
}

const observable observable_energy = {.settings = &settings,
                                      .of = MEASURE_MASSES,
                                      .needs_particles = true,
                                      .create = create,
                                      .sample = sample,
                                      GAUGE_FUNCTIONS};

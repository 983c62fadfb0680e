/* Total momentum: conserved along axes without walls and gravity. */
#include "measure/gauge.h"

static const settings_table settings = {
    .name = "momentum",
    .help = "total momentum, a vector",
};

static carom_status create(void **self, const void *unused, const carom_frame *first, error *e)
{
    const series_column column = {"momentum", "mass * length / time", (size_t)first->dimension, true};
    (void)unused;
    return gauge_create(self, &settings, &column, 1, first, e);
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    gauge *g = self;
    frame_energy now = frame_energy_of(frame);
    return series_add(&g->rows, frame->time, 1.0, now.momentum, e);
}

const observable observable_momentum = {.settings = &settings,
                                        .of = MEASURE_MASSES,
                                        .needs_particles = true,
                                        .create = create,
                                        .sample = sample,
                                        GAUGE_FUNCTIONS};

/* Granular temperature T = sum m (v - V)^2 / (D (N - 1)), V the velocity of the centre of mass; an energy (k = 1).
 * In a freely cooling gas it becomes smaller than the smallest double: its logarithm is computed from the scaled
 * velocities and does not underflow. */
#include "measure/gauge.h"
#include "measure/motion.h"

static const settings_table settings = {
    .name = "temperature",
    .help =
        "granular temperature sum m (v - V)^2 / (D (N - 1)), V the centre-of-mass velocity; its log10 never underflows",
};

static const series_column columns[] = {{"temperature", "energy", 1, true}, {"log10_temperature", "", 1, false}};

static carom_status create(void **self, const void *unused, const carom_frame *first, error *e)
{
    (void)unused;
    return gauge_create(self, &settings, columns, 2, first, e);
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    gauge *g = self;
    double scaled = motion_of(frame).temperature;
    double row[2] = {motion_unscaled(frame, scaled, 2), motion_log10(frame, scaled, 2)};
    return series_add(&g->rows, frame->time, 1.0, row, e);
}

const observable observable_temperature = {
    .settings = &settings, .needs_particles = true, .create = create, .sample = sample, GAUGE_FUNCTIONS};

/* Granular temperature T = sum m (v - V)^2 / (D (N - 1)), V the velocity of the centre of mass; an energy (k = 1). Of one
 * species: motion_temperature_of. A clump is one particle, at its centre of mass.
 * In a freely cooling gas it becomes smaller than the smallest double: its logarithm is computed from the scaled
 * velocities and does not underflow. */
#include <math.h>

#include "measure/bodies.h"
#include "measure/gauge.h"
#include "measure/motion.h"
#include "measure/species.h"

static const setting entries[] = {
    SPECIES_ROW(
        "particles of this species only, relative to the centre of mass of all: sum m (v - V)^2 / (D (n - m_s / "
        "M)), n "
        "and m_s their number and mass, M the mass of all"),
};

static const settings_table settings = {
    .name = "temperature",
    .help =
        "granular temperature sum m (v - V)^2 / (D (N - 1)), V the centre-of-mass velocity; its log10 never underflows",
    .size = sizeof(species_settings),
    .entries = entries,
    .count = sizeof entries / sizeof entries[0],
    .begin = species_begin,
};

static const series_column columns[] = {{"temperature", "energy", 1, true}, {"log10_temperature", "", 1, false}};

typedef struct temperature {
    gauge g; /* first: the functions of gauges cast to it */
    uint32_t species;
    bodies bodies;
} temperature;

static void destroy(void *self)
{
    temperature *t = self;
    if (t != NULL) bodies_free(&t->bodies);
    gauge_destroy(self);
}

static carom_status create(void **self, const void *set, const carom_frame *first, error *e)
{
    TRY(gauge_create_in(self, sizeof(temperature), 0, &settings, columns, 2, first, e));
    ((temperature *)*self)->species = ((const species_settings *)set)->species;
    return CAROM_OK;
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    temperature *t = self;
    const carom_frame *of;
    TRY(bodies_of(&t->bodies, frame, &of, e));
    const motion all = motion_of(of);
    const double scaled = t->species == NO_SPECIES ? all.temperature : motion_temperature_of(of, &all, t->species);
    if (!motion_is_thermal(frame, of->count)) return CAROM_OK;
    if (t->species != NO_SPECIES && isnan(scaled)) return CAROM_OK; /* no particle of the species */
    double row[2] = {motion_unscaled(of, scaled, 2), motion_log10(of, scaled, 2)};
    return series_add(&t->g.rows, frame->time, 1.0, row, e);
}

const observable observable_temperature = {.settings = &settings,
                                           .needs_particles = true,
                                           .create = create,
                                           .sample = sample,
                                           .result = gauge_result,
                                           .drain = gauge_drain,
                                           .save = gauge_save,
                                           .load = gauge_load,
                                           .destroy = destroy};

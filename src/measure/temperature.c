/* Granular temperature T = sum m (v - V)^2 / (D (N - 1)), V the velocity of the centre of mass; an energy (k = 1). Of one
 * species: motion_temperature_of.
 * In a freely cooling gas it becomes smaller than the smallest double: its logarithm is computed from the scaled
 * velocities and does not underflow. */
#include <math.h>
#include <stddef.h>

#include "measure/gauge.h"
#include "measure/motion.h"

typedef struct temperature_settings {
    uint32_t species; /* first: setting_has_species */
} temperature_settings;

static const char *const species_names[] = {"NAME", NULL};

static const setting entries[] = {
    {.name = "species",
     .type = SETTING_SHAPE,
     .offset = offsetof(temperature_settings, species),
     .unit = "",
     .fallback = "",
     .choices = species_names,
     .form = &form_species,
     .written = setting_has_species,
     .help = "particles of this species only, relative to the centre of mass of all: sum m (v - V)^2 / (D (n - m_s / "
             "M)), n "
             "and m_s their number and mass, M the mass of all"},
};

static void begin(struct reader *r, void *filled)
{
    (void)r;
    ((temperature_settings *)filled)->species = NO_SPECIES;
}

static const settings_table settings = {
    .name = "temperature",
    .help =
        "granular temperature sum m (v - V)^2 / (D (N - 1)), V the centre-of-mass velocity; its log10 never underflows",
    .size = sizeof(temperature_settings),
    .entries = entries,
    .count = sizeof entries / sizeof entries[0],
    .begin = begin,
};

static const series_column columns[] = {{"temperature", "energy", 1, true}, {"log10_temperature", "", 1, false}};

typedef struct temperature {
    gauge g; /* first: the functions of gauges cast to it */
    uint32_t species;
} temperature;

static carom_status create(void **self, const void *set, const carom_frame *first, error *e)
{
    TRY(gauge_create_in(self, sizeof(temperature), 0, &settings, columns, 2, first, e));
    ((temperature *)*self)->species = ((const temperature_settings *)set)->species;
    return CAROM_OK;
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    temperature *t = self;
    const motion all = motion_of(frame);
    const double scaled = t->species == NO_SPECIES ? all.temperature : motion_temperature_of(frame, &all, t->species);
    if (!motion_is_thermal(frame)) return CAROM_OK;
    if (t->species != NO_SPECIES && isnan(scaled)) return CAROM_OK; /* no particle of the species */
    double row[2] = {motion_unscaled(frame, scaled, 2), motion_log10(frame, scaled, 2)};
    return series_add(&t->g.rows, frame->time, 1.0, row, e);
}

const observable observable_temperature = {.settings = &settings,
                                           .separate = true,
                                           .needs_particles = true,
                                           .create = create,
                                           .sample = sample,
                                           GAUGE_FUNCTIONS};

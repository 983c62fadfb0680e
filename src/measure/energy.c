/* Kinetic, potential and total energy, and energy dissipated by collisions: total + dissipated is conserved. The
 * total includes the energy of springs and contacts. Of one species: its kinetic energy, of translation and of rotation.
 * A clump is one particle. */
#include "measure/bodies.h"
#include "measure/gauge.h"
#include "measure/motion.h"
#include "measure/species.h"
#include "measure/sum.h"

static const setting entries[] = {
    SPECIES_ROW("the kinetic energy of this species only, with its parts of translation and rotation"),
};

static const settings_table settings = {
    .name = "energy",
    .help = "kinetic, potential and total energy, and the energy lost in collisions since the start; or the kinetic "
            "energy of one species",
    .size = sizeof(species_settings),
    .entries = entries,
    .count = sizeof entries / sizeof entries[0],
    .begin = species_begin,
};

static const series_column columns[] = {{"total", "energy", 1, true},
                                        {"kinetic", "energy", 1, true},
                                        {"potential", "energy", 1, true},
                                        {"dissipated", "energy", 1, true}};

static const series_column of_species[] = {
    {"kinetic", "energy", 1, true}, {"translation", "energy", 1, true}, {"rotation", "energy", 1, true}};

typedef struct energy {
    gauge g; /* first: the functions of gauges cast to it */
    uint32_t species;
    bodies bodies;
} energy;

static void destroy(void *self)
{
    energy *o = self;
    if (o != NULL) bodies_free(&o->bodies);
    gauge_destroy(self);
}

static carom_status create(void **self, const void *set, const carom_frame *first, error *e)
{
    const uint32_t species = ((const species_settings *)set)->species;
    const bool all = species == NO_SPECIES;
    TRY(gauge_create_in(self, sizeof(energy), 0, &settings, all ? columns : of_species, all ? 4 : 3, first, e));
    ((energy *)*self)->species = species;
    return CAROM_OK;
}

static double translation_of(const energy *o, const carom_frame *f)
{
    const size_t d = (size_t)f->dimension;
    sum moving = {0};
    for (size_t i = 0; i < frame_particles(f); i++) {
        const double *v = f->velocity + i * d;
        if (f->species[i] != o->species) continue;
        for (size_t k = 0; k < d; k++) sum_add(&moving, 0.5 * f->mass[i] * v[k] * v[k]);
    }
    return sum_total(&moving);
}

static double rotation_of(const energy *o, const carom_frame *f)
{
    sum turning = {0};
    for (size_t i = 0; i < frame_particles(f); i++)
        if (f->species[i] == o->species && (f->clump == NULL || f->clump[i] < 0))
            sum_add(&turning, frame_spin_energy(f, i));
    for (size_t n = 0; n < f->solids; n++)
        if (f->solid[n].clump && f->species[f->solid[n].first] == o->species)
            sum_add(&turning, bodies_spin_energy(f, &f->solid[n]));
    return sum_total(&turning);
}

static carom_status sample_species(energy *o, const carom_frame *f, error *e)
{
    const carom_frame *of;
    frame_need(f, FRAME_VELOCITY | FRAME_MASS | FRAME_SPECIES | frame_spin_columns(f));
    TRY(bodies_of(&o->bodies, f, &of, e));
    const double parts[] = {motion_unscaled(f, translation_of(o, of), 2), motion_unscaled(f, rotation_of(o, f), 2)};
    return series_add(&o->g.rows, f->time, 1, (double[]){parts[0] + parts[1], parts[0], parts[1]}, e);
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    energy *o = self;
    if (o->species != NO_SPECIES) return sample_species(o, frame, e);
    frame_energy now = frame_energy_of(frame);
    double row[4] = {now.total, now.kinetic, now.potential, frame->tallies.dissipated};
    return series_add(&o->g.rows, frame->time, 1.0, row, e);
}

const observable observable_energy = {.settings = &settings,
                                      .of = MEASURE_MASSES,
                                      .needs_particles = true,
                                      .create = create,
                                      .sample = sample,
                                      .result = gauge_result,
                                      .drain = gauge_drain,
                                      .save = gauge_save,
                                      .load = gauge_load,
                                      .destroy = destroy};

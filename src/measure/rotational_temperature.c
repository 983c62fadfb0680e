/* Rotational temperature T_rot = sum I w^2 / (R N), R = 3 (in 2D 1) rotational degrees of freedom, and its ratio to
 * the translational one: 1 in equilibrium. An energy (k = 1). Smooth ellipsoids have R = 2 (in 2D 1), spheres among
 * them none. A clump is one particle with R = 3 (in 2D 1). */
#include <math.h>

#include "measure/bodies.h"
#include "measure/gauge.h"
#include "measure/motion.h"
#include "measure/species.h"
#include "measure/sum.h"

static const setting entries[] = {
    SPECIES_ROW("particles of this species only; the ratio is to the temperature of the species"),
};

static const settings_table settings = {
    .name = "rotational_temperature",
    .help = "temperature of the spins, sum I w^2 / (3 N) (of ellipsoids / (2 N); in 2 dimensions / N), and its ratio "
            "to `temperature`, of particles that rotate",
    .size = sizeof(species_settings),
    .entries = entries,
    .count = sizeof entries / sizeof entries[0],
    .begin = species_begin,
};

static const series_column columns[] = {
    {"rotational_temperature", "energy", 1, true}, {"ratio", "", 1, true}, {"log10_temperature", "", 1, false}};

typedef struct rotational {
    gauge g; /* first: the functions of gauges cast to it */
    uint32_t species;
    bodies bodies;
} rotational;

static void destroy(void *self)
{
    rotational *o = self;
    if (o != NULL) bodies_free(&o->bodies);
    gauge_destroy(self);
}

static carom_status create(void **self, const void *set, const carom_frame *first, error *e)
{
    if (first->spin == NULL || first->inertia == NULL)
        return error_set(e, CAROM_BAD_DATA,
                         "error: rotational_temperature: no particle of this scene rotates; set 'tangential' of a "
                         "contact (engine `hard`)");
    TRY(gauge_create_in(self, sizeof(rotational), 0, &settings, columns, 3, first, e));
    ((rotational *)*self)->species = ((const species_settings *)set)->species;
    return CAROM_OK;
}

static int ways_to_turn(const carom_frame *f, size_t i)
{
    if (f->semi_axes == NULL) return f->dimension == 3 ? 3 : 1;
    return f->semi_axes[3 * i] == f->semi_axes[3 * i + 1] ? 0 : f->dimension - 1;
}

/* Energy of rotation, times 2^(2 scale), and the degrees of freedom that share it. */
typedef struct turning {
    sum energy;
    double ways;
} turning;

static void add_particle(turning *t, const carom_frame *f, size_t i)
{
    const int turns = ways_to_turn(f, i);
    if (turns > 0) sum_add(&t->energy, frame_spin_energy(f, i));
    t->ways += turns;
}

static turning turning_of(const rotational *o, const carom_frame *f)
{
    turning t = {.ways = 0};
    frame_need(f, FRAME_VELOCITY | FRAME_AXIS | FRAME_SPECIES | frame_spin_columns(f));
    for (size_t i = 0; i < f->count; i++) {
        const bool single = f->clump == NULL || f->clump[i] < 0;
        if (single && species_has(o->species, f, i)) add_particle(&t, f, i);
    }
    for (size_t n = 0; n < f->solids; n++) {
        if (!f->solid[n].clump || !species_has(o->species, f, f->solid[n].first)) continue;
        sum_add(&t.energy, bodies_spin_energy(f, &f->solid[n]));
        t.ways += f->dimension == 3 ? 3 : 1;
    }
    return t;
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    rotational *o = self;
    const carom_frame *of;
    TRY(bodies_of(&o->bodies, frame, &of, e));
    const motion all = motion_of(of);
    const double translational =
        o->species == NO_SPECIES ? all.temperature : motion_temperature_of(of, &all, o->species);
    if (!motion_is_thermal(frame, of->count)) return CAROM_OK;
    if (o->species != NO_SPECIES && isnan(translational)) return CAROM_OK; /* no particle of the species */
    const turning t = turning_of(o, frame);
    const double scaled = t.ways > 0 ? 2 * sum_total(&t.energy) / t.ways : 0;
    double row[3] = {motion_unscaled(frame, scaled, 2), scaled / translational, motion_log10(frame, scaled, 2)};
    return series_add(&o->g.rows, frame->time, 1.0, row, e);
}

const observable observable_rotational_temperature = {.settings = &settings,
                                                      .needs_particles = true,
                                                      .create = create,
                                                      .sample = sample,
                                                      .result = gauge_result,
                                                      .drain = gauge_drain,
                                                      .save = gauge_save,
                                                      .load = gauge_load,
                                                      .destroy = destroy};

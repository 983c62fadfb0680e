/* Rotational temperature T_rot = sum I w^2 / (R N), R = 3 (in 2D 1) rotational degrees of freedom, and its ratio to
 * the translational one: 1 in equilibrium. An energy (k = 1). Smooth ellipsoids have R = 2 (in 2D 1), spheres among
 * them none. */
#include "measure/gauge.h"
#include "measure/motion.h"
#include "measure/sum.h"

static const settings_table settings = {
    .name = "rotational_temperature",
    .help = "temperature of the spins, sum I w^2 / (3 N) (of ellipsoids / (2 N); in 2 dimensions / N), and its ratio "
            "to `temperature`, of particles that rotate",
};

static const series_column columns[] = {
    {"rotational_temperature", "energy", 1, true}, {"ratio", "", 1, true}, {"log10_temperature", "", 1, false}};

static carom_status create(void **self, const void *unused, const carom_frame *first, error *e)
{
    (void)unused;
    if (first->spin == NULL || first->inertia == NULL)
        return error_set(e, CAROM_BAD_DATA,
                         "error: rotational_temperature: no particle of this scene rotates; set 'tangential' of a "
                         "contact (engine `hard`)");
    return gauge_create(self, &settings, columns, 3, first, e);
}

static int ways_to_turn(const carom_frame *f, size_t i)
{
    if (f->semi_axes == NULL) return f->dimension == 3 ? 3 : 1;
    return f->semi_axes[3 * i] == f->semi_axes[3 * i + 1] ? 0 : f->dimension - 1;
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    gauge *g = self;
    const double translational = motion_of(frame).temperature;
    sum energy = {0};
    double ways = 0;
    if (!motion_is_thermal(frame)) return CAROM_OK;
    frame_need(frame, FRAME_AXIS | frame_spin_columns(frame));
    for (size_t i = 0; i < frame->count; i++) {
        const int turns = ways_to_turn(frame, i);
        if (turns > 0) sum_add(&energy, frame_spin_energy(frame, i));
        ways += turns;
    }
    double scaled = ways > 0 ? 2 * sum_total(&energy) / ways : 0;
    double row[3] = {motion_unscaled(frame, scaled, 2), scaled / translational, motion_log10(frame, scaled, 2)};
    return series_add(&g->rows, frame->time, 1.0, row, e);
}

const observable observable_rotational_temperature = {.settings = &settings,
                                                      .separate = true,
                                                      .needs_particles = true,
                                                      .create = create,
                                                      .sample = sample,
                                                      GAUGE_FUNCTIONS};

/* Viscosity of a shear flow: -P_xy / rate, in a sheared box. The stress P_xy is that of `pressure`: the virial of
 * the collisions between two samples, and the mean of sum m c_x c_y at both, c = v - flow. The mean power that
 * maintains the flow is rate^2 viscosity per volume. */
#include "measure/box.h"
#include "measure/gauge.h"
#include "measure/motion.h"

static const settings_table settings = {
    .name = "shear_viscosity",
    .help = "viscosity of a sheared fluid or granular gas: minus the shear stress over the shear rate",
};

enum { VIRIAL, KINETIC, SUPPLIED, LOOKS };

static void look(const carom_frame *f, double now[LOOKS])
{
    motion m = motion_of(f);
    now[VIRIAL] = 0.5 * (f->tallies.virial[0][1] + f->tallies.virial[1][0]);
    now[KINETIC] = motion_unscaled(f, m.stress[0][1], 2);
    now[SUPPLIED] = f->tallies.supplied;
}

static carom_status create(void **self, const void *unused, const carom_frame *first, error *e)
{
    const char *unit = first->dimension == 3 ? "mass / length / time" : "mass / time";
    const series_column columns[] = {
        {"shear_viscosity", unit, 1, true}, {"stress", "energy / volume", 1, true}, {"by_work", unit, 1, true}};
    (void)unused;
    TRY(gauge_create(self, &settings, columns, 3, first, e));
    look(first, ((gauge *)*self)->last);
    return CAROM_OK;
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    gauge *g = self;
    double now[LOOKS], interval = frame->time - g->last_time, volume = box_volume(frame), rate = frame->shear;
    if (!(interval > 0)) return CAROM_OK;
    look(frame, now);
    const double kinetic = 0.5 * (g->last[KINETIC] + now[KINETIC]);
    const double stress = box_ratio(kinetic + (now[VIRIAL] - g->last[VIRIAL]) / interval, volume);
    const double work = (now[SUPPLIED] - g->last[SUPPLIED]) / (interval * volume * rate * rate);
    const double row[3] = {-stress / rate, stress, work};
    g->last_time = frame->time;
    for (int k = 0; k < LOOKS; k++) g->last[k] = now[k];
    return series_add(&g->rows, frame->time, interval, row, e);
}

const observable observable_shear_viscosity = {.settings = &settings,
                                               .tallies = TALLY_SHEAR,
                                               .needs_particles = true,
                                               .create = create,
                                               .sample = sample,
                                               GAUGE_FUNCTIONS};

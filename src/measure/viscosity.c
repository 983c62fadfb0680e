/* Shear viscosity from the flow of momentum (measure/helfand.h): Q_ab = integral of sum m v_a v_b dt + sum over
 * collisions of J_a r_b, and p = 1 / (volume T). The result is an average over components that are equal in an
 * isotropic fluid: ab and the differences (aa - bb) / 2, of which D (D - 1) / 2 and D - 1 are independent. */
#include "measure/box.h"
#include "measure/helfand.h"

static const settings_table settings = {
    .name = "viscosity",
    .help = "shear viscosity of a fluid in equilibrium, by the relations of Einstein and of Green and Kubo",
    .size = sizeof(helfand_settings),
    .entries = helfand_entries,
    .count = HELFAND_SETTINGS,
};

static void look(const carom_frame *f, double moment[HELFAND_CHANNELS])
{
    const double(*q)[3] = f->tallies.transport.momentum;
    const int pairs = f->dimension == 3 ? 3 : 1;
    for (int k = 0; k < pairs; k++) {
        const int a = k, b = (k + 1) % f->dimension;
        moment[k] = 0.5 * (q[a][b] + q[b][a]);
        moment[pairs + k] = 0.5 * (q[a][a] - q[b][b]);
    }
}

static carom_status create(void **self, const void *set, const carom_frame *first, error *e)
{
    const helfand_kind flat = {"viscosity", "mass / time", "pressure", 2, {0.5, 0.5}};
    const helfand_kind solid = {
        "viscosity", "mass / length / time", "pressure", 6, {0.2, 0.2, 0.2, 2 / 15.0, 2 / 15.0, 2 / 15.0}};
    double moment[HELFAND_CHANNELS];
    look(first, moment);
    return helfand_create(self, first->dimension == 2 ? &flat : &solid, box_volume(first), 1, set, first, moment, e);
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    double moment[HELFAND_CHANNELS];
    look(frame, moment);
    return helfand_sample(self, frame, moment, e);
}

const observable observable_viscosity = {.settings = &settings,
                                         .tallies = TALLY_TRANSPORT,
                                         .needs_particles = true,
                                         .equal_steps = true,
                                         .follows = true,
                                         .create = create,
                                         .sample = sample,
                                         HELFAND_FUNCTIONS};

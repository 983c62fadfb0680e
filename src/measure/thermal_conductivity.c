/* Thermal conductivity from the flow of energy (measure/helfand.h): Q_a = integral of sum v_a m v^2 / 2 dt + sum over
 * collisions of r_a (dE_i - dE_j) / 2, and p = 1 / (volume T^2), k_B = 1. In a fluid of particles of one mass with zero
 * total momentum, the enthalpy flow of the particles is zero. */
#include "measure/box.h"
#include "measure/helfand.h"

static const settings_table settings = {
    .name = "thermal_conductivity",
    .help = "thermal conductivity of a fluid in equilibrium, by the relations of Einstein and of Green and Kubo",
    .size = sizeof(helfand_settings),
    .entries = helfand_entries,
    .count = HELFAND_SETTINGS,
};

static carom_status check_masses(const carom_frame *f, error *e)
{
    frame_need(f, FRAME_MASS);
    for (size_t i = 1; i < f->count; i++)
        if (f->mass[i] != f->mass[0])
            return error_set(e, CAROM_BAD_DATA,
                             "error: thermal_conductivity needs particles of one mass, found %.9g and %.9g: the heat "
                             "flux of a mixture is not unique",
                             f->mass[0], f->mass[i]);
    return CAROM_OK;
}

static carom_status create(void **self, const void *set, const carom_frame *first, error *e)
{
    const helfand_kind flat = {"thermal_conductivity", "1 / time", "1 / time^2", 2, {0.5, 0.5}};
    const helfand_kind solid = {
        "thermal_conductivity", "1 / length / time", "1 / length / time^2", 3, {1 / 3.0, 1 / 3.0, 1 / 3.0}};
    TRY(check_masses(first, e));
    return helfand_create(self, first->dimension == 2 ? &flat : &solid, box_volume(first), 2, set, first,
                          first->tallies.transport.heat, e);
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    return helfand_sample(self, frame, frame->tallies.transport.heat, e);
}

const observable observable_thermal_conductivity = {.settings = &settings,
                                                    .tallies = TALLY_TRANSPORT,
                                                    .needs_particles = true,
                                                    .equal_steps = true,
                                                    .follows = true,
                                                    .create = create,
                                                    .sample = sample,
                                                    HELFAND_FUNCTIONS};

#include "measure/measure.h"

#include <string.h>

/* One line for each observable, whose file defines observable_<name>. */
#define OBSERVABLES(each)                                                                                              \
    each(energy) each(momentum) each(temperature) each(rotational_temperature) each(nematic_order)                     \
        each(collision_rate) each(pressure) each(packing_fraction) each(wall_pressure) each(power)                     \
            each(shear_viscosity) each(msd) each(vacf) each(viscosity) each(thermal_conductivity)                      \
                each(radial_distribution) each(velocity_distribution) each(impact_separation) each(stabilising)        \
                    each(three_body) each(clusters) each(shape) each(ledger) each(layers) each(paths) each(mass_flow)  \
                        each(coordination) each(fabric) each(mixing) each(free_surface) each(chains) each(stress)      \
                            each(fields) each(force_distribution) each(dissipation) each(exchange)

#define DECLARE(name) extern const observable observable_##name;
#define LIST(name) &observable_##name,

OBSERVABLES(DECLARE)

const observable *const observables[] = {OBSERVABLES(LIST)};

const size_t observable_count = sizeof observables / sizeof observables[0];

static bool has_setting(const settings_table *t, const char *name)
{
    for (size_t k = 0; k < t->count; k++)
        if (strcmp(t->entries[k].name, name) == 0) return true;
    return false;
}

bool measure_is_setting(const char *what, const char *value)
{
    for (size_t k = 0; k < observable_count; k++)
        if (strcmp(observables[k]->settings->name, what) == 0) return has_setting(observables[k]->settings, value);
    return false;
}

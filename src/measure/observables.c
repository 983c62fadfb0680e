#include "measure/measure.h"

extern const observable observable_energy, observable_momentum, observable_temperature, observable_collision_rate,
    observable_pressure, observable_wall_pressure, observable_msd, observable_vacf,
    observable_radial_distribution, observable_velocity_distribution, observable_impact_separation,
    observable_stabilising, observable_three_body;

const observable *const observables[] = {
    &observable_energy,
    &observable_momentum,
    &observable_temperature,
    &observable_collision_rate,
    &observable_pressure,
    &observable_wall_pressure,
    &observable_msd,
    &observable_vacf,
    &observable_radial_distribution,
    &observable_velocity_distribution,
    &observable_impact_separation,
    &observable_stabilising,
    &observable_three_body,
};

const size_t observable_count = sizeof observables / sizeof observables[0];

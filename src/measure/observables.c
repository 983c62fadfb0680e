#include "measure/measure.h"

extern const observable observable_energy, observable_momentum, observable_temperature, observable_collision_rate,
    observable_pressure, observable_wall_pressure;

const observable *const observables[] = {
    &observable_energy,         &observable_momentum, &observable_temperature,
    &observable_collision_rate, &observable_pressure, &observable_wall_pressure,
};

const size_t observable_count = sizeof observables / sizeof observables[0];

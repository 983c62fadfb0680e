#include "aggregation/flight_steps.h"

#include <math.h>
#include <stdio.h>

#include "aggregation/settings.h"
#include "base/memory.h"

/* All particles take the time step of the fastest particle. */
typedef struct flight {
    double *speeds;
    size_t count;
    double reach; /* distance that the fastest particle moves in one step */
} flight;

static double cost_up_to(void *data, double speed)
{
    const flight *f = data;
    size_t n = 0;
    while (n < f->count && f->speeds[n] > speed) n++;
    return n < f->count ? (double)(f->count - n) * f->speeds[n] / f->reach : 0;
}

static double speed_of(const initial_state *state, size_t i)
{
    const double *v = state->velocity[i];
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

carom_status flight_steps(const scene *s, const initial_state *state, engine_steps *out, error *e)
{
    const steps_settings *settings = &((const aggregation_settings *)s->engine_settings)->steps;
    size_t fastest = 0;
    double least = INFINITY;
    flight all = {.count = state->count, .speeds = NEW_ARRAY(state->count, double)};
    if (all.speeds == NULL) return error_memory(e, "speeds", state->count * sizeof(double));
    for (size_t i = 0; i < state->count; i++) {
        all.speeds[i] = speed_of(state, i);
        least = fmin(least, 0.5 * state->diameter[i]);
        if (all.speeds[i] > all.speeds[fastest]) fastest = i;
    }
    const double top = state->count > 0 ? all.speeds[fastest] : 0;
    all.reach = settings->cfl * least;
    if (settings->dt > 0 || top > 0) {
        carom_step *row = steps_add(out, "flight", settings->dt > 0 ? settings->dt : all.reach / top, 0, state->count);
        if (settings->dt == 0) {
            snprintf(row->element, sizeof row->element, "particle %zu", fastest);
            row->particles[row->particle_count++] = (uint32_t)fastest;
            for (int k = 0; k < 3; k++) row->position[k] = state->position[fastest][k];
            steps_find_outliers(row, &(steps_costs){all.speeds, all.count, cost_up_to, &all},
                                "make the fastest slower, or use `method: events`");
        }
    }
    memory_free(all.speeds);
    return CAROM_OK;
}

/* Is there any hope of another merge? */
#include "aggregation/kernel/rotating/body.h"

#define ROUNDING 1e-28

/* Mean square of the speeds, by mass; along axes that nothing stops, relative to the centre of mass. */
static double relative_square(const swarm *s, double *square)
{
    double mass = 0, relative = 0, spin = 0, mean[DIM] = {0};
    *square = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->particle[i].root != i) continue;
        mass += s->cluster[i].mass;
        for (int k = 0; k < DIM; k++)
            if (s->period[k] > 0) mean[k] += s->cluster[i].p[k];
    }
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->particle[i].root != i) continue;
        for (int k = 0; k < DIM; k++) {
            double v = s->motion[i].v[k], u = v - mean[k] / mass;
            *square += s->cluster[i].mass * v * v / mass;
            relative += s->cluster[i].mass * u * u / mass;
        }
#if CAROM_ROTATING
        spin += 2 * body_energy(s, i) / mass;
#endif
    }
    if (relative > ROUNDING * *square || spin == 0) return relative;
    return *square = spin; /* where nothing else moves, turning may still bring two together */
}

/* Of clusters no larger than the smallest particle, as many as there are; at least a box. */
static double free_path(const swarm *s)
{
    const double pi = 3.141592653589793, contact = 2 * s->smallest;
    double volume = 1, longest = 0;
    for (int k = 0; k < DIM; k++) {
        volume *= s->size[k];
        longest = fmax(longest, s->size[k]);
    }
    return fmax(longest, 2 * volume / ((double)s->clusters * (DIM == 2 ? 2 * contact : pi * contact * contact)));
}

double swarm_stall_time(const swarm *s)
{
    double square, relative = relative_square(s, &square);
    if (relative <= ROUNDING * square) return s->last_merge;
    return s->last_merge + s->settings->patience * free_path(s) / sqrt(relative);
}

/* Is there any hope of another merge? */
#include "aggregation/kernel/rotating/body.h"

#include "aggregation/kernel/stall.h"

static drift drift_of(const swarm *s)
{
    drift d = {.mass = 0};
    for (uint32_t i = 0; i < s->count; i++)
        if (s->particle[i].root == i) drift_weigh(&d, s->cluster[i].mass, s->cluster[i].p);
    for (uint32_t i = 0; i < s->count; i++)
        if (s->particle[i].root == i) drift_measure(&d, s->cluster[i].mass, s->motion[i].v, s->period);
#if CAROM_ROTATING
    double spin = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->particle[i].root == i) spin += 2 * body_energy(s, i) / d.mass;
    if (drift_is_idle(&d) && spin > 0) d.square = d.relative = spin; /* turning may still bring two together */
#endif
    return d;
}

static double swarm_pace(const swarm *s)
{
    return sqrt(drift_of(s).square);
}

/* On average no cluster gets faster than at the start. */
static double swarm_stall_early(const swarm *s)
{
    return s->last_merge + s->settings->patience * stall_path(s->size, s->smallest, s->clusters) / s->pace;
}

static double swarm_stall_time(const swarm *s)
{
    const drift d = drift_of(s);
    return s->last_merge + stall_wait(&d, s->settings->patience, stall_path(s->size, s->smallest, s->clusters));
}

/* Impacts: the test whether two clusters merge, and bounces of those that do not. A bounce is an impulse along the line
 * of centres of the particles in contact. */
#include "aggregation/kernel/events/impact.h"
#include "aggregation/kernel/events/record.h"

#include "scene/restitution.h"

static impact impact_of(const cluster_state *s, uint32_t i, uint32_t j)
{
    impact m = {.speed = 0};
    double a[DIM], b[DIM], u[DIM], w[DIM], square = 0;
    particle_at(s, i, s->now, a, u);
    particle_at(s, j, s->now, b, w);
    for (int k = 0; k < DIM; k++) {
        const double d = a[k] - b[k];
        m.normal[k] = d - s->period[k] * nearest_whole(d * s->per_period[k]);
        square += m.normal[k] * m.normal[k];
    }
    for (int k = 0; k < DIM; k++) {
        m.normal[k] /= sqrt(square);
        m.speed -= m.normal[k] * (u[k] - w[k]);
    }
    const uint32_t a_species = s->kind[s->particle[i].kind].species, b_species = s->kind[s->particle[j].kind].species;
    m.law = &s->scene->laws[s->scene->pair_law[a_species * s->scene->species_count + b_species]];
    return m;
}

static bool bounce_sticks(const cluster_state *s, uint32_t i, uint32_t j)
{
    const impact m = impact_of(s, i, j);
    return m.speed < m.law->stick_below;
}

static void bounce_clusters(cluster_state *s, uint32_t i, uint32_t j)
{
    if (s->id[i] > s->id[j]) {
        uint32_t other = i;
        i = j;
        j = other;
    }
    const impact m = impact_of(s, i, j);
    const double e = restitution(m.law, m.speed), mass = bounce_impulse(s, i, j, &m, e);
    s->history.dissipated += 0.5 * mass * (1 - e * e) * m.speed * m.speed;
    s->events[EVENT_COLLISION]++;
    if (s->log != NULL) record_bounce(s, i, j, &m, (1 + e) * mass * m.speed);
}

/* Impacts too fast to stick. Clusters do not turn, so an impulse along the line of centres acts on each as a whole. */
#include "aggregation/kernel/events/swarm.h"

#include "scene/restitution.h"

typedef struct impact {
    double normal[DIM]; /* from j to i */
    double speed;       /* of approach, along it */
    const restitution_law *law;
} impact;

static impact impact_of(const swarm *s, uint32_t i, uint32_t j)
{
    impact m = {{0}, 0, NULL};
    double a[DIM], b[DIM], square = 0;
    const motion *p = &s->motion[s->particle[i].root], *q = &s->motion[s->particle[j].root];
    position_at(s, i, s->now, a);
    position_at(s, j, s->now, b);
    for (int k = 0; k < DIM; k++) {
        double d = a[k] - b[k];
        m.normal[k] = d - s->period[k] * rint(d * s->per_period[k]);
        square += m.normal[k] * m.normal[k];
    }
    for (int k = 0; k < DIM; k++) {
        m.normal[k] /= sqrt(square);
        m.speed -= m.normal[k] * (p->v[k] - q->v[k]);
    }
    const uint32_t a_species = s->kind[s->particle[i].kind].species, b_species = s->kind[s->particle[j].kind].species;
    m.law = &s->scene->laws[s->scene->pair_law[a_species * s->scene->species_count + b_species]];
    return m;
}

bool bounce_sticks(const swarm *s, uint32_t i, uint32_t j)
{
    const impact m = impact_of(s, i, j);
    return m.speed < m.law->stick_below;
}

void bounce_clusters(swarm *s, uint32_t i, uint32_t j)
{
    if (s->id[i] > s->id[j]) {
        uint32_t other = i;
        i = j;
        j = other;
    }
    const uint32_t a = s->particle[i].root, b = s->particle[j].root;
    const impact m = impact_of(s, i, j);
    const double e = restitution(m.law, m.speed), ma = s->cluster[a].mass, mb = s->cluster[b].mass;
    const double reduced = ma * mb / (ma + mb), impulse = (1 + e) * reduced * m.speed;
    bring_to_now(s, a);
    bring_to_now(s, b);
    for (int k = 0; k < DIM; k++) {
        s->cluster[a].p[k] += impulse * m.normal[k];
        s->cluster[b].p[k] -= impulse * m.normal[k];
    }
    set_velocity(s, a);
    set_velocity(s, b);
    s->dissipated += 0.5 * reduced * (1 - e * e) * m.speed * m.speed;
    s->events[EVENT_COLLISION]++;
}

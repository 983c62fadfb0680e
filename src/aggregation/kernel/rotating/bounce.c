/* Impacts too fast to stick, between clusters that turn: the particles are smooth, so the impulse is along their line of
 * centres, at the point of contact. */
#include "aggregation/kernel/rotating/body.h"

#include "scene/restitution.h"

typedef struct impact {
    double normal[DIM]; /* from j to i */
    double speed;       /* of approach, along it */
    pose pose[2];
    double arm[2][DIM]; /* of the particles' centres, from the clusters' */
    const restitution_law *law;
} impact;

static impact impact_of(const swarm *s, uint32_t i, uint32_t j)
{
    const uint32_t pair[2] = {i, j};
    double r[2][DIM], u[2][DIM], square = 0;
    impact m = {.speed = 0};
    for (int n = 0; n < 2; n++) {
        m.pose[n] = pose_at(s, s->particle[pair[n]].root, s->now);
        pose_particle(s, &m.pose[n], pair[n], r[n], u[n]);
        for (int k = 0; k < DIM; k++) m.arm[n][k] = r[n][k] - m.pose[n].o[k];
    }
    for (int k = 0; k < DIM; k++) {
        const double d = r[0][k] - r[1][k];
        m.normal[k] = d - s->period[k] * rint(d * s->per_period[k]);
        square += m.normal[k] * m.normal[k];
    }
    for (int k = 0; k < DIM; k++) {
        m.normal[k] /= sqrt(square);
        m.speed -= m.normal[k] * (u[0][k] - u[1][k]);
    }
    const uint32_t a = s->kind[s->particle[i].kind].species, b = s->kind[s->particle[j].kind].species;
    m.law = &s->scene->laws[s->scene->pair_law[a * s->scene->species_count + b]];
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
    const uint32_t pair[2] = {s->particle[i].root, s->particle[j].root};
    const impact m = impact_of(s, i, j);
    const double e = restitution(m.law, m.speed);
    double yield = 0, push[DIM];
    for (int n = 0; n < 2; n++) yield += body_yield(s, pair[n], &m.pose[n], m.arm[n], m.normal);
    for (int n = 0; n < 2; n++) {
        for (int k = 0; k < DIM; k++) push[k] = (n == 0 ? 1 : -1) * (1 + e) * m.speed / yield * m.normal[k];
        bring_to_now(s, pair[n]);
        body_push(s, pair[n], m.arm[n], push);
    }
    s->dissipated += 0.5 / yield * (1 - e * e) * m.speed * m.speed;
    s->events[EVENT_COLLISION]++;
}

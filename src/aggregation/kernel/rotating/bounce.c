/* Bounces of rotating clusters, at impacts above the sticking speed. The particles are smooth, so the impulse acts at
 * the point of contact, along the line of centres. */
#include "aggregation/kernel/events/impact.h"
#include "aggregation/kernel/rotating/body.h"

static double bounce_impulse(cluster_state *s, uint32_t i, uint32_t j, const impact *m, double e)
{
    const uint32_t pair[2] = {i, j};
    double arm[2][DIM], u[DIM], push[DIM], inverse_mass = 0;
    for (int n = 0; n < 2; n++) {
        const uint32_t root = s->particle[pair[n]].root;
        const pose now = pose_at(s, root, s->now);
        pose_particle(s, &now, pair[n], arm[n], u);
        for (int k = 0; k < DIM; k++) arm[n][k] -= now.o[k];
        inverse_mass += body_inverse_mass(s, root, &now, arm[n], m->normal);
    }
    for (int n = 0; n < 2; n++) {
        const uint32_t root = s->particle[pair[n]].root;
        for (int k = 0; k < DIM; k++) push[k] = (n == 0 ? 1 : -1) * (1 + e) * m->speed / inverse_mass * m->normal[k];
        advance_to_now(s, root);
        body_apply_impulse(s, root, arm[n], push);
    }
    return 1 / inverse_mass;
}

/* Bounces: impacts above the sticking speed. These clusters do not rotate, so the impulse acts on each cluster as a
 * whole. */
#include "aggregation/kernel/events/impact.h"

static double bounce_impulse(cluster_state *s, uint32_t i, uint32_t j, const impact *m, double e)
{
    const uint32_t a = s->particle[i].root, b = s->particle[j].root;
    const double ma = s->cluster[a].mass, mb = s->cluster[b].mass, reduced = ma * mb / (ma + mb);
    const double impulse = (1 + e) * reduced * m->speed;
    advance_to_now(s, a);
    advance_to_now(s, b);
    for (int k = 0; k < DIM; k++) {
        s->cluster[a].p[k] += impulse * m->normal[k];
        s->cluster[b].p[k] -= impulse * m->normal[k];
    }
    set_velocity(s, a);
    set_velocity(s, b);
    return reduced;
}

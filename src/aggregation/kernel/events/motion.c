/* Motion of clusters: state at the present time, and velocity. */
#include "aggregation/kernel/events/state.h"

#include "frame/image.h"

/* Moves the origin to the present time and wraps it into the box: the new state of the cluster. */
static void advance_to_now(cluster_state *s, uint32_t root)
{
    motion *m = &s->motion[root];
    cluster *c = &s->cluster[root];
    for (int k = 0; k < DIM; k++) {
        double o = m->o[k] + m->v[k] * (s->now - m->t), turns = floor(o * s->per_period[k]);
        m->o[k] = o - turns * s->period[k];
        c->anchor[k] -= turns * s->period[k];
        c->image[k] = image_moved(c->image[k], turns);
    }
    m->t = s->now;
}

static void set_velocity(cluster_state *s, uint32_t root)
{
    for (int k = 0; k < DIM; k++) s->motion[root].v[k] = s->cluster[root].p[k] / s->cluster[root].mass;
}

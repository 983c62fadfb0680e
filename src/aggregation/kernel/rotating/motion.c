/* Motion of rotating clusters: state at the present time, and velocity. */
#include "aggregation/kernel/rotating/body.h"

#include "frame/image.h"

/* Moves the centre of mass to the present time and wraps it into the box. */
static void bring_inside(cluster_state *s, uint32_t root)
{
    motion *m = &s->motion[root];
    cluster *c = &s->cluster[root];
    for (int k = 0; k < DIM; k++) {
        const double turns = floor(m->o[k] * s->per_period[k]);
        m->o[k] -= turns * s->period[k];
        c->anchor[k] -= turns * s->period[k];
        c->image[k] = image_moved(c->image[k], turns);
    }
}

static void advance_to_now(cluster_state *s, uint32_t root)
{
    motion *m = &s->motion[root];
    double attitude[ATTITUDE];
    attitude_at(s, root, s->now, attitude);
    attitude_normalise(attitude);
    for (int k = 0; k < ATTITUDE; k++) s->rotation.body[root].attitude[k] = attitude[k];
    for (int k = 0; k < DIM; k++) m->o[k] += m->v[k] * (s->now - m->t);
    m->t = s->now;
    attitude_reset(s, root);
    bring_inside(s, root);
}

static void set_velocity(cluster_state *s, uint32_t root)
{
    for (int k = 0; k < DIM; k++) s->motion[root].v[k] = s->cluster[root].p[k] / s->cluster[root].mass;
    inertia_update(&s->rotation.body[root], s->rotation.body[root].attitude);
    attitude_reset(s, root);
}

#include "aggregation/kernel/rotating/body.h"

static pose pose_at(const cluster_state *s, uint32_t root, double t)
{
    const motion *m = &s->motion[root];
    double attitude[ATTITUDE];
    pose p;
    attitude_at(s, root, t, attitude);
    attitude_axes(attitude, p.e);
    inertia_angular_velocity(&s->rotation.body[root], p.e, s->rotation.body[root].l, p.w);
    for (int k = 0; k < DIM; k++) {
        p.o[k] = m->o[k] + m->v[k] * (t - m->t);
        p.v[k] = m->v[k];
    }
    return p;
}

static const pose *pose_of(const cluster_state *s, uint32_t root, double t, pose *room)
{
    pose_cache *m = &s->rotation.cache[root];
    if (m->t == t) return &m->pose;
    *room = pose_at(s, root, t);
    if (t == s->now) *m = (pose_cache){t, *room};
    return room;
}

/* Vector from the centre of mass to a particle, in the axes of the body. */
static void arm(const cluster_state *s, uint32_t i, double a[DIM])
{
    const particle *p = &s->particle[i];
    for (int k = 0; k < DIM; k++) a[k] = p->xi[k] - s->rotation.body[p->root].centre[k];
}

static void pose_particle(const cluster_state *s, const pose *p, uint32_t i, double r[DIM], double u[DIM])
{
    double a[DIM], x[DIM];
    arm(s, i, a);
    to_space(p->e, a, x);
    turning(p->w, x, u);
    for (int k = 0; k < DIM; k++) {
        r[k] = p->o[k] + x[k];
        u[k] += p->v[k];
    }
}

static double body_distance(const cluster_state *s, uint32_t i)
{
    double a[DIM];
    arm(s, i, a);
    return length_of(a, DIM);
}

static void particle_at(const cluster_state *s, uint32_t i, double t, double r[DIM], double u[DIM])
{
    pose room;
    pose_particle(s, pose_of(s, s->particle[i].root, t, &room), i, r, u);
}

static void position_at(const cluster_state *s, uint32_t i, double t, double r[DIM])
{
    pose room;
    double a[DIM];
    const pose *p = pose_of(s, s->particle[i].root, t, &room);
    arm(s, i, a);
    to_space(p->e, a, r);
    for (int k = 0; k < DIM; k++) r[k] = p->o[k] + r[k];
}

static void spin_at(const cluster_state *s, uint32_t i, double t, double spin[3])
{
    pose room;
    const pose *p = pose_of(s, s->particle[i].root, t, &room);
    for (int k = 0; k < 3; k++) spin[k] = 0;
    for (int k = 0; k < TURN; k++) spin[DIM == 2 ? 2 : k] = p->w[k];
}

static void anchored_at(const cluster_state *s, uint32_t i, double r[DIM])
{
    const uint32_t root = s->particle[i].root;
    double a[DIM], e[DIM][DIM];
    arm(s, i, a);
    attitude_axes(s->rotation.body[root].anchored, e);
    to_space(e, a, r);
    for (int k = 0; k < DIM; k++) r[k] += s->cluster[root].anchor[k];
}

static void anchor_here(cluster_state *s, uint32_t root)
{
    const motion *m = &s->motion[root];
    for (int k = 0; k < DIM; k++) s->cluster[root].anchor[k] = m->o[k] + m->v[k] * (s->now - m->t);
    attitude_at(s, root, s->now, s->rotation.body[root].anchored);
}

static double fastest_speed(const cluster_state *s, uint32_t root)
{
    return length_of(s->motion[root].v, DIM) + s->rotation.body[root].rate * s->rotation.body[root].reach;
}

/* The ball around an isolated cluster does not depend on its attitude. */
static double skin_time(const cluster_state *s, uint32_t root)
{
    const motion *m = &s->motion[root];
    const cluster *c = &s->cluster[root];
    const body *b = &s->rotation.body[root];
    double way[DIM], attitude[ATTITUDE], speed = length_of(m->v, DIM);
    for (int k = 0; k < DIM; k++) way[k] = m->o[k] + m->v[k] * (s->now - m->t) - c->anchor[k];
    double used = length_of(way, DIM);
    if (!c->isolated) {
        attitude_at(s, root, s->now, attitude);
        used += attitude_apart(attitude, b->anchored) * b->reach;
        speed += b->rate * b->reach;
    }
    return speed > 0 ? s->now + fmax(0, c->skin - used) / speed : INFINITY;
}

static double body_energy(const cluster_state *s, uint32_t root)
{
    const pose p = pose_at(s, root, s->motion[root].t);
    double twice = 0;
    for (int k = 0; k < TURN; k++) twice += s->rotation.body[root].l[k] * p.w[k];
    return 0.5 * twice;
}

static bool body_turns(const cluster_state *s, uint32_t root)
{
    for (int k = 0; k < DIM; k++)
        if (s->period[k] > 0 && 2 * s->rotation.body[root].reach > s->period[k]) return false;
    return true;
}

static double body_inverse_mass(const cluster_state *s, uint32_t root, const pose *p, const double r[DIM],
                                const double normal[DIM])
{
    double torque[TURN], w[TURN], inverse_mass = 1 / s->cluster[root].mass;
    if (!body_turns(s, root)) return inverse_mass;
    moment(r, normal, torque);
    inertia_angular_velocity(&s->rotation.body[root], p->e, torque, w);
    for (int k = 0; k < TURN; k++) inverse_mass += torque[k] * w[k];
    return inverse_mass;
}

static void body_apply_impulse(cluster_state *s, uint32_t root, const double r[DIM], const double impulse[DIM])
{
    double torque[TURN];
    moment(r, impulse, torque);
    for (int k = 0; k < DIM; k++) s->cluster[root].p[k] += impulse[k];
    if (body_turns(s, root))
        for (int k = 0; k < TURN; k++) s->rotation.body[root].l[k] += torque[k];
    set_velocity(s, root);
}

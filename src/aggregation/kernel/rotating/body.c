#include "aggregation/kernel/rotating/body.h"

#include "base/memory.h"

static carom_status bodies_create(swarm *s, error *e)
{
    s->body = NEW_ARRAY(s->count, body);
    if (s->body == NULL) return error_memory(e, "the clusters", s->count * sizeof *s->body);
    for (uint32_t i = 0; i < s->count; i++) {
        body *b = &s->body[i];
        b->attitude[0] = b->anchored[0] = 1;
        b->reach = radius_of(s, i);
        b->measured = 1;
        inertia_of_particle(s->cluster[i].mass, b->reach, b->inertia);
        inertia_settle(b, b->attitude);
    }
    s->memo = NEW_ARRAY(s->count, memo);
    if (s->memo == NULL) return error_memory(e, "the clusters", s->count * sizeof *s->memo);
    for (uint32_t i = 0; i < s->count; i++) s->memo[i].t = NAN;
    return attitude_create(s, e);
}

static void bodies_destroy(swarm *s)
{
    attitude_destroy(s);
    memory_free(s->body);
    memory_free(s->memo);
}

static size_t bodies_memory(size_t count)
{
    return count * (sizeof(body) + sizeof(memo) + (DIM == 3 ? 640 : 0));
}

static pose pose_at(const swarm *s, uint32_t root, double t)
{
    const motion *m = &s->motion[root];
    double attitude[ATTITUDE];
    pose p;
    attitude_at(s, root, t, attitude);
    attitude_axes(attitude, p.e);
    inertia_answer(&s->body[root], p.e, s->body[root].l, p.w);
    for (int k = 0; k < DIM; k++) {
        p.o[k] = m->o[k] + m->v[k] * (t - m->t);
        p.v[k] = m->v[k];
    }
    return p;
}

static const pose *pose_of(const swarm *s, uint32_t root, double t, pose *room)
{
    memo *m = &s->memo[root];
    if (m->t == t) return &m->pose;
    *room = pose_at(s, root, t);
    if (t == s->now) *m = (memo){t, *room};
    return room;
}

/* From the centre of mass, along the body's axes. */
static void arm(const swarm *s, uint32_t i, double a[DIM])
{
    const particle *p = &s->particle[i];
    for (int k = 0; k < DIM; k++) a[k] = p->xi[k] - s->body[p->root].centre[k];
}

static void pose_particle(const swarm *s, const pose *p, uint32_t i, double r[DIM], double u[DIM])
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

static double body_distance(const swarm *s, uint32_t i)
{
    double a[DIM];
    arm(s, i, a);
    return length_of(a, DIM);
}

static void particle_at(const swarm *s, uint32_t i, double t, double r[DIM], double u[DIM])
{
    pose room;
    pose_particle(s, pose_of(s, s->particle[i].root, t, &room), i, r, u);
}

static void position_at(const swarm *s, uint32_t i, double t, double r[DIM])
{
    pose room;
    double a[DIM];
    const pose *p = pose_of(s, s->particle[i].root, t, &room);
    arm(s, i, a);
    to_space(p->e, a, r);
    for (int k = 0; k < DIM; k++) r[k] = p->o[k] + r[k];
}

static void spin_at(const swarm *s, uint32_t i, double t, double spin[3])
{
    pose room;
    const pose *p = pose_of(s, s->particle[i].root, t, &room);
    for (int k = 0; k < 3; k++) spin[k] = 0;
    for (int k = 0; k < TURN; k++) spin[DIM == 2 ? 2 : k] = p->w[k];
}

static void anchored_at(const swarm *s, uint32_t i, double r[DIM])
{
    const uint32_t root = s->particle[i].root;
    double a[DIM], e[DIM][DIM];
    arm(s, i, a);
    attitude_axes(s->body[root].anchored, e);
    to_space(e, a, r);
    for (int k = 0; k < DIM; k++) r[k] += s->cluster[root].anchor[k];
}

static void anchor_here(swarm *s, uint32_t root)
{
    const motion *m = &s->motion[root];
    for (int k = 0; k < DIM; k++) s->cluster[root].anchor[k] = m->o[k] + m->v[k] * (s->now - m->t);
    attitude_at(s, root, s->now, s->body[root].anchored);
}

static double fastest_speed(const swarm *s, uint32_t root)
{
    return length_of(s->motion[root].v, DIM) + s->body[root].rate * s->body[root].reach;
}

/* The ball around a cluster that is alone is as good when it has turned. */
static double skin_time(const swarm *s, uint32_t root)
{
    const motion *m = &s->motion[root];
    const cluster *c = &s->cluster[root];
    const body *b = &s->body[root];
    double way[DIM], attitude[ATTITUDE], speed = length_of(m->v, DIM);
    for (int k = 0; k < DIM; k++) way[k] = m->o[k] + m->v[k] * (s->now - m->t) - c->anchor[k];
    double used = length_of(way, DIM);
    if (!c->alone) {
        attitude_at(s, root, s->now, attitude);
        used += attitude_apart(attitude, b->anchored) * b->reach;
        speed += b->rate * b->reach;
    }
    return speed > 0 ? s->now + fmax(0, c->skin - used) / speed : INFINITY;
}

static double body_energy(const swarm *s, uint32_t root)
{
    const pose p = pose_at(s, root, s->motion[root].t);
    double twice = 0;
    for (int k = 0; k < TURN; k++) twice += s->body[root].l[k] * p.w[k];
    return 0.5 * twice;
}

static bool body_turns(const swarm *s, uint32_t root)
{
    for (int k = 0; k < DIM; k++)
        if (s->period[k] > 0 && 2 * s->body[root].reach > s->period[k]) return false;
    return true;
}

static double body_yield(const swarm *s, uint32_t root, const pose *p, const double r[DIM], const double normal[DIM])
{
    double torque[TURN], w[TURN], yield = 1 / s->cluster[root].mass;
    if (!body_turns(s, root)) return yield;
    moment(r, normal, torque);
    inertia_answer(&s->body[root], p->e, torque, w);
    for (int k = 0; k < TURN; k++) yield += torque[k] * w[k];
    return yield;
}

static void body_push(swarm *s, uint32_t root, const double r[DIM], const double impulse[DIM])
{
    double torque[TURN];
    moment(r, impulse, torque);
    for (int k = 0; k < DIM; k++) s->cluster[root].p[k] += impulse[k];
    if (body_turns(s, root))
        for (int k = 0; k < TURN; k++) s->body[root].l[k] += torque[k];
    set_velocity(s, root);
}

/* Execution of events: a merge of two clusters, or a collision of a cluster with a wall. */
#include "aggregation/kernel/events/members.h"
#include "aggregation/kernel/events/record.h"

static double wall_next(const cluster_state *s, uint32_t root, double *until, int *axis)
{
    (void)until;
    const motion *m = &s->motion[root];
    const cluster *c = &s->cluster[root];
    double first = INFINITY;
    for (int k = 0; k < DIM; k++) {
        if (s->period[k] > 0 || m->v[k] == 0) continue;
        double way = m->v[k] < 0 ? -(m->o[k] + c->low[k]) : s->size[k] - (m->o[k] + c->high[k]);
        double ahead = way * m->v[k] > 0 ? way / m->v[k] : 0;
        if (m->t + ahead < first) {
            first = m->t + ahead;
            *axis = k;
        }
    }
    return first;
}

static void wall_reflect(cluster_state *s, uint32_t root, int axis)
{
    advance_to_now(s, root);
    s->cluster[root].p[axis] = -s->cluster[root].p[axis];
    s->motion[root].v[axis] = -s->motion[root].v[axis];
    s->events[EVENT_WALL]++;
    if (s->log != NULL) record_wall(s, s->cluster[root].id, axis, 2 * s->cluster[root].p[axis]);
}

/* 1/2 mu u^2 */
static double energy_lost(const cluster_state *s, uint32_t a, uint32_t b)
{
    double u2 = 0, ma = s->cluster[a].mass, mb = s->cluster[b].mass;
    for (int k = 0; k < DIM; k++) {
        double u = s->motion[a].v[k] - s->motion[b].v[k];
        u2 += u * u;
    }
    return 0.5 * (ma * mb / (ma + mb)) * u2;
}

/* Vector from the origin of b to that of a, by the images of the particles in contact. */
static void shift_between(const cluster_state *s, uint32_t i, uint32_t a, uint32_t j, uint32_t b, double shift[DIM])
{
    for (int k = 0; k < DIM; k++) {
        double d = s->motion[b].o[k] - s->motion[a].o[k];
        double apart = d + s->particle[j].xi[k] - s->particle[i].xi[k];
        shift[k] = d - s->period[k] * nearest_whole(apart * s->per_period[k]);
    }
}

static void rebase(cluster_state *s, uint32_t a, uint32_t b, const double shift[DIM])
{
    walk w = members_walk(s, b);
    for (uint32_t m; (m = members_next(s, &w)) != NONE;) {
        s->particle[m].root = a;
        for (int k = 0; k < DIM; k++) s->particle[m].xi[k] += shift[k];
    }
}

static walk unite(cluster_state *s, uint32_t a, uint32_t b, const double shift[DIM])
{
    cluster *c = &s->cluster[a];
    const cluster *d = &s->cluster[b];
    for (int k = 0; k < DIM; k++) {
        c->p[k] += d->p[k];
        c->low[k] = fmin(c->low[k], d->low[k] + shift[k]);
        c->high[k] = fmax(c->high[k], d->high[k] + shift[k]);
    }
    c->mass += d->mass;
    const walk added = members_append(s, a, b);
    c->size += d->size;
    if (d->id < c->id) c->id = d->id;
    return added;
}

static uint32_t merge_clusters(cluster_state *s, uint32_t i, uint32_t j, walk *added)
{
    if (!merge_absorbs(s, s->particle[i].root, s->particle[j].root)) {
        uint32_t other = i;
        i = j;
        j = other;
    }
    const uint32_t a = s->particle[i].root, b = s->particle[j].root;
    merge_before before = {.mass = 0};
    if (s->log != NULL) {
        const impact m = impact_of(s, i, j);
        before = record_before_merge(s, i, j, &m);
    }
    double shift[DIM], lost = energy_lost(s, a, b);
    advance_to_now(s, a);
    advance_to_now(s, b);
    shift_between(s, i, a, j, b, shift);
    rebase(s, a, b, shift);
    *added = unite(s, a, b, shift);
    set_velocity(s, a);
    s->history.dissipated += lost;
    merge_record(s, i, j);
    if (s->log != NULL) record_merged(s, &before, s->motion[a].v);
    return a;
}

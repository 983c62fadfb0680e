#include "variational/kernel/drives.h"

#include "variational/kernel/leash.h"
#include "variational/kernel/reference.h"

#include "base/memory.h"

#include <stdlib.h>

/* A drive takes a velocity. */
typedef struct change {
    double time;
    uint32_t drive;
    double velocity[DIM];
} change;

typedef struct drives {
    change *change; /* in order of time, then of drives */
    uint32_t count, next;
    double (*start)[DIM]; /* [count of nodes]: where the driven were at the start */
} drives;

static int by_time(const void *a, const void *b)
{
    const change *p = a, *q = b;
    if (p->time != q->time) return p->time < q->time ? -1 : 1;
    return p->drive < q->drive ? -1 : p->drive > q->drive;
}

static void set_velocity(world *w, const scene_drive *d, const double v[DIM], double t)
{
    if (d->plane != SIZE_MAX) {
        surface *s = &w->surface[w->surface_count - w->scene->plane_count + d->plane];
        surface_at(s, t, s->point);
        memcpy(s->velocity, v, sizeof s->velocity);
        s->t = t;
        return;
    }
    for (size_t k = 0; k < d->count; k++) {
        uint32_t i = w->index_of[d->particles[k]];
        node *a = &w->node[i];
        double x[DIM];
        position_at(w, a, t, x);
        w->ledger.work += 0.5 * w->mass[i] * (dot(v, v) - dot(a->v, a->v));
        memcpy(a->x, x, sizeof a->x);
        memcpy(a->v, v, sizeof a->v);
        a->t = t;
    }
}

static void hold(world *w, const scene_drive *d)
{
    if (d->plane != SIZE_MAX) w->surface[w->surface_count - w->scene->plane_count + d->plane].driven = true;
    for (size_t k = 0; d->plane == SIZE_MAX && k < d->count; k++) {
        node *a = &w->node[w->index_of[d->particles[k]]];
        a->w = 0;
        memset(a->v, 0, sizeof a->v);
    }
}

static void set_energy(world *w)
{
    double fastest2 = 0, heaviest = 0;
    size_t largest = 1;
    for (size_t k = 0; k < w->drives->count; k++) {
        const double *v = w->drives->change[k].velocity;
        fastest2 = greater(fastest2, dot(v, v));
    }
    for (uint32_t i = 0; i < w->count; i++) heaviest = greater(heaviest, w->node[i].w > 0 ? w->mass[i] : 0);
    for (size_t k = 0; k < w->scene->body_count; k++)
        if (w->scene->bodies[k].count > largest) largest = w->scene->bodies[k].count;
    w->drive_energy = (double)largest * heaviest * fastest2;
}

carom_status drives_create(world *w, error *e)
{
    const scene *s = w->scene;
    size_t count = 0;
    for (size_t k = 0; k < s->drive_count; k++) count += s->drives[k].motion_count;
    if (s->drive_count == 0) return CAROM_OK;
    drives *d = w->drives = NEW_ARRAY(1, drives);
    if (d == NULL) return error_memory(e, "drives", sizeof *d);
    d->change = NEW_ARRAY(count, change);
    d->start = memory_new(w->count, sizeof *d->start);
    if (d->change == NULL || d->start == NULL) return error_memory(e, "drives", count * sizeof *d->change);
    for (uint32_t i = 0; i < w->count; i++) memcpy(d->start[i], w->node[i].x, sizeof d->start[i]);
    for (size_t k = 0; k < s->drive_count; k++) {
        const scene_drive *from = &s->drives[k];
        hold(w, from);
        for (size_t n = 0; n < from->motion_count; n++) {
            change *c = &d->change[d->count++];
            *c = (change){.time = from->motion[n].time, .drive = (uint32_t)k};
            memcpy(c->velocity, from->motion[n].velocity, sizeof c->velocity);
        }
    }
    qsort(d->change, d->count, sizeof *d->change, by_time);
    for (; d->next < d->count && d->change[d->next].time <= 0; d->next++)
        set_velocity(w, &s->drives[d->change[d->next].drive], d->change[d->next].velocity, 0);
    w->ledger.work = 0; /* the start is the start */
    set_energy(w);
    return CAROM_OK;
}

void drives_destroy(world *w)
{
    if (w->drives == NULL) return;
    memory_free(w->drives->change);
    memory_free(w->drives->start);
    memory_free(w->drives);
}

double drives_next(const world *w)
{
    const drives *d = w->drives;
    return d != NULL && d->next < d->count ? d->change[d->next].time : INFINITY;
}

void drives_catch_up(world *w)
{
    drives *d = w->drives;
    while (d != NULL && d->next < d->count && d->change[d->next].time <= w->now) d->next++;
}

carom_status drives_change(world *w, error *e)
{
    const change *c = &w->drives->change[w->drives->next++];
    const scene_drive *d = &w->scene->drives[c->drive];
    w->now = w->last_event = c->time;
    set_velocity(w, d, c->velocity, c->time);
    if (w->settings->reference) {
        for (uint32_t i = 0; d->plane != SIZE_MAX && i < w->count; i++) reference_moved(w, i);
        for (size_t k = 0; d->plane == SIZE_MAX && k < d->count; k++) reference_moved(w, w->index_of[d->particles[k]]);
        return CAROM_OK;
    }
    if (d->plane != SIZE_MAX) return leash_all(w, c->time, e);
    for (size_t k = 0; k < d->count; k++) leash_slack(w, w->index_of[d->particles[k]], TOO_LONG);
    return leash_settle(w, c->time, e);
}

double drives_work(const world *w, double t)
{
    double sum = 0, x[DIM];
    for (uint32_t i = 0; w->drives != NULL && i < w->count; i++) {
        if (w->node[i].w != 0) continue;
        position_at(w, &w->node[i], t, x);
        for (int k = 0; k < DIM; k++) sum -= w->mass[i] * w->scene->gravity[k] * (x[k] - w->drives->start[i][k]);
    }
    return sum;
}

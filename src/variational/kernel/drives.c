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
    uint32_t *driven, *first; /* nodes, by drive: driven[first[k] .. first[k + 1]) */
    double (*start)[DIM];     /* [count of nodes]: where the driven were at the start */
} drives;

static int by_time(const void *a, const void *b)
{
    const change *p = a, *q = b;
    if (p->time != q->time) return p->time < q->time ? -1 : 1;
    return p->drive < q->drive ? -1 : p->drive > q->drive;
}

static surface *plane_of(const world *w, const scene_drive *d)
{
    return &w->surface[w->surface_count - w->scene->plane_count + d->plane];
}

static void set_velocity(world *w, uint32_t drive, const double v[DIM], double t)
{
    const drives *all = w->drives;
    if (w->scene->drives[drive].plane != SIZE_MAX) {
        surface *s = plane_of(w, &w->scene->drives[drive]);
        surface_at(s, t, s->point);
        memcpy(s->velocity, v, sizeof s->velocity);
        s->t = t;
        return;
    }
    for (uint32_t k = all->first[drive]; k < all->first[drive + 1]; k++) {
        uint32_t i = all->driven[k];
        node *a = &w->node[i];
        double x[DIM];
        position_at(w, a, t, x);
        w->sum.work += 0.5 * w->mass[i] * (dot(v, v) - dot(a->v, a->v));
        memcpy(a->x, x, sizeof a->x);
        memcpy(a->v, v, sizeof a->v);
        a->t = t;
    }
}

static void hold(world *w, uint32_t i)
{
    w->node[i].w = 0;
    memset(w->node[i].v, 0, sizeof w->node[i].v);
}

/* Who is driven, and rigid meshes. */
static carom_status hold_all(world *w, const initial_state *state, error *e)
{
    const scene *s = w->scene;
    drives *d = w->drives;
    size_t count = 0;
    for (size_t k = 0; k < s->drive_count; k++) count += state->drives[k].count;
    d->driven = NEW_ARRAY(count, uint32_t);
    d->first = NEW_ARRAY(s->drive_count + 1, uint32_t);
    if (d->driven == NULL || d->first == NULL) return error_memory(e, "drives", count * sizeof *d->driven);
    count = 0;
    for (size_t k = 0; k < s->drive_count; k++) {
        if (s->drives[k].plane != SIZE_MAX) plane_of(w, &s->drives[k])->driven = true;
        for (size_t n = 0; n < state->drives[k].count; n++)
            hold(w, d->driven[count++] = w->index_of[state->drives[k].particles[n]]);
        d->first[k + 1] = (uint32_t)count;
    }
    for (size_t k = 0; k < state->mesh_count; k++)
        for (size_t i = state->mesh_first[k]; s->meshes[k].rigid && i < state->mesh_first[k + 1]; i++)
            hold(w, w->index_of[i]);
    return CAROM_OK;
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

carom_status drives_create(world *w, const initial_state *state, error *e)
{
    const scene *s = w->scene;
    size_t count = 0, rigid = 0;
    for (size_t k = 0; k < s->drive_count; k++) count += s->drives[k].motion_count;
    for (size_t k = 0; k < s->mesh_count; k++) rigid += s->meshes[k].rigid;
    if (s->drive_count + rigid == 0) return CAROM_OK;
    drives *d = w->drives = NEW_ARRAY(1, drives);
    if (d == NULL) return error_memory(e, "drives", sizeof *d);
    d->change = NEW_ARRAY(count, change);
    d->start = memory_new(w->count, sizeof *d->start);
    if (d->change == NULL || d->start == NULL) return error_memory(e, "drives", count * sizeof *d->change);
    TRY(hold_all(w, state, e));
    for (uint32_t i = 0; i < w->count; i++) memcpy(d->start[i], w->node[i].x, sizeof d->start[i]);
    for (size_t k = 0; k < s->drive_count; k++) {
        const scene_drive *from = &s->drives[k];
        for (size_t n = 0; n < from->motion_count; n++) {
            change *c = &d->change[d->count++];
            *c = (change){.time = from->motion[n].time, .drive = (uint32_t)k};
            memcpy(c->velocity, from->motion[n].velocity, sizeof c->velocity);
        }
    }
    qsort(d->change, d->count, sizeof *d->change, by_time);
    for (; d->next < d->count && d->change[d->next].time <= 0; d->next++)
        set_velocity(w, d->change[d->next].drive, d->change[d->next].velocity, 0);
    w->sum.work = 0; /* the start is the start */
    set_energy(w);
    return CAROM_OK;
}

void drives_destroy(world *w)
{
    if (w->drives == NULL) return;
    memory_free(w->drives->change);
    memory_free(w->drives->driven);
    memory_free(w->drives->first);
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
    const drives *all = w->drives;
    const change *c = &all->change[w->drives->next++];
    const bool plane = w->scene->drives[c->drive].plane != SIZE_MAX;
    const uint32_t first = all->first[c->drive], end = all->first[c->drive + 1];
    w->now = w->last_event = c->time;
    set_velocity(w, c->drive, c->velocity, c->time);
    if (w->settings->reference) {
        for (uint32_t i = 0; plane && i < w->count; i++) reference_moved(w, i);
        for (uint32_t k = first; k < end; k++) reference_moved(w, all->driven[k]);
        return CAROM_OK;
    }
    if (plane) return leash_all(w, c->time, e);
    for (uint32_t k = first; k < end; k++) leash_slack(w, all->driven[k], TOO_LONG);
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

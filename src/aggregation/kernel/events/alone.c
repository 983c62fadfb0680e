#include "aggregation/kernel/events/alone.h"

#include "aggregation/kernel/rotating/body.h"
#include "base/memory.h"

#define WORTH 4 /* skins that a cluster must gain by leaving the grid */

/* So few that a look at all of them costs no more than a look around. */
static uint32_t few(const swarm *s)
{
    return (uint32_t)(2 * sqrt(s->count)) + 2;
}

carom_status alone_create(swarm *s, error *e)
{
    s->root = NEW_ARRAY(few(s), uint32_t);
    s->roots = 0;
    if (s->root == NULL) return error_memory(e, "the clusters", few(s) * sizeof *s->root);
    if (s->clusters <= few(s)) alone_merged(s, NOBODY);
    return CAROM_OK;
}

void alone_destroy(swarm *s)
{
    memory_free(s->root);
    s->root = NULL;
}

/* Lists them, as soon as they are few. */
static void find_roots(swarm *s)
{
    if (s->clusters > few(s)) return;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->particle[i].root == i) s->root[s->roots++] = i;
}

void alone_merged(swarm *s, uint32_t gone)
{
    if (s->roots == 0) {
        find_roots(s);
        return;
    }
    for (uint32_t k = 0; k < s->roots; k++)
        if (s->root[k] == gone) s->root[k--] = s->root[--s->roots];
}

#if CAROM_ROTATING

/* Between the balls in which they turn, at their anchors. */
static double gap_between(const swarm *s, uint32_t a, uint32_t b)
{
    double apart[DIM];
    for (int k = 0; k < DIM; k++) {
        apart[k] = s->cluster[a].anchor[k] - s->cluster[b].anchor[k];
        apart[k] -= s->period[k] * rint(apart[k] * s->per_period[k]);
    }
    return length_of(apart, DIM) * (1 - 0x1p-40) - s->body[a].reach - s->body[b].reach;
}

/* Between the ball in which a cluster turns and the walls: close to them it is not alone. */
static double wall_gap(const swarm *s, uint32_t root)
{
    double room = INFINITY;
    for (int k = 0; k < DIM; k++) {
        if (s->period[k] > 0) continue;
        const double x = s->cluster[root].anchor[k];
        room = fmin(room, fmin(x, s->size[k] - x) - s->body[root].reach);
    }
    return room;
}

#else

static double wall_gap(const swarm *s, uint32_t root)
{
    (void)s;
    (void)root;
    return INFINITY;
}

/* Between the boxes at their anchors, by the nearest images. */
static double gap_between(const swarm *s, uint32_t a, uint32_t b)
{
    const cluster *c = &s->cluster[a], *d = &s->cluster[b];
    double square = 0;
    for (int k = 0; k < DIM; k++) {
        double apart = 0.5 * ((c->low[k] + c->high[k]) - (d->low[k] + d->high[k])) + (c->anchor[k] - d->anchor[k]);
        double half = 0.5 * ((c->high[k] - c->low[k]) + (d->high[k] - d->low[k]));
        double gap = fabs(apart - s->period[k] * rint(apart * s->per_period[k])) - half;
        if (gap > 0) square += gap * gap;
    }
    return sqrt(square) * (1 - 0x1p-40);
}

#endif

double alone_skin(const swarm *s, uint32_t root)
{
    double room = s->roots > 1 ? wall_gap(s, root) : 0;
    for (uint32_t k = 0; k < s->roots && room > 0; k++)
        if (s->root[k] != root) room = fmin(room, gap_between(s, root, s->root[k]) - s->cluster[s->root[k]].skin);
    return room > 2 * WORTH * s->skin ? 0.5 * room : 0;
}

uint32_t alone_disturbed(const swarm *s, uint32_t root)
{
    const double skin = s->cluster[root].skin;
    for (uint32_t k = 0; k < s->roots; k++) {
        const cluster *d = &s->cluster[s->root[k]];
        if (d->alone && s->root[k] != root && gap_between(s, root, s->root[k]) <= skin + d->skin) return s->root[k];
    }
    return NOBODY;
}

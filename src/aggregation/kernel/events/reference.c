/* The reference path: all pairs and all walls at every event. */
#include "aggregation/kernel/rotating/body.h"

/* Order of two simultaneous events: merges first, then by the ids of the scene. */
static bool precedes(const cluster_state *s, const step *a, const step *b)
{
    if (a->time != b->time || b->kind == STEP_NONE) return a->time < b->time;
    if (a->kind != b->kind) return a->kind < b->kind;
    if (a->kind == STEP_WALL) return s->cluster[a->i].id < s->cluster[b->i].id;
    uint32_t ai = s->id[a->i], aj = s->id[a->j], bi = s->id[b->i], bj = s->id[b->j];
    uint32_t al = ai < aj ? ai : aj, ah = ai < aj ? aj : ai, bl = bi < bj ? bi : bj, bh = bi < bj ? bj : bi;
    return al != bl ? al < bl : ah < bh;
}

/* Time until which the nearest images of all pairs stay the nearest. */
static double horizon(const cluster_state *s)
{
    double fastest = 0;
    for (uint32_t i = 0; i < s->count; i++)
        for (int k = 0; k < DIM; k++) fastest = fmax(fastest, fabs(s->motion[s->particle[i].root].v[k]));
    fastest *= sqrt(DIM);
    double reach = s->horizon;
#if CAROM_ROTATING
    double turning = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->particle[i].root == i) turning = fmax(turning, s->rotation.body[i].rate * s->rotation.body[i].reach);
    fastest += turning;
    reach = fmin(reach, s->size[0]);
#endif
    return fastest > 0 ? s->now + reach / fastest : INFINITY;
}

static void consider(const cluster_state *s, step *first, step other)
{
    if (precedes(s, &other, first)) *first = other;
}

/* The time of a pair is relative to the last events of its clusters; the image is the nearest one at present. */
static step reference_next(cluster_state *s, double limit)
{
    double until = fmin(horizon(s), limit);
    s->work += (uint64_t)s->count * s->count / 16;
    step first = {STEP_NONE, INFINITY, NONE, NONE};
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->particle[i].root == i) {
            int axis = 0;
            double time = wall_next(s, i, &until, &axis);
            s->cluster[i].axis = (int8_t)axis;
            consider(s, &first, (step){STEP_WALL, time, i, NONE});
        }
        for (uint32_t j = i + 1; j < s->count; j++)
            if (s->particle[i].root != s->particle[j].root)
                consider(s, &first, (step){STEP_MERGE, touch_time(s, i, j, until), i, j});
    }
    if (first.time <= until) return first;
    if (limit <= until) return (step){STEP_NONE, limit, NONE, NONE};
    s->now = until;
    return (step){STEP_OTHER, until, NONE, NONE};
}

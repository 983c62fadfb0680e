/* Free flight, and the walls: where a member reaches one, the whole cluster is reflected. */
#include "aggregation/kernel/steps/steps.h"

void flight_extent(steps *s, uint32_t slot)
{
    if (s->extents == NULL) return;
    extent *x = &s->extents[slot];
    for (int k = 0; k < DIM; k++) {
        x->low[k] = (double)INFINITY;
        x->high[k] = -(double)INFINITY;
    }
    for (uint32_t i = s->clusters[slot].first; i != NOBODY; i = s->next[i]) {
        const body *b = &s->bodies[i];
        for (int k = 0; k < DIM; k++) {
            x->low[k] = fmin(x->low[k], b->x[k] - b->radius);
            x->high[k] = fmax(x->high[k], b->x[k] + b->radius);
        }
    }
}

/* What came out behind a wall in this flight is mirrored; what had been there before turns back from where it was. */
static uint64_t reflect(steps *s, uint32_t slot, double dt)
{
    motion *m = &s->motions[slot];
    cluster *c = &s->clusters[slot];
    uint64_t hits = 0;
    for (int k = 0; k < DIM; k++) {
        if (!s->wall[k] || m->velocity[k] == 0) continue;
        double low = m->offset[k] + s->extents[slot].low[k], high = m->offset[k] + s->extents[slot].high[k];
        double outside = m->velocity[k] < 0 ? -low : high - s->size[k];
        if (!(outside > 0)) continue;
        double back = 2 * fmin(outside, fabs(m->velocity[k]) * dt);
        m->offset[k] += m->velocity[k] < 0 ? back : -back;
        m->velocity[k] = -m->velocity[k];
        c->momentum[k] = -c->momentum[k];
        hits++;
    }
    return hits;
}

void flight_step(steps *s, double dt)
{
    double top = 0;
    uint64_t hits = 0;
#pragma omp parallel for schedule(static) num_threads(s->threads) if (s->live_count > FEW) reduction(max : top) reduction(+ : hits)
    for (uint32_t n = 0; n < s->live_count; n++) {
        uint32_t slot = s->live[n];
        motion *m = &s->motions[slot];
        for (int k = 0; k < DIM; k++) {
            s->before[slot][k] = m->offset[k];
            m->offset[k] += m->velocity[k] * dt;
        }
        m->used += m->speed * dt;
        top = fmax(top, m->speed);
        if (s->any_wall) hits += reflect(s, slot, dt);
    }
    s->events[EVENT_WALL] += hits;
    s->flown += top * dt;
}

/* Recording of events, in the order of merges and of clusters. */
#include "aggregation/kernel/steps/steps.h"

static carom_status steps_record(void *self, event_log *log, error *e)
{
    (void)e;
    ((steps *)self)->log = log;
    return CAROM_OK;
}

static void record_merge(steps *s, uint32_t i, uint32_t j)
{
    const bool first = s->id[i] < s->id[j];
    const uint32_t low = first ? i : j, high = first ? j : i;
    const cluster *a = &s->clusters[s->particles[low].cluster], *b = &s->clusters[s->particles[high].cluster];
    const double share = b->mass / (a->mass + b->mass);
    carom_event out = {.time = s->time, .kind = CAROM_EVENT_MERGE, .i = s->id[low], .j = s->id[high]};
    double r[DIM];
    between(s, low, high, r);
    const double length = sqrt(dot(r, r));
    for (int k = 0; k < DIM; k++) {
        out.normal[k] = r[k] / length;
        out.impulse[k] = a->mass * share * (b->momentum[k] / b->mass - a->momentum[k] / a->mass);
    }
    event_log_add(s->log, &out);
}

static void record_wall(steps *s, uint32_t slot, int axis, double before, double time)
{
    const bool upper = before > 0;
    const cluster *c = &s->clusters[slot];
    carom_event out = {.time = time,
                       .kind = CAROM_EVENT_WALL,
                       .i = c->least,
                       .j = (uint32_t)(2 * axis + upper),
                       .j_type = CAROM_BODY_WALL};
    out.normal[axis] = upper ? -1 : 1;
    out.impulse[axis] = c->mass * (s->motions[slot].velocity[axis] - before);
    event_log_add(s->log, &out);
}

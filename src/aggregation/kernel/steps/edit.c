/* Changes of the state from outside: velocities of clusters. */
#include "aggregation/kernel/steps/steps.h"

#include "aggregation/kernel/velocities.h"
#include "base/memory.h"

static void set_cluster_velocity(steps *s, uint32_t slot, const double *velocity)
{
    motion *m = &s->motions[slot];
    cluster *c = &s->clusters[slot];
    for (int k = 0; k < DIM; k++) {
        m->velocity[k] = velocity[k];
        c->momentum[k] = c->mass * velocity[k];
    }
    m->speed = sqrt(dot(m->velocity, m->velocity));
}

/* The time is that of the last step. The wait for a merge begins again. */
static carom_status steps_set_velocities(void *self, double time, size_t count, const uint32_t *particles,
                                         const double *velocities, error *e)
{
    steps *s = self;
    uint32_t *index_of = NEW_ARRAY(s->count, uint32_t), *cluster_of = NEW_ARRAY(count, uint32_t);
    size_t *given = NEW_ARRAY(s->count, size_t);
    carom_status status = CAROM_OK;
    (void)time;
    if (index_of == NULL || cluster_of == NULL || given == NULL) {
        status = error_memory(e, "the velocities", s->count * sizeof *given);
    } else {
        for (uint32_t i = 0; i < s->count; i++) index_of[s->id[i]] = i;
        for (size_t n = 0; n < count; n++) cluster_of[n] = s->particles[index_of[particles[n]]].cluster;
        status = velocities_of_clusters(count, cluster_of, particles, velocities, given, e);
    }
    if (status == CAROM_OK) {
        for (uint32_t slot = 0; slot < s->count; slot++)
            if (given[slot] > 0) set_cluster_velocity(s, slot, velocities + (given[slot] - 1) * DIM);
        s->progress.since = s->time;
        s->progress.flown = 0;
        s->progress.overdue = (double)INFINITY;
    }
    memory_free(index_of);
    memory_free(cluster_of);
    memory_free(given);
    return status;
}

/* Changes of the state from outside: velocities of clusters. */
#include "aggregation/kernel/events/feature.h"

#include "aggregation/kernel/velocities.h"
#include "base/memory.h"

/* The wait for a merge begins again. */
static void restart_progress(cluster_state *s)
{
    s->progress.last_merge = s->now;
    s->progress.rms_speed = fmax(s->progress.rms_speed, rms_speed(s));
    s->progress.overdue = stall_time_bound(s);
    s->progress.steps = 0;
    s->progress.merge_possible = false;
}

static void set_cluster_velocity(cluster_state *s, uint32_t root, const double *velocity)
{
    advance_to_now(s, root);
    for (int k = 0; k < DIM; k++) s->cluster[root].p[k] = s->cluster[root].mass * velocity[k];
    set_velocity(s, root);
    if (!s->settings->reference) plan_bounced(s, root);
}

static carom_status state_set_velocities(void *self, double time, size_t count, const uint32_t *particles,
                                         const double *velocities, error *e)
{
    cluster_state *s = self;
    uint32_t *index_of = NEW_ARRAY(s->count, uint32_t), *cluster_of = NEW_ARRAY(count, uint32_t);
    size_t *given = NEW_ARRAY(s->count, size_t);
    carom_status status = CAROM_OK;
    if (index_of == NULL || cluster_of == NULL || given == NULL) {
        status = error_memory(e, "the velocities", s->count * sizeof *given);
    } else {
        for (uint32_t i = 0; i < s->count; i++) index_of[s->id[i]] = i;
        for (size_t n = 0; n < count; n++) cluster_of[n] = s->particle[index_of[particles[n]]].root;
        status = velocities_of_clusters(count, cluster_of, particles, velocities, given, e);
    }
    if (status == CAROM_OK) {
        s->now = s->last_event = later(s->now, time);
        for (uint32_t root = 0; root < s->count; root++)
            if (given[root] > 0) set_cluster_velocity(s, root, velocities + (given[root] - 1) * DIM);
        restart_progress(s);
    }
    memory_free(index_of);
    memory_free(cluster_of);
    memory_free(given);
    return status;
}

/* The event loop. */
#include "aggregation/kernel/events/members.h"

#include "frame/frame.h"

static void execute(cluster_state *s, const step *next)
{
    s->now = next->time;
    s->last_event = next->time;
    if (next->kind == STEP_WALL) {
        wall_reflect(s, next->i, s->cluster[next->i].axis);
        if (!s->settings->reference) plan_bounced(s, next->i);
    } else if (!s->sticky && !bounce_sticks(s, next->i, next->j)) {
        bounce_clusters(s, next->i, next->j);
        if (s->settings->reference) return;
        plan_bounced(s, s->particle[next->i].root);
        plan_bounced(s, s->particle[next->j].root);
    } else if (s->settings->reference) {
        walk added;
        merge_clusters(s, next->i, next->j, &added);
    } else {
        plan_merge(s, next->i, next->j);
    }
}

static carom_stop limit_reached(const cluster_state *s, const engine_limits *limits)
{
    if (s->clusters <= limits->clusters) return CAROM_STOP_CLUSTERS;
    if (events_total(s->events) >= limits->events) return CAROM_STOP_EVENTS;
    if (s->events[EVENT_COLLISION] >= limits->collisions) return CAROM_STOP_COLLISIONS;
    return CAROM_STOP_NONE;
}

static carom_status end_without_progress(cluster_state *s, carom_stop *stop, error *e)
{
    *stop = CAROM_STOP_NO_PROGRESS;
    if (stall_time(s) <= s->progress.last_merge)
        return error_set(
            e, CAROM_DYNAMICS,
            "error: no progress: the %llu clusters all have the same velocity, and will never meet; give the "
            "particles other velocities",
            (unsigned long long)s->clusters);
    s->last_event = s->now = s->progress.overdue;
    return error_set(
        e, CAROM_DYNAMICS,
        "error: no progress: no merge since time %.9g, though the %llu clusters have moved by %g mean free paths "
        "since; they may never meet. aggregation.patience says how long to wait",
        s->progress.last_merge, (unsigned long long)s->clusters, s->settings->patience);
}

/* The count of steps without a merge is cheap, the comparison of all velocities is not: it happens after many steps, or
 * when no event remains. */
static bool no_merge_possible(cluster_state *s, bool now)
{
    if (s->progress.merge_possible ||
        (!now && s->history.count > 0 && s->progress.steps++ < STEPS_BEFORE_CHECK + s->clusters))
        return false;
    s->progress.merge_possible = stall_time(s) > s->progress.last_merge;
    return !s->progress.merge_possible;
}

/* The check at the stall time, which changes as impacts reduce the speeds of clusters. It happens at times that do not
 * depend on the search for events. */
static bool is_overdue(cluster_state *s)
{
    const double stall = stall_time(s);
    if (stall <= s->progress.overdue) return true;
    s->progress.overdue = stall;
    return false;
}

static carom_status state_advance(void *self, const engine_limits *limits, carom_stop *stop, error *e)
{
    cluster_state *s = self;
    for (const uint64_t most = s->work + limits->slice; s->work < most; s->work++) {
        if ((*stop = limit_reached(s, limits)) != CAROM_STOP_NONE) return CAROM_OK;
        if (no_merge_possible(s, false)) return end_without_progress(s, stop, e);
        const double until = fmin(limits->time, s->progress.overdue);
        const step next = s->settings->reference ? reference_next(s, until) : plan_next(s, until);
        if (next.kind != STEP_NONE) {
            if (next.kind != STEP_OTHER) execute(s, &next);
            continue;
        }
        if (no_merge_possible(s, true)) return end_without_progress(s, stop, e);
        if (limits->time < s->progress.overdue) {
            *stop = CAROM_STOP_TIME;
            return CAROM_OK;
        }
        if (is_overdue(s)) return end_without_progress(s, stop, e);
    }
    *stop = CAROM_STOP_NONE;
    return CAROM_OK;
}

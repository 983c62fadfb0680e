/* The event loop. */
#include "aggregation/kernel/events/members.h"

static uint64_t physical(const swarm *s)
{
    return s->events[EVENT_MERGE] + s->events[EVENT_WALL] + s->events[EVENT_COLLISION];
}

static void carry_out(swarm *s, const step *next)
{
    s->now = next->time;
    s->last_event = next->time;
    if (next->kind == STEP_WALL) {
        wall_bounce(s, next->i, s->cluster[next->i].axis);
        if (!s->settings->reference) plan_bounced(s, next->i);
    } else if (!s->sticky && !bounce_sticks(s, next->i, next->j)) {
        bounce_clusters(s, next->i, next->j);
        if (s->settings->reference) return;
        plan_bounced(s, s->particle[next->i].root);
        plan_bounced(s, s->particle[next->j].root);
    } else if (s->settings->reference) {
        walk newcomers;
        merge_clusters(s, next->i, next->j, &newcomers);
    } else {
        plan_merge(s, next->i, next->j);
    }
}

static carom_stop limit_reached(const swarm *s, const engine_limits *limits)
{
    if (s->clusters <= limits->clusters) return CAROM_STOP_CLUSTERS;
    if (physical(s) >= limits->events) return CAROM_STOP_EVENTS;
    if (s->events[EVENT_COLLISION] >= limits->collisions) return CAROM_STOP_COLLISIONS;
    return CAROM_STOP_NONE;
}

static carom_status give_up(swarm *s, carom_stop *stop, error *e)
{
    *stop = CAROM_STOP_NO_PROGRESS;
    if (swarm_stall_time(s) <= s->last_merge)
        return error_set(
            e, CAROM_DYNAMICS,
            "error: no progress: the %llu clusters all have the same velocity, and will never meet; give the "
            "particles other velocities",
            (unsigned long long)s->clusters);
    s->last_event = s->now = s->stall;
    return error_set(
        e, CAROM_DYNAMICS,
        "error: no progress: no merge since time %.9g, though the %llu clusters have moved by %g mean free paths "
        "since; they may never meet. aggregation.patience says how long to wait",
        s->last_merge, (unsigned long long)s->clusters, s->settings->patience);
}

/* Steps without a merge are cheap to count; a look at all clusters is not, so it comes after many, or when nothing is
 * left to happen. */
static bool is_hopeless(swarm *s, bool now)
{
    if (s->hopeful || (!now && s->merge_count > 0 && s->idle++ < 1000 + s->clusters)) return false;
    s->hopeful = swarm_stall_time(s) > s->last_merge;
    return !s->hopeful;
}

/* At the stall time: it may be later, as impacts have slowed the clusters down. Looked at at times that do not depend
 * on how events are found. */
static bool is_overdue(swarm *s)
{
    const double stall = swarm_stall_time(s);
    if (stall <= s->stall) return true;
    s->stall = stall;
    return false;
}

static carom_status swarm_advance(void *self, const engine_limits *limits, carom_stop *stop, error *e)
{
    swarm *s = self;
    for (const uint64_t most = s->work + limits->slice; s->work < most; s->work++) {
        if ((*stop = limit_reached(s, limits)) != CAROM_STOP_NONE) return CAROM_OK;
        if (is_hopeless(s, false)) return give_up(s, stop, e);
        const double until = fmin(limits->time, s->stall);
        const step next = s->settings->reference ? reference_next(s, until) : plan_next(s, until);
        if (next.kind != STEP_NONE) {
            if (next.kind != STEP_OTHER) carry_out(s, &next);
            continue;
        }
        if (is_hopeless(s, true)) return give_up(s, stop, e);
        if (limits->time < s->stall) {
            *stop = CAROM_STOP_TIME;
            return CAROM_OK;
        }
        if (is_overdue(s)) return give_up(s, stop, e);
    }
    *stop = CAROM_STOP_NONE;
    return CAROM_OK;
}

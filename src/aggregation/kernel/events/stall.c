/* Whether another merge is possible, and the time at which a run without merges ends. */
#include "aggregation/kernel/events/feature.h"
#include "aggregation/kernel/rotating/body.h"

#include "aggregation/kernel/stall.h"
#include "engine/sound.h"

static drift drift_of(const cluster_state *s)
{
    drift d = {.mass = 0};
    for (uint32_t i = 0; i < s->count; i++)
        if (s->particle[i].root == i) drift_weigh(&d, s->cluster[i].mass, s->cluster[i].p);
    for (uint32_t i = 0; i < s->count; i++)
        if (s->particle[i].root == i) drift_measure(&d, s->cluster[i].mass, s->motion[i].v, s->period);
#if CAROM_ROTATING
    double spin = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->particle[i].root == i) spin += 2 * body_energy(s, i) / d.mass;
    if (drift_is_idle(&d) && spin > 0) d.square = d.relative = spin; /* rotation alone may cause a contact */
#endif
    return d;
}

static double rms_speed(const cluster_state *s)
{
    return sqrt(drift_of(s).square);
}

/* The mean speed of clusters never exceeds that at the start. */
static double stall_time_bound(const cluster_state *s)
{
    return s->progress.last_merge +
           s->settings->patience * stall_path(s->size, s->smallest, s->clusters) / s->progress.rms_speed;
}

static double stall_time(const cluster_state *s)
{
    const drift d = drift_of(s);
    return s->progress.last_merge +
           stall_wait(&d, s->settings->patience, stall_path(s->size, s->smallest, s->clusters));
}

/* ---- the feature ------------------------------------------------------------------------------------------------- */

static carom_status progress_create(cluster_state *s, error *e)
{
    (void)e;
    s->progress.rms_speed = rms_speed(s);
    s->progress.overdue = stall_time_bound(s);
    return CAROM_OK;
}

static int progress_parts(cluster_state *s, snapshot_part parts[FEATURE_PARTS])
{
    progress *p = &s->progress;
    int n = 0;
    parts[n++] = (snapshot_part){"engine/pace", &p->rms_speed, sizeof p->rms_speed};
    parts[n++] = (snapshot_part){"engine/stall", &p->overdue, sizeof p->overdue};
    parts[n++] = (snapshot_part){"engine/idle", &p->steps, sizeof p->steps};
    parts[n++] = (snapshot_part){"engine/hopeful", &p->merge_possible, sizeof p->merge_possible};
    return n;
}

static carom_status progress_check(const cluster_state *s, error *e)
{
    const progress *p = &s->progress;
    const bool sound = p->rms_speed >= 0 && isfinite(p->rms_speed) && !isnan(p->overdue);
    return sound && sound_flags(&p->merge_possible, 1) ? CAROM_OK : sound_not("engine/pace", e);
}

static const state_feature progress_feature = {
    .name = "progress", .create = progress_create, .parts = progress_parts, .check = progress_check};

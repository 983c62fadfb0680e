#include "hard/kernel/features/starts.h"
#include "hard/kernel/clock.h"
#include "hard/kernel/features/feature.h"
#include "hard/kernel/features/motion.h"

#include "base/hash.h"
#include "base/memory.h"

static const scene_condition *condition_of(const gas *g, const drive_wait *one)
{
    return &g->scene->drives[one->drive].start.when;
}

static drive_wait *starts_first(const gas *g)
{
    drive_wait *first = NULL;
    double earliest = INFINITY;
    for (uint32_t k = 0; g->starts != NULL && k < g->starts->count; k++) {
        drive_wait *one = &g->starts->wait[k];
        const double time = condition_next(condition_of(g, one), &one->checks);
        if (one->began >= 0 || !(time < earliest)) continue;
        first = one;
        earliest = time;
    }
    return first;
}

static double starts_next(const gas *g)
{
    const drive_wait *first = starts_first(g);
    return first != NULL ? condition_next(condition_of(g, first), &first->checks) : INFINITY;
}

static void follow_start(gas *g, const drive_wait *one)
{
    motion_start(g, &g->motions->drive[one->drive], &g->scene->drives[one->drive],
                 one->began >= 0 ? one->began : INFINITY);
}

static void starts_begin(gas *g, drive_wait *one, double time)
{
    one->began = time;
    follow_start(g, one);
}

static bool same_piece(const scene_motion *a, const scene_motion *b)
{
    bool same = a->time == b->time && a->rate == b->rate && a->frequency == b->frequency && a->phase == b->phase;
    for (int k = 0; k < 3; k++)
        same = same && a->velocity[k] == b->velocity[k] && a->axis[k] == b->axis[k] && a->through[k] == b->through[k] &&
               a->swing[k] == b->swing[k];
    return same;
}

static bool same_drive(const scene_drive *a, const scene_drive *b)
{
    const scene_condition *one = &a->start.when, *other = &b->start.when;
    bool same = a->start.given == b->start.given && a->mesh == b->mesh && a->motion_count == b->motion_count &&
                one->slower == other->slower && one->lasting == other->lasting && one->every == other->every &&
                one->particles == other->particles;
    for (size_t k = 0; same && k < a->motion_count; k++) same = same_piece(&a->motion[k], &b->motion[k]);
    return same;
}

static bool starts_agree(const scene *a, const scene *b)
{
    bool agree = true;
    const size_t most = a->drive_count > b->drive_count ? a->drive_count : b->drive_count;
    for (size_t d = 0; d < most && agree; d++) {
        const bool one = d < a->drive_count && a->drives[d].start.given;
        const bool other = d < b->drive_count && b->drives[d].start.given;
        agree = one == other && (!one || same_drive(&a->drives[d], &b->drives[d]));
    }
    return agree;
}

/* ------------------------------------------------------------------------------------------------------------------ */

static bool starts_enabled(const gas *g, const initial_state *state, unsigned tallies)
{
    bool some = false;
    (void)state;
    (void)tallies;
    for (size_t d = 0; d < g->scene->drive_count; d++) some = some || g->scene->drives[d].start.given;
    return some;
}

static void starts_follow(gas *g)
{
    for (uint32_t k = 0; k < g->starts->count; k++) follow_start(g, &g->starts->wait[k]);
}

static carom_status starts_create(gas *g, const initial_state *state, error *e)
{
    const scene *s = g->scene;
    struct starts *all = g->starts;
    (void)state;
    all->wait = NEW_ARRAY(s->drive_count, drive_wait);
    all->times = NEW_ARRAY(s->drive_count, frame_start);
    if (all->wait == NULL || all->times == NULL) return error_memory(e, "drives", s->drive_count * sizeof *all->wait);
    for (size_t d = 0; d < s->drive_count; d++)
        if (s->drives[d].start.given) all->wait[all->count++] = (drive_wait){.began = -1, .drive = d};
    starts_follow(g);
    return CAROM_OK;
}

static void starts_destroy(gas *g)
{
    memory_free(g->starts->wait);
    memory_free(g->starts->times);
}

static void starts_fill_frame(const gas *g, real t, carom_frame *f)
{
    const struct starts *all = g->starts;
    (void)t;
    for (uint32_t k = 0; k < all->count; k++)
        all->times[k] = (frame_start){(uint32_t)all->wait[k].drive, all->wait[k].began >= 0 ? all->wait[k].began : NAN};
    f->tallies.starts = all->times;
    f->tallies.start_count = all->count;
}

static int starts_saved(gas *g, snapshot_part parts[MOST_FEATURE_PARTS])
{
    parts[0] = (snapshot_part){"engine/starts", g->starts->wait, g->starts->count * sizeof *g->starts->wait};
    return 1;
}

static uint64_t starts_hash(const gas *g, uint64_t hash)
{
    for (uint32_t k = 0; k < g->starts->count; k++)
        hash = hash_bytes(hash, &g->starts->wait[k].began, sizeof g->starts->wait[k].began);
    return hash;
}

/* The present is known within the rounding of local time. */
static const char *starts_fault(const gas *g)
{
    const double now = gas_true_time(g, g->now), slack = fmax(0x1p-40, 0x1p6 * (double)REAL_GRAIN) * now;
    uint32_t k = 0;
    for (size_t d = 0; d < g->scene->drive_count; d++) {
        if (!g->scene->drives[d].start.given) continue;
        const drive_wait *one = &g->starts->wait[k++];
        if (one->drive != d || !condition_is_sound(condition_of(g, one), &one->checks, now + slack))
            return "engine/starts";
        const double next = condition_next(condition_of(g, one), &one->checks);
        const bool sound = one->began >= 0 ? one->began <= now + slack : one->began == -1 && next > now - slack;
        if (!sound) return "engine/starts";
    }
    return NULL;
}

static const feature feature_starts = {.name = "drives that start at a condition",
                                       FEATURE_STATE(starts),
                                       .enabled = starts_enabled,
                                       .create = starts_create,
                                       .destroy = starts_destroy,
                                       .rebased = starts_follow,
                                       .fill_frame = starts_fill_frame,
                                       .saved = starts_saved,
                                       .fault = starts_fault,
                                       .loaded = starts_follow,
                                       .hash = starts_hash};

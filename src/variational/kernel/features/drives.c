#include "variational/kernel/features/drives.h"

#include "variational/kernel/features/conditions.h"
#include "variational/kernel/features/drive_hold.h"
#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/schedule/flight_bound.h"
#include "variational/kernel/schedule/pending.h"

#include "base/memory.h"
#include "engine/sound.h"

#include <stdlib.h>

/* A change of the velocity of a drive. In a rotation each node gets the velocity that leads it to its position at
 * the time `to`. */
typedef struct drive_change {
    double time, to;       /* INFINITY: the drive has not started */
    double after[2];       /* the same, relative to the start of the motion */
    uint32_t drive, piece; /* piece of the drive's motion */
} drive_change;

/* A drive with a start condition. */
typedef struct drive_wait {
    double began; /* time of the start; NAN: not started */
    condition_checks checks;
    uint32_t drive, unused; /* saved as bytes */
} drive_wait;

typedef struct drives {
    drive_change *change; /* in order of time, then of drives */
    uint32_t count, next;
    uint32_t *driven, *first; /* nodes, by drive: driven[first[k] .. first[k + 1]) */
    double (
        *start)[DIM]; /* [count of nodes]: positions of the driven nodes at the start, or at the beginning of hold */
    double (*place)[DIM]; /* positions at the beginning of hold, by index in driven[]; NULL: none were free */
    drive_wait *waits;    /* drives with a start condition, in order */
    frame_start *starts;  /* [wait_count], for frames */
    uint32_t wait_count;
} drives;

static int by_time(const void *a, const void *b)
{
    const drive_change *p = a, *q = b;
    if (p->time != q->time) return p->time < q->time ? -1 : 1;
    return p->drive < q->drive ? -1 : p->drive > q->drive;
}

static surface *plane_of(const world *w, const scene_drive *d)
{
    return &w->domain.surface[w->domain.surface_count - w->scene->plane_count + d->plane];
}

/* The position of a point after a motion: by Rodrigues' formula, piece by piece. */
static void lead_point(const scene_drive *d, double t, double x[3])
{
    for (size_t k = 0; k < d->motion_count && d->motion[k].time < t; k++) {
        const scene_motion *m = &d->motion[k];
        const double *a = m->axis, from = greater(m->time, 0);
        const double time = (k + 1 < d->motion_count ? lesser(m[1].time, t) : t) - from;
        double n[3], r[3], along = 0;
        if (!(time > 0)) continue;
        for (int c = 0; c < 3; c++) {
            n[c] = m->rate == 0 ? 0 : a[c] / sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
            r[c] = x[c] - m->through[c];
            along += n[c] * r[c];
        }
        const double cosine = cos(m->rate * time), sine = sin(m->rate * time);
        for (int c = 0; c < 3; c++) {
            const double side = n[(c + 1) % 3] * r[(c + 2) % 3] - n[(c + 2) % 3] * r[(c + 1) % 3];
            if (m->rate != 0) x[c] = m->through[c] + cosine * r[c] + sine * side + (1 - cosine) * along * n[c];
            x[c] += time * m->velocity[c];
        }
    }
}

/* New certificates for the nodes or the plane of a drive. */
static carom_status renew_driven(world *w, uint32_t drive, error *e)
{
    const drives *all = w->driven.drives;
    const bool plane = w->scene->drives[drive].plane != SIZE_MAX;
    const uint32_t first = all->first[drive], end = all->first[drive + 1];
    if (w->observer != NULL) {
        for (uint32_t i = 0; plane && i < w->count; i++) w->observer->moved(w, i);
        for (uint32_t k = first; k < end; k++) w->observer->moved(w, all->driven[k]);
        return CAROM_OK;
    }
    if (plane) return flights_renew_all(w, w->now, e);
    for (uint32_t k = first; k < end; k++) pending_add(w, all->driven[k], TOLERANCE_TOO_LARGE);
    return flights_update(w, w->now, e);
}

/* The start time of a drive's motion. */
static double began(const drives *d, uint32_t drive)
{
    for (uint32_t k = 0; k < d->wait_count; k++)
        if (d->waits[k].drive == drive) return d->waits[k].began;
    return 0;
}

static void move_node(world *w, const drive_change *c, uint32_t i)
{
    const scene_drive *d = &w->scene->drives[c->drive];
    const scene_motion *m = &d->motion[c->piece];
    node *a = &w->node[i];
    double x[DIM], v[DIM], goal[3] = {0};
    position_at(w, a, c->time, x);
    memcpy(goal, w->driven.drives->start[i], sizeof w->driven.drives->start[i]);
    if (m->rate != 0) lead_point(d, c->to - began(w->driven.drives, c->drive), goal);
    for (int k = 0; k < DIM; k++) v[k] = m->rate != 0 ? (goal[k] - x[k]) / (c->to - c->time) : m->velocity[k];
    w->totals.sum.work += 0.5 * w->mass[i] * (dot(v, v) - dot(a->v, a->v));
    memcpy(a->x, x, sizeof a->x);
    memcpy(a->v, v, sizeof a->v);
    a->t = c->time;
}

static void set_velocity(world *w, const drive_change *c)
{
    const drives *all = w->driven.drives;
    const scene_drive *d = &w->scene->drives[c->drive];
    if (d->plane != SIZE_MAX) {
        surface *s = plane_of(w, d);
        surface_at(s, c->time, s->point);
        memcpy(s->velocity, d->motion[c->piece].velocity, sizeof s->velocity);
        s->t = c->time;
        return;
    }
    for (uint32_t k = all->first[c->drive]; k < all->first[c->drive + 1]; k++) move_node(w, c, all->driven[k]);
}

static void hold_node(world *w, uint32_t i)
{
    node_set_driven(w, i);
    memset(w->node[i].v, 0, sizeof w->node[i].v);
}

/* Driven particles, and rigid meshes. */
static carom_status hold_all(world *w, const initial_state *state, error *e)
{
    const scene *s = w->scene;
    drives *d = w->driven.drives;
    size_t count = 0;
    bool some = false; /* some nodes are free before their drive begins */
    for (size_t k = 0; k < s->drive_count; k++) count += state->drives[k].count;
    d->driven = NEW_ARRAY(count, uint32_t);
    d->first = NEW_ARRAY(s->drive_count + 1, uint32_t);
    if (d->driven == NULL || d->first == NULL) return error_memory(e, "drives", count * sizeof *d->driven);
    for (size_t k = 0; k < s->drive_count; k++) some = some || s->drives[k].start.free;
    if (some) w->driven.free_first = NEW_ARRAY(w->count, bool);
    if (some) d->place = memory_new(count, sizeof *d->place);
    if (some && (w->driven.free_first == NULL || d->place == NULL))
        return error_memory(e, "drives", count * sizeof *d->place);
    count = 0;
    for (size_t k = 0; k < s->drive_count; k++) {
        if (s->drives[k].plane != SIZE_MAX) plane_of(w, &s->drives[k])->driven = true;
        for (size_t n = 0; n < state->drives[k].count; n++)
            d->driven[count++] = w->index_of[state->drives[k].particles[n]];
        d->first[k + 1] = (uint32_t)count;
        for (uint32_t n = d->first[k]; n < d->first[k + 1]; n++) {
            if (s->drives[k].start.free)
                w->driven.free_first[d->driven[n]] = true;
            else
                hold_node(w, d->driven[n]);
        }
    }
    for (size_t k = 0; k < state->mesh_count; k++)
        for (size_t i = state->mesh_first[k]; s->meshes[k].rigid && i < state->mesh_first[k + 1]; i++)
            hold_node(w, w->index_of[i]);
    return CAROM_OK;
}

static void set_energy(world *w, const initial_state *state)
{
    double fastest2 = 0, heaviest = 0;
    size_t largest = 1;
    fastest2 = w->choice.driven * w->choice.driven;
    for (uint32_t i = 0; i < w->count; i++) heaviest = greater(heaviest, node_is_free(&w->node[i]) ? w->mass[i] : 0);
    for (size_t k = 0; k < state->body_count; k++)
        if (state->bodies[k].count > largest) largest = state->bodies[k].count;
    w->driven.drive_energy = (double)largest * heaviest * fastest2;
}

/* The changes of one piece of a drive's motion: one, or those at the corners of a polygon in place of a circle.
 * Counts them if there is no list yet. */
static uint64_t add_changes(const world *w, drives *d, uint32_t drive, uint32_t piece)
{
    const scene_drive *from = &w->scene->drives[drive];
    const scene_motion *m = &from->motion[piece];
    const bool last = piece + 1 == from->motion_count;
    const double begin = greater(m->time, 0), end = last ? w->scene->until.time : m[1].time;
    const double step = m->rate != 0 ? DRIVE_CORNER / fabs(m->rate) : INFINITY;
    if (m->rate != 0 && !((end - begin) / step < MOST_CORNERS)) return UINT64_MAX;
    uint64_t count = 0;
    for (double time = m->time; count == 0 || time < end; time = begin + (double)count * step) {
        double to = begin + (double)++count * step;
        if (!last) to = lesser(to, end);
        if (d->change != NULL) d->change[d->count++] = (drive_change){time, to, {time, to}, drive, piece};
    }
    return count;
}

static carom_status list_changes(world *w, error *e)
{
    const scene *s = w->scene;
    drives *d = w->driven.drives;
    uint64_t count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t k = 0; k < s->drive_count; k++)
            for (uint32_t n = 0; n < s->drives[k].motion_count; n++) {
                const uint64_t more = add_changes(w, d, k, n);
                if (more > MOST_CORNERS || (count += more) > UINT32_MAX)
                    return scene_refuse(
                        scene_at(s, "drives.%zu.motion.%zu.turn", (size_t)k, (size_t)n), e,
                        "drive '%s' turns for too long, or too fast: by more than 100,000 radians up to "
                        "run.until.time",
                        s->drives[k].name);
            }
        if (pass == 0) d->change = NEW_ARRAY(count, drive_change);
        if (d->change == NULL) return error_memory(e, "drives", count * sizeof *d->change);
        count = 0;
    }
    return CAROM_OK;
}

/* ---- start conditions -------------------------------------------------------------------------------------------- */

/* Changes of started drives have times. Those of the others come last until then. */
static void set_times(drives *d)
{
    for (uint32_t n = 0; n < d->count; n++) {
        drive_change *c = &d->change[n];
        const double from = began(d, c->drive);
        c->time = isnan(from) ? INFINITY : from + greater(c->after[0], 0);
        c->to = isnan(from) ? INFINITY : from + c->after[1];
    }
}

static carom_status find_waits(world *w, error *e)
{
    const scene *s = w->scene;
    drives *d = w->driven.drives;
    d->waits = NEW_ARRAY(s->drive_count, drive_wait);
    d->starts = NEW_ARRAY(s->drive_count, frame_start);
    if (d->waits == NULL || d->starts == NULL) return error_memory(e, "drives", s->drive_count * sizeof *d->waits);
    for (uint32_t k = 0; k < s->drive_count; k++)
        if (s->drives[k].start.given)
            TRY(condition_check_interval(w, scene_at(s, "drives.%zu.start.when.every", (size_t)k),
                                         s->drives[k].start.when.every, e));
    for (uint32_t k = 0; k < s->drive_count; k++)
        if (s->drives[k].start.given) d->waits[d->wait_count++] = (drive_wait){.began = NAN, .drive = k};
    if (d->wait_count > 0) set_times(d);
    return CAROM_OK;
}

static double next_check_time(const world *w, const drive_wait *one)
{
    if (!isnan(one->began)) return INFINITY;
    return condition_next(&w->scene->drives[one->drive].start.when, &one->checks);
}

static void begin_motion(drives *d, drive_wait *one, double t)
{
    one->began = t;
    set_times(d);
    qsort(d->change, d->count, sizeof *d->change, by_time);
    d->next = 0;
    while (d->next < d->count && d->change[d->next].time < t) d->next++;
}

/* The drive holds its free nodes from now on. */
static carom_status hold_driven(world *w, uint32_t drive, error *e)
{
    const drives *d = w->driven.drives;
    const uint32_t first = d->first[drive], end = d->first[drive + 1];
    TRY(drive_hold_nodes(w, drive, d->driven + first, end - first, w->now, e));
    for (uint32_t k = first; k < end; k++) {
        const uint32_t i = d->driven[k];
        memcpy(d->start[i], w->node[i].x, sizeof *d->start);
        memcpy(d->place[k], w->node[i].x, sizeof *d->place);
    }
    w->last_event = w->now;
    return renew_driven(w, drive, e);
}

/* A run that ends here because a held node presses on a driven element ends here again after a resume. */
static carom_status check_wait(world *w, drive_wait *one, error *e)
{
    const drive_wait before = *one;
    const double now = w->now;
    w->now = next_check_time(w, one);
    const scene_condition *when = &w->scene->drives[one->drive].start.when;
    if (!condition_count(when, &one->checks, condition_is_met(w, when, w->now))) return CAROM_OK;
    const carom_status status = w->scene->drives[one->drive].start.free ? hold_driven(w, one->drive, e) : CAROM_OK;
    if (status == CAROM_OK) {
        begin_motion(w->driven.drives, one, w->now);
    } else if (w->progress.squeezed != NONE) {
        *one = before;
        w->now = now;
    }
    return status;
}

static drive_wait *next_wait(const world *w)
{
    drive_wait *first = NULL;
    for (uint32_t k = 0; w->driven.drives != NULL && k < w->driven.drives->wait_count; k++) {
        drive_wait *one = &w->driven.drives->waits[k];
        if (isnan(one->began) && (first == NULL || next_check_time(w, one) < next_check_time(w, first))) first = one;
    }
    return first;
}

/* Whether a drive with a start condition has started, and its nodes were free before. */
static bool holds_now(const drives *d, const scene *s, uint32_t k)
{
    return s->drives[d->waits[k].drive].start.free && !isnan(d->waits[k].began);
}

static void drives_set_kinds(const world *w, node_kind *kind)
{
    const drives *d = w->driven.drives;
    for (uint32_t k = 0; d != NULL && k < d->wait_count; k++) {
        const uint32_t *first = &d->first[d->waits[k].drive];
        for (uint32_t n = first[0]; holds_now(d, w->scene, k) && n < first[1]; n++) kind[d->driven[n]] = NODE_DRIVEN;
    }
}

static bool drives_are_sound(const world *w)
{
    uint32_t k = 0;
    const drives *all = w->driven.drives;
    if (all->place != NULL && !sound_numbers(&all->place[0][0], DIM * (size_t)all->first[w->scene->drive_count]))
        return false;
    for (uint32_t d = 0; w->driven.drives != NULL && d < w->scene->drive_count; d++) {
        if (!w->scene->drives[d].start.given) continue;
        const drive_wait *one = &w->driven.drives->waits[k++];
        const bool sound = condition_is_sound(&w->scene->drives[d].start.when, &one->checks, w->now);
        if (one->drive != d || !sound) return false;
        const bool waits = isnan(one->began);
        if (waits ? next_check_time(w, one) <= w->now : !(one->began >= 0 && one->began <= w->now)) return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------------------------ */

static carom_status drives_create(world *w, const initial_state *state, error *e)
{
    drives *d = w->driven.drives = NEW_ARRAY(1, drives);
    if (d == NULL) return error_memory(e, "drives", sizeof *d);
    d->start = memory_new(w->count, sizeof *d->start);
    if (d->start == NULL) return error_memory(e, "drives", w->count * sizeof *d->start);
    TRY(hold_all(w, state, e));
    for (uint32_t i = 0; i < w->count; i++) memcpy(d->start[i], w->node[i].x, sizeof d->start[i]);
    TRY(list_changes(w, e));
    TRY(find_waits(w, e));
    qsort(d->change, d->count, sizeof *d->change, by_time);
    for (; d->next < d->count && d->change[d->next].time <= 0; d->next++) set_velocity(w, &d->change[d->next]);
    w->totals.sum.work = 0; /* the ledger begins at the start of the run */
    set_energy(w, state);
    return CAROM_OK;
}

static void drives_destroy(world *w)
{
    memory_free(w->driven.free_first);
    if (w->driven.drives == NULL) return;
    memory_free(w->driven.drives->change);
    memory_free(w->driven.drives->driven);
    memory_free(w->driven.drives->first);
    memory_free(w->driven.drives->start);
    memory_free(w->driven.drives->place);
    memory_free(w->driven.drives->waits);
    memory_free(w->driven.drives->starts);
    memory_free(w->driven.drives);
}

static double drives_next(const world *w)
{
    const drives *d = w->driven.drives;
    const drive_wait *one = next_wait(w);
    const double due = d != NULL && d->next < d->count ? d->change[d->next].time : INFINITY;
    return one != NULL ? lesser(next_check_time(w, one), due) : due;
}

static carom_status drives_change(world *w, error *e)
{
    const drives *all = w->driven.drives;
    drive_wait *one = next_wait(w);
    const double due = all->next < all->count ? all->change[all->next].time : INFINITY;
    if (one != NULL && next_check_time(w, one) <= due) return check_wait(w, one, e);
    const drive_change *c = &all->change[w->driven.drives->next++];
    w->now = w->last_event = c->time;
    set_velocity(w, c);
    return renew_driven(w, c->drive, e);
}

static double drives_work(const world *w, double t)
{
    double sum = 0, x[DIM];
    for (uint32_t i = 0; w->driven.drives != NULL && i < w->count; i++) {
        if (!node_is_driven(&w->node[i])) continue;
        position_at(w, &w->node[i], t, x);
        for (int k = 0; k < DIM; k++) sum -= w->mass[i] * w->scene->gravity[k] * (x[k] - w->driven.drives->start[i][k]);
    }
    return sum;
}

/* ---- the feature ------------------------------------------------------------------------------------------------- */

/* Enabled also by rigid meshes, which have prescribed motion. */
static bool drives_enabled(const world *w)
{
    size_t rigid = 0;
    for (size_t k = 0; k < w->scene->mesh_count; k++) rigid += w->scene->meshes[k].rigid;
    return w->scene->drive_count + rigid > 0;
}

/* State of drives with a start condition, and the positions of their nodes at the beginning of hold. */
static int drives_saved(const world *w, snapshot_part parts[FEATURE_ARRAYS])
{
    const drives *d = w->driven.drives;
    int n = 0;
    if (d->wait_count > 0) parts[n++] = (snapshot_part){"engine/waits", d->waits, d->wait_count * sizeof *d->waits};
    if (d->place != NULL)
        parts[n++] = (snapshot_part){"engine/places", d->place, d->first[w->scene->drive_count] * sizeof *d->place};
    return n;
}

static const char *drives_find_unsound(const world *w, void *const before[FEATURE_ARRAYS])
{
    (void)before;
    return drives_are_sound(w) ? NULL : "engine/waits";
}

/* Skips the changes that are in the state already. */
static void drives_loaded(world *w)
{
    drives *d = w->driven.drives;
    if (d != NULL && d->wait_count > 0) {
        set_times(d);
        qsort(d->change, d->count, sizeof *d->change, by_time);
        d->next = 0;
    }
    for (uint32_t k = 0; d != NULL && k < d->wait_count; k++) {
        const uint32_t *first = &d->first[d->waits[k].drive];
        for (uint32_t n = first[0]; holds_now(d, w->scene, k) && n < first[1]; n++)
            memcpy(d->start[d->driven[n]], d->place[n], sizeof *d->start);
    }
    while (d != NULL && d->next < d->count && d->change[d->next].time <= w->now) d->next++;
}

static void drives_fill_frame(const world *w, double t, carom_frame *f)
{
    const drives *d = w->driven.drives;
    for (size_t k = 0; k < d->wait_count; k++) d->starts[k] = (frame_start){d->waits[k].drive, d->waits[k].began};
    f->tallies.starts = d->wait_count > 0 ? d->starts : NULL;
    f->tallies.start_count = d->wait_count;
    f->tallies.ledger.work += drives_work(w, t);
}

/* The drive of a node, or of a plane; NONE. */
static uint32_t drive_of(const world *w, uint32_t element)
{
    const drives *d = w->driven.drives;
    uint32_t ends[3];
    const int count = element < NODES ? ends_of(w, element, ends) : 0;
    for (uint32_t k = 0; d != NULL && k < w->scene->drive_count; k++) {
        const scene_drive *one = &w->scene->drives[k];
        if (element >= NODES && one->plane != SIZE_MAX && plane_of(w, one) == &w->domain.surface[element - NODES])
            return k;
        for (uint32_t n = d->first[k]; n < d->first[k + 1]; n++)
            for (int c = 0; c < count; c++)
                if (d->driven[n] == ends[c]) return k;
    }
    return NONE;
}

static scene_spot drives_spot(const world *w, uint32_t i, uint32_t j)
{
    const uint32_t drive = drive_of(w, i) != NONE ? drive_of(w, i) : drive_of(w, j);
    const uint32_t of = mesh_of_element(w, i) != NONE ? mesh_of_element(w, i) : mesh_of_element(w, j);
    if (drive != NONE) return scene_at(w->scene, "drives.%lu", (unsigned long)drive);
    if (of != NONE) return scene_at(w->scene, "meshes.%lu", (unsigned long)of);
    return scene_at(w->scene, "particles");
}

static const feature drives_feature = {.name = "drives",
                                       .enabled = drives_enabled,
                                       .create = drives_create,
                                       .destroy = drives_destroy,
                                       .saved = drives_saved,
                                       .find_unsound = drives_find_unsound,
                                       .set_kinds = drives_set_kinds,
                                       .loaded = drives_loaded,
                                       .fill_frame = drives_fill_frame};

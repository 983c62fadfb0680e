/* Recorded events. All of them: valid numbers, in the order of time. With a complete record of free flights (no shear, no
 * compression, no layers, no rotating clusters) the velocities of each frame must follow from those of the frame before,
 * and, of single particles, the positions. */
#include "output/verify/verify_events.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "output/verify/verifier.h"

/* A particle or, with clusters, its cluster: the values of the root count. */
typedef struct flight {
    double r[3], v[3], t; /* unwrapped, true velocity */
    double mass;
    uint32_t parent; /* of the union of clusters; its own number: a root */
    uint32_t count;  /* events since the frame before */
    bool asleep;
} flight;

struct event_check {
    carom_event *block;
    uint64_t next;      /* event */
    uint64_t block_end; /* number of the first event after the block in memory */
    double last_time;   /* of the event before */
    bool follows;       /* frames follow from events */
    bool clusters;      /* whose members move together */
    uint64_t seen[CAROM_EVENT_KINDS];
    uint64_t earlier[EVENT_KINDS]; /* counters of the first frame: of a run that has begun without the file */
    flight *flight;                /* [count] */
    double fastest;                /* largest speed between the frames */
    bool begun;
};

/* Whether each change of velocity is recorded. */
static bool is_complete(const reader *r, const scene *s)
{
    const result_about *about = reader_about(r);
    if (s == NULL) return false;
    const scene_events *chosen = &s->output.events;
    const bool all = chosen->kinds == 0 && chosen->count == 0 && chosen->species_count == 0 && chosen->start == 0 &&
                     chosen->end == 0 && chosen->most == 0;
    const bool rotating_clusters = ABOUT_HAS(about, cluster) && ABOUT_HAS(about, spin);
    return all && !about->edited && !about->lasting && about->shear == 0 && !rotating_clusters &&
           !ABOUT_HAS(about, present);
}

carom_status event_check_open(event_check **out, const reader *r, const scene *s, error *e)
{
    const result_about *about = reader_about(r);
    *out = NULL;
    if (!about->events_stored) return CAROM_OK;
    event_check *c = NEW_ARRAY(1, event_check);
    if (c == NULL) return error_memory(e, "events", sizeof *c);
    *out = c;
    c->follows = is_complete(r, s);
    c->clusters = ABOUT_HAS(about, cluster);
    c->last_time = -INFINITY;
    c->block = NEW_ARRAY(EVENT_BLOCK, carom_event);
    c->flight = NEW_ARRAY(c->follows ? about->count : 0, flight);
    return c->block != NULL && c->flight != NULL ? CAROM_OK
                                                 : error_memory(e, "events", about->count * sizeof *c->flight);
}

void event_check_close(event_check *c)
{
    if (c == NULL) return;
    memory_free(c->block);
    memory_free(c->flight);
    memory_free(c);
}

/* ---- one event --------------------------------------------------------------------------------------------------- */

static bool numbers_are_finite(const carom_event *event)
{
    bool finite = isfinite(event->time) && isfinite(event->duration);
    for (int k = 0; k < 3; k++) finite = finite && isfinite(event->normal[k]) && isfinite(event->impulse[k]);
    return finite;
}

static bool normal_is_unit(const carom_event *event)
{
    const double *n = event->normal, square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    return square == 0 || fabs(square - 1) <= 1e-6;
}

static void note_event(verifier *v, const carom_event *event, const char *what)
{
    if (!verify_note(v, CHECK_EVENTS)) return;
    text_buffer *to = &v->descriptions[CHECK_EVENTS];
    text_add(to, "event %" PRIu64 " (%s) %s", v->events->next, event_names[event->kind], what);
    verify_end_note(v, CHECK_EVENTS);
}

static bool event_is_sound(verifier *v, const carom_event *event)
{
    const size_t count = v->f.count;
    const bool lasting = reader_about(v->r)->lasting; /* their first body may be a rod or triangle */
    const bool i_exists = event->i_type == CAROM_BODY_PARTICLE ? event->i < count : lasting;
    const bool j_exists = event->j_type != CAROM_BODY_PARTICLE || event->j < count;
    const char *fault = !numbers_are_finite(event)           ? "has a number that is not finite"
                        : !normal_is_unit(event)             ? "has a normal that is no unit vector"
                        : !i_exists || !j_exists             ? "refers to a particle that does not exist"
                        : event->time < v->events->last_time ? "is earlier than the event before it"
                        : event->duration < 0                ? "has a negative duration"
                                                             : NULL;
    if (fault != NULL) note_event(v, event, fault);
    return fault == NULL;
}

/* ---- flights ----------------------------------------------------------------------------------------------------- */

static uint32_t root_of(event_check *c, uint32_t i)
{
    while (c->flight[i].parent != i) i = c->flight[i].parent = c->flight[c->flight[i].parent].parent;
    return i;
}

static void fly_to(verifier *v, flight *p, double time)
{
    const double dt = time - p->t;
    double square = 0;
    for (int k = 0; k < v->f.dimension; k++) {
        const double a = p->asleep ? 0 : v->f.gravity[k];
        p->r[k] += dt * (p->v[k] + a * (dt / 2));
        p->v[k] += a * dt;
        square += p->v[k] * p->v[k];
    }
    p->t = time;
    v->events->fastest = fmax(v->events->fastest, sqrt(square));
}

static void push(verifier *v, flight *p, const carom_event *event, double sign)
{
    fly_to(v, p, event->time);
    for (int k = 0; k < v->f.dimension && !p->asleep; k++) p->v[k] += sign * event->impulse[k] / p->mass;
    p->count++;
}

/* The energy that a smooth collision adds to the kinetic energy of two particles. */
static double energy_gained(verifier *v, flight *a, flight *b, const carom_event *event)
{
    double work = 0, square = 0;
    fly_to(v, a, event->time);
    fly_to(v, b, event->time);
    for (int k = 0; k < v->f.dimension; k++) {
        work += event->impulse[k] * (a->v[k] - b->v[k]);
        square += event->impulse[k] * event->impulse[k];
    }
    return work + 0.5 * square * (1 / a->mass + 1 / b->mass);
}

static void unite(event_check *c, uint32_t i, uint32_t j)
{
    flight *a = &c->flight[i], *b = &c->flight[j];
    a->mass += b->mass;
    a->count += b->count;
    b->parent = i;
}

static void follow(verifier *v, const carom_event *event)
{
    event_check *c = v->events;
    const uint32_t i = root_of(c, event->i);
    flight *a = &c->flight[i];
    const bool pair = event->j_type == CAROM_BODY_PARTICLE;
    const uint32_t j = pair ? root_of(c, event->j) : i;
    const bool smooth = event->kind == CAROM_EVENT_COLLISION && !ABOUT_HAS(reader_about(v->r), inertia) &&
                        !ABOUT_HAS(reader_about(v->r), axis) && !a->asleep && !c->flight[j].asleep;
    if (pair && smooth) {
        const double gained = energy_gained(v, a, &c->flight[j], event), scale = v->energy_scale;
        if (gained > verify_rounding(v) * scale) note_event(v, event, "adds energy");
    }
    push(v, a, event, 1);
    if (event->kind == CAROM_EVENT_SLEEP) a->asleep = true;
    if (event->kind == CAROM_EVENT_WAKE) a->asleep = false;
    if (pair && j != i) push(v, &c->flight[j], event, -1);
    if (event->kind == CAROM_EVENT_MERGE && j != i) unite(c, i, j);
}

static void begin_flights(verifier *v)
{
    event_check *c = v->events;
    const carom_frame *f = &v->f;
    c->fastest = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        flight *p = &c->flight[f->id[i]];
        const bool asleep = p->asleep;
        *p = (flight){.t = f->time, .mass = f->mass[i], .parent = f->id[i], .asleep = asleep};
        for (int k = 0; k < f->dimension; k++) {
            const size_t at = (size_t)i * (size_t)f->dimension + (size_t)k;
            p->r[k] = frame_unwrapped(f, i, (size_t)k);
            p->v[k] = frame_true(f, f->velocity[at]);
        }
    }
    for (uint32_t i = 0; c->clusters && i < f->count; i++) {
        const uint32_t root = f->cluster[i];
        if (root == f->id[i]) continue;
        c->flight[f->id[i]].parent = root;
        c->flight[root].mass += f->mass[i];
    }
}

/* ---- a frame ----------------------------------------------------------------------------------------------------- */

static void compare_flight(verifier *v, uint32_t i)
{
    event_check *c = v->events;
    const carom_frame *f = &v->f;
    flight *p = &c->flight[root_of(c, f->id[i])];
    const double grain = fmax(f->grain, 0x1p-52), roundings = 64 * (8 + (double)p->count);
    double off = 0, way = 0;
    fly_to(v, p, f->time);
    for (int k = 0; k < f->dimension; k++) {
        const size_t at = (size_t)i * (size_t)f->dimension + (size_t)k;
        off = fmax(off, fabs(p->v[k] - frame_true(f, f->velocity[at])));
        way = fmax(way, fabs(p->r[k] - frame_unwrapped(f, i, (size_t)k)));
    }
    const double span = f->time - v->before.time, length = v->tolerance + grain * (fabs(f->time) * c->fastest);
    if (off > roundings * grain * c->fastest && verify_note(v, CHECK_EVENTS)) {
        text_add(&v->descriptions[CHECK_EVENTS], "the velocity of particle %" PRIu32, f->id[i]);
        verify_note_number(v, CHECK_EVENTS, " differs by ", off);
        text_add(&v->descriptions[CHECK_EVENTS], " from that after its %" PRIu32 " events", p->count);
        verify_end_note(v, CHECK_EVENTS);
    } else if (!c->clusters && way > roundings * (length + grain * span * c->fastest) && verify_note(v, CHECK_EVENTS)) {
        text_add(&v->descriptions[CHECK_EVENTS], "the position of particle %" PRIu32, f->id[i]);
        verify_note_number(v, CHECK_EVENTS, " differs by ", way);
        text_add(&v->descriptions[CHECK_EVENTS], " from that after its %" PRIu32 " events", p->count);
        verify_end_note(v, CHECK_EVENTS);
    }
}

/* Number of physical events of the recorded kinds up to this frame, by its counters. */
static uint64_t counted(const verifier *v)
{
    uint64_t sum = 0;
    for (int kind = 0; kind < EVENT_CERTIFICATE; kind++) sum += v->f.events[kind] - v->events->earlier[kind];
    return sum;
}

static uint64_t recorded(const event_check *c)
{
    uint64_t sum = 0;
    for (int kind = 0; kind <= CAROM_EVENT_KICK; kind++) sum += c->seen[kind];
    return sum;
}

static carom_status next_event(verifier *v, carom_event **event, error *e)
{
    event_check *c = v->events;
    *event = NULL;
    if (c->next >= reader_about(v->r)->event_rows) return CAROM_OK;
    size_t count;
    if (c->next >= c->block_end) {
        TRY(reader_event_block(v->r, c->next / EVENT_BLOCK, c->block, &count, e));
        c->block_end = c->next / EVENT_BLOCK * EVENT_BLOCK + count;
    }
    *event = &c->block[c->next % EVENT_BLOCK];
    return CAROM_OK;
}

/* Whether an event belongs to the time before the frame: by the counters, which are exact, or by time. */
static bool is_before(const verifier *v, const carom_event *event)
{
    if (v->events->follows && event->kind <= CAROM_EVENT_KICK) return recorded(v->events) < counted(v);
    return event->time <= v->f.time;
}

static void compare_counts(verifier *v)
{
    const event_check *c = v->events;
    const uint64_t *events = v->f.events, *earlier = c->earlier;
    const char *wrong = c->seen[CAROM_EVENT_COLLISION] != events[EVENT_COLLISION] - earlier[EVENT_COLLISION]
                            ? "collisions"
                        : c->seen[CAROM_EVENT_WALL] != events[EVENT_WALL] - earlier[EVENT_WALL] ? "contacts with walls"
                        : c->seen[CAROM_EVENT_MERGE] != events[EVENT_MERGE] - earlier[EVENT_MERGE] ? "merges"
                                                                                                   : NULL;
    if (wrong == NULL || !verify_note(v, CHECK_EVENTS)) return;
    text_add(&v->descriptions[CHECK_EVENTS], "the number of recorded %s is not that of the frame", wrong);
    verify_end_note(v, CHECK_EVENTS);
}

/* Whether the record reaches this frame: that of a killed run lacks its last block. */
static bool is_recorded(const verifier *v)
{
    return recorded(v->events) == counted(v);
}

static bool box_has_changed(const verifier *v)
{
    bool changed = false;
    for (int k = 0; k < v->f.dimension; k++) changed = changed || v->f.box[k] != v->before.box[k];
    return v->follows && changed;
}

carom_status verify_events(verifier *v, error *e)
{
    event_check *c = v->events;
    carom_event *event;
    if (c == NULL) return CAROM_OK;
    if (box_has_changed(v)) c->follows = false;
    if (v->index == 0) memcpy(c->earlier, v->f.events, sizeof c->earlier);
    for (;;) {
        TRY(next_event(v, &event, e));
        if (event == NULL || !is_before(v, event)) break;
        const bool sound = event_is_sound(v, event);
        c->seen[event->kind]++;
        if (sound && c->begun && c->follows) follow(v, event);
        c->last_time = event->time;
        c->next++;
    }
    if (!c->follows) return CAROM_OK;
    const bool ended = strcmp(reader_about(v->r)->stop, "none") != 0;
    if (is_recorded(v) || ended) {
        compare_counts(v);
        for (uint32_t i = 0; i < frame_particles(&v->f) && c->begun && v->follows; i++) compare_flight(v, i);
        begin_flights(v);
        c->begun = true;
    } else
        c->follows = false;
    return CAROM_OK;
}

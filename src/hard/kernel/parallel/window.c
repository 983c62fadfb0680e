/* Windows of time. */
#include "hard/kernel/parallel/window.h"
#include "hard/kernel/broad/cells.h"
#include "hard/kernel/features/features.h"
#include "hard/kernel/images.h"
#include "hard/kernel/parallel/body_state.h"
#include "hard/kernel/parallel/halo.h"
#include "hard/kernel/parallel/members.h"
#include "hard/kernel/parallel/notes.h"
#include "hard/kernel/parallel/times.h"
#include "hard/kernel/schedule/run.h"
#include "hard/kernel/schedule/schedule.h"

/* ---- changes ----------------------------------------------------------------------------------------------------- */

/* Index of the change of body i in this window; from change_count on: it has none. */
static uint32_t change_index(const domain *d, uint32_t i)
{
    return d->member[i].change - d->first_change;
}

static body_change *change_of(domain *d, uint32_t i)
{
    const uint32_t n = change_index(d, i);
    return n < d->change_count ? &d->change[n] : NULL;
}

/* Room for the changes of one event. */
static bool reserve_changes(domain *d)
{
    if (reserve(&d->change, &d->change_room, d->change_count + 2, sizeof *d->change)) return true;
    out_of_memory(d, "a window");
    return false;
}

/* What an undo needs of body i. Images are kept when they change (note_image). */
static void keep_body(domain *d, uint32_t i)
{
    const gas *g = d->gas;
    buffer_put(&d->before, &g->body[i], sizeof *g->body);
    if (d->start.stalls) {
        buffer_put(&d->before, &g->stall.time[i], sizeof *g->stall.time);
        buffer_put(&d->before, &g->stall.count[i], sizeof *g->stall.count);
    }
    features_put(g, i, &d->before);
}

static const void *take(void *to, size_t bytes, const char *from)
{
    memcpy(to, from, bytes);
    return from + bytes;
}

static void return_body(domain *d, const body_change *one)
{
    gas *g = d->gas;
    const uint32_t i = one->body, stamp = g->body[i].stamp;
    const char *from = take(&g->body[i], sizeof *g->body, d->before.data + one->before);
    g->body[i].stamp = stamp + 1;
    if (d->start.stalls) {
        from = take(&g->stall.time[i], sizeof *g->stall.time, from);
        from = take(&g->stall.count[i], sizeof *g->stall.count, from);
    } else if (g->stall.any)
        g->stall.count[i] = 0;
    features_get(g, i, from);
}

/* Bodies with a change that is undone, the others have none. */
static void return_images(domain *d, bool copies_only)
{
    const size_t count = d->images.size / sizeof(image_change);
    for (size_t n = count; n-- > 0;) {
        image_change one;
        memcpy(&one, d->images.data + n * sizeof one, sizeof one);
        const body_change *of = change_of(d, one.body);
        if (copies_only && (of->role == ROLE_OWNED || of->known != COPY_UNKNOWN)) continue;
        images_put(d->gas, one.body, one.before);
    }
}

/* The body has an event: its state before is stored at the first one. */
static body_change *begin_change(domain *d, uint32_t i, real t)
{
    body_change *one = change_of(d, i);
    if (one != NULL) return one;
    membership *m = &d->member[i];
    one = &d->change[d->change_count];
    *one = (body_change){
        .body = i, .post = m->post, .role = d->role[i], .chain = HASH_START, .first = t, .before = d->before.size};
    m->change = d->first_change + d->change_count++;
    keep_body(d, i);
    return one;
}

static void end_change(domain *d, body_change *one)
{
    const uint32_t i = one->body;
    one->events++;
    if (one->role != ROLE_OWNED || one->post != NO_POST) one->chain = body_chain(d->gas, i, one->chain);
    if (one->role != ROLE_OWNED) return;
    const double square = (double)dot(d->gas->body[i].v, d->gas->body[i].v);
    if (square <= d->crew->speed_most * d->crew->speed_most) return;
    d->speed_found = fmax(d->speed_found, sqrt(square));
    d->halt = earlier(d->halt, d->gas->now);
}

/* The next window has no changes yet. */
static void forget_changes(domain *d)
{
    d->first_change += d->change_count;
    if (d->first_change > UINT32_MAX / 2) {
        for (uint32_t i = 0; i < d->gas->room; i++) d->member[i].change = 0;
        d->first_change = 0;
    }
    if (d->first_change == 0) d->first_change = 1; /* members without changes have 0 */
    d->change_count = d->moved_count = d->mark_count = 0;
    buffer_clear(&d->before);
    buffer_clear(&d->images);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

static void mark_event(domain *d, real t, const uint64_t before[EVENT_KINDS])
{
    const gas *g = d->gas;
    if (!reserve(&d->marks, &d->mark_room, d->mark_count + 1, sizeof *d->marks)) {
        out_of_memory(d, "a window");
        return;
    }
    const uint32_t collisions = (uint32_t)(g->events[EVENT_COLLISION] - before[EVENT_COLLISION]);
    const uint32_t all = (uint32_t)(events_total(g->events) - events_total(before));
    d->marks[d->mark_count++] = (mark){.time = t, .collisions = (uint8_t)collisions, .events = (uint8_t)all};
}

static void window_event(domain *d, uint32_t i, const next_event *event)
{
    gas *g = d->gas;
    const bool pair = is_pair(event);
    const uint32_t j = pair ? event->partner : i, first = g->id[j] < g->id[i] ? j : i;
    const uint8_t role_i = d->role[i], role_j = d->role[j];
    if ((role_i == ROLE_OWNED && role_j == ROLE_OUTER) || (role_j == ROLE_OWNED && role_i == ROLE_OUTER)) {
        d->halt = earlier(d->halt, event->time); /* beyond the bound: the copy is on a wrong path */
        return;
    }
    if (!reserve_changes(d)) return;
    body_change *const of_i = begin_change(d, i, event->time), *const of_j = begin_change(d, j, event->time);
    uint64_t before[EVENT_KINDS];
    memcpy(before, g->events, sizeof before);
    carom_stop stop = CAROM_STOP_NONE;
    g->counts = d->role[first] == ROLE_OWNED;
    const carom_status status = carry_out(g, i, event, &stop, &d->error);
    if (status != CAROM_OK && d->status == CAROM_OK) d->status = status;
    if (stop != CAROM_STOP_NONE) {
        error_clear(&d->error);
        d->halt = earlier(d->halt, event->time); /* of copies too: their collisions would never end */
    }
    end_change(d, of_i);
    if (j != i) end_change(d, of_j);
    if (g->counts) mark_event(d, event->time, before);
    schedule_again(g, i, j);
}

static void window_transfer(domain *d, uint32_t i, real t)
{
    gas *g = d->gas;
    const uint64_t before = g->events[EVENT_TRANSFER];
    const carom_status status = renew_neighbors(g, i, t, &d->error);
    if (status != CAROM_OK && d->status == CAROM_OK) d->status = status;
    if (d->role[i] != ROLE_OWNED) g->events[EVENT_TRANSFER] = before;
    if (!push(&d->moved, &d->moved_count, &d->moved_room, i)) out_of_memory(d, "a window");
    if (time_stalled(g, t)) d->halt = earlier(d->halt, t);
}

static void window_crossings(domain *d, real t)
{
    gas *g = d->gas;
    g->now = t;
    d->work += cell_grid_cross_together(g);
    if (time_stalled(g, t)) d->halt = earlier(d->halt, t);
}

static void run_events(domain *d)
{
    gas *g = d->gas;
    const crew *c = d->crew;
    uint32_t i;
    next_event event;
    while (d->status == CAROM_OK && schedule_first(g, &i, &event)) {
        if (event.time > c->until || event.time >= d->halt) return;
        d->work++;
        d->work_of_stage++;
        if (event.time < g->now) {
            d->halt = c->reached; /* the serial loop reports it */
            return;
        }
        if (event.partner != PARTNER_TRANSFER)
            window_event(d, i, &event);
        else if (event.stamp == TRANSFER_TOGETHER)
            window_crossings(d, event.time);
        else
            window_transfer(d, i, event.time);
        if (d->mark_count > WINDOW_EVENTS_MOST) d->halt = earlier(d->halt, g->now);
    }
}

static void begin_window(domain *d)
{
    gas *g = d->gas;
    window_start *s = &d->start;
    *s = (window_start){
        .now = g->now, .last_event = g->last_event, .far = g->far, .tallies = g->tallies, .stalls = g->stall.any};
    memcpy(s->events, g->events, sizeof s->events);
    d->halt = REAL_NEVER;
    d->speed_found = 0;
    d->work = 0;
    forget_changes(d);
    buffer_clear(&d->tallies);
    features_keep_tallies(g, &d->tallies);
    if (d->tallies.failed) out_of_memory(d, "a window");
}

/* History of a body in a window. */
typedef struct history {
    uint32_t place, events;
    uint64_t chain;
    double first; /* not later than the time of the first event */
} history;

static void send_histories(domain *d)
{
    for (int k = 0; k < d->adjacent_count; k++) buffer_clear(message_to(&d->adjacent[k]));
    for (uint32_t n = 0; n < d->change_count; n++) {
        const body_change *one = &d->change[n];
        for (uint32_t p = one->post; p != NO_POST; p = d->post[p].next) {
            const post *to = &d->post[p];
            buffer *out = message_to(&d->adjacent[to->to]);
            const history h = {to->place, one->events, one->chain, not_later(one->first)};
            buffer_put(out, &h, sizeof h);
            body_put(d->gas, one->body, out);
        }
    }
    for (int k = 0; k < d->adjacent_count; k++)
        if (message_to(&d->adjacent[k])->failed) out_of_memory(d, "messages");
}

static void window_run(domain *d)
{
    begin_window(d);
    run_events(d);
    if (d->before.failed || d->images.failed) out_of_memory(d, "a window");
    if (d->status == CAROM_OK) send_histories(d);
}

/* ---- comparison -------------------------------------------------------------------------------------------------- */

/* The history at `at` of a message; its state follows. */
static const char *read_history(const char *at, history *h)
{
    memcpy(h, at, sizeof *h);
    return at + sizeof *h;
}

static void compare_with(domain *d, const adjacent *a)
{
    const buffer *in = message_from(a);
    for (const char *at = in->data, *end = at + in->size; at < end;) {
        history h;
        at = read_history(at, &h);
        const uint32_t i = a->received[h.place];
        body_change *own = change_of(d, i);
        const bool equal = own != NULL && own->events == h.events && own->chain == h.chain;
        if (own != NULL) own->known = equal ? COPY_EQUAL : COPY_DIFFERS;
        if (!equal && d->role[i] == ROLE_LAYER) {
            const real first = own != NULL ? earlier(own->first, (real)h.first) : (real)h.first;
            d->halt = earlier(d->halt, first);
        }
        at += body_bytes(d->gas, at);
    }
}

static void window_compare(domain *d)
{
    for (int k = 0; k < d->adjacent_count; k++) compare_with(d, &d->adjacent[k]);
    for (uint32_t n = 0; n < d->change_count; n++) {
        const body_change *one = &d->change[n];
        if (one->role == ROLE_LAYER && one->known == COPY_UNKNOWN) d->halt = earlier(d->halt, one->first);
    }
}

/* ---- end --------------------------------------------------------------------------------------------------------- */

/* The body has a new state: it is searched and scheduled again. */
static void refresh(domain *d, uint32_t i)
{
    if (!push(&d->moved, &d->moved_count, &d->moved_room, i)) out_of_memory(d, "a window");
}

static void take_over_from(domain *d, const adjacent *a)
{
    const buffer *in = message_from(a);
    for (const char *at = in->data, *end = at + in->size; at < end;) {
        history h;
        at = read_history(at, &h);
        const uint32_t i = a->received[h.place];
        const body_change *own = change_of(d, i);
        if (own != NULL && own->known == COPY_EQUAL) {
            at += body_bytes(d->gas, at);
            continue;
        }
        at = body_get(d->gas, i, at);
        refresh(d, i);
    }
}

/* Copies on a wrong path of which the original has had no event. */
static void restore_copies(domain *d)
{
    return_images(d, true);
    for (uint32_t n = 0; n < d->change_count; n++) {
        const body_change *one = &d->change[n];
        if (one->role == ROLE_OWNED || one->known != COPY_UNKNOWN) continue;
        return_body(d, one);
        refresh(d, one->body);
    }
}

static void renew_refreshed(domain *d)
{
    gas *g = d->gas;
    for (uint32_t n = 0; n < d->moved_count && d->status == CAROM_OK; n++)
        d->status = members_renew(g, d->moved[n], &d->error);
    for (uint32_t n = 0; n < d->moved_count && d->status == CAROM_OK; n++) schedule_one(g, d->moved[n]);
}

static void accept_window(domain *d)
{
    gas *g = d->gas;
    g->now = d->crew->until;
    d->moved_count = 0;
    restore_copies(d);
    for (int k = 0; k < d->adjacent_count; k++) take_over_from(d, &d->adjacent[k]);
    renew_refreshed(d);
}

static void undo_window(domain *d)
{
    gas *g = d->gas;
    const window_start *s = &d->start;
    return_images(d, false);
    for (uint32_t n = 0; n < d->change_count; n++) {
        return_body(d, &d->change[n]);
        refresh(d, d->change[n].body);
    }
    g->now = s->now;
    g->last_event = s->last_event;
    g->far = s->far;
    g->tallies = s->tallies;
    g->stall.any = s->stalls;
    memcpy(g->events, s->events, sizeof g->events);
    features_restore_tallies(g, d->tallies.data);
    if (g->cells != NULL) crossings_rewind(&g->cells->coming, g->now);
    renew_refreshed(d);
}

static void window_end(domain *d)
{
    if (d->crew->undone)
        undo_window(d);
    else
        accept_window(d);
    forget_changes(d);
}

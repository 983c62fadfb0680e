/* Recording of events. The impulse is mass times the change of velocity. It is the same for all rules of collision, and
 * the velocities of the next flights follow from it within rounding. */
#include "hard/kernel/response/record.h"
#include "hard/kernel/clock.h"
#include "hard/kernel/features/exact.h"
#include "hard/kernel/features/shear.h"
#include "hard/kernel/images.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/true_place.h"

#include "base/memory.h"

static carom_status gas_log_events(void *self, event_log *log, error *e)
{
    gas *g = self;
    if (log == NULL) {
        if (g->recorder != NULL && g->recorder->logs_contacts)
            g->recorder->log = NULL;
        else
            recorder_destroy(g);
        return CAROM_OK;
    }
    if (g->crew != NULL)
        return error_set(e, CAROM_USAGE,
                         "error: events are recorded on one thread of one process only: give --threads 1 and leave out "
                         "mpirun, or leave "
                         "out the recording");
    if (g->recorder == NULL) g->recorder = NEW_ARRAY(1, recorder);
    if (g->recorder == NULL) return error_memory(e, "the recording of events", sizeof *g->recorder);
    g->recorder->log = log;
    return CAROM_OK;
}

static carom_status recorder_log_contacts(gas *g, error *e)
{
    if (g->crew != NULL)
        return error_set(e, CAROM_USAGE,
                         "error: impulses of contacts, as for `stress` and `fields`, are measured on one thread of one "
                         "process only: give --threads 1 and leave out mpirun, or leave out the observable");
    if (g->recorder == NULL) g->recorder = NEW_ARRAY(1, recorder);
    if (g->recorder == NULL) return error_memory(e, "the impulses of contacts", sizeof *g->recorder);
    g->recorder->logs_contacts = true;
    return CAROM_OK;
}

static contact_log *gas_take_contacts(void *self, double time, bool lasting)
{
    gas *g = self;
    (void)time, (void)lasting;
    return g->recorder != NULL && g->recorder->logs_contacts ? &g->recorder->contacts : NULL;
}

static void recorder_destroy(gas *g)
{
    if (g->recorder == NULL) return;
    contact_log_free(&g->recorder->contacts);
    memory_free(g->recorder);
    g->recorder = NULL;
}

static void recorder_begin(gas *g, uint32_t i, uint32_t j, const next_event *event)
{
    recorder *r = g->recorder;
    r->pending = true;
    r->body[0] = i;
    r->body[1] = j;
    r->partner = event->partner;
    r->time = event->time;
    memset(r->normal, 0, sizeof r->normal);
    memcpy(r->counts, g->events, sizeof r->counts);
    for (int n = 0; n < 2; n++) {
        const uint32_t of = r->body[n];
        const real dt = event->time - g->body[of].t;
        for (int k = 0; k < DIM; k++) r->before[n][k] = g->body[of].v[k] + acceleration(g, of, k) * dt;
        r->row[n] = image_at(g, of, 1);
    }
}

static void recorder_normal(gas *g, const real normal[DIM])
{
    memcpy(g->recorder->normal, normal, sizeof g->recorder->normal);
}

/* The kind of event that has been counted; false: none. */
static bool kind_of_event(const gas *g, carom_event_kind *kind)
{
    const recorder *r = g->recorder;
    const bool pair = r->body[0] != r->body[1];
    if (g->events[EVENT_COLLISION] > r->counts[EVENT_COLLISION])
        *kind = CAROM_EVENT_COLLISION;
    else if (g->events[EVENT_WALL] > r->counts[EVENT_WALL])
        *kind = CAROM_EVENT_WALL;
    else if (g->events[EVENT_FORCE] > r->counts[EVENT_FORCE])
        *kind = pair ? CAROM_EVENT_STEP : CAROM_EVENT_KICK;
    else
        return false;
    return true;
}

/* Momentum that the event has given to one of its bodies, in true units. An image that moves along y in a sheared box
 * adds the velocity of the flow, which is no impulse. */
static void impulse_on(const gas *g, int n, double impulse[3])
{
    const recorder *r = g->recorder;
    const uint32_t i = r->body[n];
    const double mass = ldexp(mass_of(g, i), (int)-g->scale);
    real before[DIM];
    memcpy(before, r->before[n], sizeof before);
    if (g->shear != NULL) before[0] -= (real)(image_at(g, i, 1) - r->row[n]) * g->shear->slide;
    for (int k = 0; k < DIM; k++) impulse[k] = mass * (double)(g->body[i].v[k] - before[k]);
}

/* The unit vector from the second body to the first. */
static void find_normal(const gas *g, double normal[3])
{
    const recorder *r = g->recorder;
    const uint32_t i = r->body[0], j = r->body[1];
    real n[DIM], v[DIM];
    memcpy(n, r->normal, sizeof n);
    if (dot(n, n) == 0 && i != j) relative_at(g, i, j, r->time, r->time, n, v);
    const real length = real_sqrt(dot(n, n));
    for (int k = 0; k < DIM && length > 0; k++) normal[k] = (double)(n[k] / length);
}

static void find_partner(const gas *g, carom_event *out)
{
    const recorder *r = g->recorder;
    out->j_type = CAROM_BODY_NONE;
    if (r->partner < PARTNER_ELEMENT) {
        out->j_type = CAROM_BODY_PARTICLE;
        out->j = g->id[r->body[1]];
    } else if (r->partner < PARTNER_SURFACE) {
        out->j_type = CAROM_BODY_TRIANGLE;
        out->j = r->partner - PARTNER_ELEMENT;
    } else if (r->partner < PARTNER_CHECK) {
        const uint32_t index = r->partner - PARTNER_SURFACE;
        const bool exact = index >= g->surface_count;
        const surface *s = exact ? NULL : &g->surface[index];
        out->j_type = exact ? CAROM_BODY_SURFACE : s->axis >= 0 ? CAROM_BODY_WALL : CAROM_BODY_PLANE;
        out->j = exact ? index - g->surface_count : s->axis >= 0 ? (uint32_t)(2 * s->axis + s->side) : s->law - 1;
    }
}

/* The body of a pair whose change of velocity gives the impulse: not one that remains asleep, which takes no impulse;
 * else the lighter one, whose rounding errors are small for the other. */
static int measured_body(const gas *g)
{
    const uint32_t i = g->recorder->body[0], j = g->recorder->body[1];
    if (i == j || is_asleep(g, j)) return 0;
    return is_asleep(g, i) || mass_of(g, j) < mass_of(g, i);
}

/* The centre of the first body in the box of frames. */
static void contact_place(const gas *g, double time, double place[3])
{
    const recorder *r = g->recorder;
    const uint32_t i = r->body[0];
    real x[DIM];
    if (g->shear != NULL) {
        real v[DIM];
        int64_t image[DIM];
        place_sheared(g, i, r->time, x, v, image);
    } else {
        position_at(g, i, r->time, x);
    }
    const drifted d = drifted_until(g, time);
    for (int k = 0; k < DIM; k++) {
        x[k] += (real)d.rest[k];
        place[k] = (double)(x[k] - real_floor(x[k] * g->inverse_box[k]) * g->box[k]);
    }
}

/* From the centre of the second body, or from the point of contact with a boundary, to that of the first. */
static void contact_branch(const gas *g, const double normal[3], double branch[3])
{
    const recorder *r = g->recorder;
    const uint32_t i = r->body[0], j = r->body[1];
    real x[DIM], v[DIM];
    if (i == j) {
        for (int k = 0; k < DIM; k++) branch[k] = (double)radius_of(g, i) * normal[k];
        return;
    }
    relative_at(g, i, j, r->time, r->time, x, v);
    for (int k = 0; k < DIM; k++) branch[k] = (double)x[k];
}

/* A kick of a heat bath is no contact. */
static void log_contact(gas *g, const carom_event *event)
{
    recorder *r = g->recorder;
    if (event->kind == CAROM_EVENT_KICK) return;
    const uint32_t i = r->body[0], j = r->body[1];
    contact_impulse out = {.i = event->i,
                           .j = i != j ? event->j : CONTACT_BOUNDARY,
                           .species = {species_of(g, i), species_of(g, j)},
                           .boundary = i != j ? 0 : r->partner};
    contact_place(g, event->time, out.place);
    contact_branch(g, event->normal, out.branch);
    memcpy(out.line, out.branch, sizeof out.line);
    memcpy(out.impulse, event->impulse, sizeof out.impulse);
    for (int a = 0; a < DIM; a++)
        for (int b = 0; b < DIM; b++) out.product[a][b] = out.impulse[a] * out.branch[b];
    contact_log_append(&r->contacts, &out);
}

static void recorder_finish(gas *g)
{
    recorder *r = g->recorder;
    carom_event_kind kind;
    const uint32_t i = r->body[0];
    if (!r->pending) return;
    r->pending = false;
    if (!kind_of_event(g, &kind)) return;
    carom_event out = {.time = gas_true_time(g, r->time), .i = g->id[i], .kind = kind};
    find_partner(g, &out);
    const bool passes = r->log != NULL && event_log_passes(r->log, &out);
    if (!passes && !r->logs_contacts) return;
    find_normal(g, out.normal);
    const int n = measured_body(g);
    impulse_on(g, n, out.impulse);
    for (int k = 0; k < DIM && n == 1; k++) out.impulse[k] = -out.impulse[k];
    if (passes) event_log_append(r->log, &out);
    if (r->logs_contacts) log_contact(g, &out);
}

/* A contact after which a body falls asleep comes before that in the log. */
static void recorder_rest(gas *g, uint32_t i, carom_event_kind kind)
{
    const recorder *r = g->recorder;
    if (kind == CAROM_EVENT_SLEEP) recorder_finish(g);
    if (r->log == NULL) return;
    carom_event out = {.time = gas_true_time(g, g->body[i].t), .i = g->id[i], .kind = kind, .j_type = CAROM_BODY_NONE};
    const double mass = ldexp(mass_of(g, i), (int)-g->scale);
    for (int k = 0; k < DIM && kind == CAROM_EVENT_SLEEP; k++) out.impulse[k] = -mass * (double)g->body[i].v[k];
    event_log_add(r->log, &out);
}

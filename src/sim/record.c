/* Recordings of events: the engine appends events to a log, and after each slice of the run each recording receives
 * those that pass its filter. */
#include "sim/sim.h"

#include "base/memory.h"

#include <string.h>

struct carom_recording {
    carom_sim *sim;
    carom_record_options given; /* its lists of particles and species are copies */
    event_log filter;           /* `kinds` and `wanted` of this recording; no events */
    size_t count;               /* in the buffer */
    uint64_t total;
    bool stored; /* that of the result file */
    carom_recording *next;
};

/* ---- the log of the engine --------------------------------------------------------------------------------------- */

/* The log receives the events that at least one recording chooses. */
static carom_status widen_log(carom_sim *sim)
{
    event_log *log = &sim->recordings.log;
    const size_t count = sim->frame.count;
    memory_free(log->wanted);
    log->wanted = NULL;
    log->kinds = 0;
    bool all = false;
    for (const carom_recording *r = sim->recordings.first; r != NULL; r = r->next) {
        log->kinds |= r->filter.kinds;
        all = all || r->filter.wanted == NULL;
    }
    if (all || sim->recordings.first == NULL) return CAROM_OK;
    log->wanted = NEW_ARRAY(count, bool);
    if (log->wanted == NULL) return error_memory(&sim->message, "the recording of events", count);
    log->body_count = count;
    for (const carom_recording *r = sim->recordings.first; r != NULL; r = r->next)
        for (size_t i = 0; i < count; i++) log->wanted[i] = log->wanted[i] || r->filter.wanted[i];
    return CAROM_OK;
}

static carom_status attach(carom_sim *sim)
{
    TRY(widen_log(sim));
    event_log *log = sim->recordings.first != NULL ? &sim->recordings.log : NULL;
    return sim->kernel->log_events(sim->gas, log, &sim->message);
}

/* ---- one recording ----------------------------------------------------------------------------------------------- */

static void free_recording(carom_recording *r)
{
    for (size_t n = 0; r->given.species != NULL && n < r->given.species_count; n++)
        memory_free((void *)(uintptr_t)r->given.species[n]);
    memory_free((void *)(uintptr_t)r->given.species);
    memory_free((void *)(uintptr_t)r->given.particles);
    event_log_free(&r->filter);
    memory_free(r);
}

static void remove_recording(carom_recording *r)
{
    carom_recording **at = &r->sim->recordings.first;
    while (*at != r) at = &(*at)->next;
    *at = r->next;
    free_recording(r);
}

/* Copies the lists, which the caller may free. */
static carom_status copy_lists(carom_recording *r, const carom_record_options *o, error *e)
{
    r->given.particles = NULL;
    r->given.species = NULL;
    if (o->particles != NULL && o->particle_count > r->sim->frame.count)
        return error_set(e, CAROM_USAGE, "error: there are %zu particles; a recording cannot name %zu",
                         r->sim->frame.count, o->particle_count);
    if (o->particles != NULL && o->particle_count > 0) {
        size_t *particles = NEW_ARRAY(o->particle_count, size_t);
        r->given.particles = particles;
        if (particles == NULL) return error_memory(e, "the recording of events", o->particle_count * sizeof *particles);
        memcpy(particles, o->particles, o->particle_count * sizeof *particles);
    }
    if (o->species == NULL || o->species_count == 0) return CAROM_OK;
    const char **species = NEW_ARRAY(o->species_count, const char *);
    r->given.species = species;
    for (size_t n = 0; species != NULL && n < o->species_count; n++)
        species[n] = memory_text(o->species[n] != NULL ? o->species[n] : "");
    bool whole = species != NULL;
    for (size_t n = 0; whole && n < o->species_count; n++) whole = species[n] != NULL;
    return whole ? CAROM_OK : error_memory(e, "the recording of events", o->species_count * sizeof *species);
}

static carom_status want_species(const carom_sim *sim, const carom_record_options *o, bool *wanted, error *e)
{
    const carom_frame *f = &sim->frame;
    frame_need(f, FRAME_SPECIES);
    for (size_t n = 0; o->species != NULL && n < o->species_count; n++) {
        const uint32_t species = sim_species_of(sim, o->species[n]);
        if (species == UINT32_MAX)
            return error_set(e, CAROM_USAGE, "error: there is no species '%s', whose events could be recorded",
                             o->species[n]);
        for (size_t i = 0; i < f->count; i++) wanted[i] = wanted[i] || f->species[i] == species;
    }
    return CAROM_OK;
}

/* A recording names particles by their ids, also those that have been removed: they take part in no event. */
static carom_status want_particles(const carom_sim *sim, const carom_record_options *o, bool *wanted, bool begins,
                                   error *e)
{
    const carom_frame *f = &sim->frame;
    for (size_t n = 0; o->particles != NULL && n < o->particle_count; n++) {
        const size_t number = sim_number_of(sim, o->particles[n]);
        if (number < f->count)
            wanted[number] = true;
        else if (begins)
            return error_set(e, CAROM_USAGE, "error: there is no particle %zu, whose events could be recorded",
                             o->particles[n]);
    }
    return CAROM_OK;
}

static carom_status choose_bodies(carom_recording *r, bool begins, error *e)
{
    const carom_record_options *o = &r->given;
    memory_free(r->filter.wanted);
    r->filter.wanted = NULL;
    if (o->particles == NULL && o->species == NULL) return CAROM_OK;
    r->filter.body_count = r->sim->frame.count;
    r->filter.wanted = NEW_ARRAY(r->filter.body_count, bool);
    if (r->filter.wanted == NULL) return error_memory(e, "the recording of events", r->filter.body_count);
    TRY(want_particles(r->sim, o, r->filter.wanted, begins, e));
    return want_species(r->sim, o, r->filter.wanted, e);
}

static carom_status refuse(const carom_sim *sim, uint32_t kinds, error *e)
{
    if (sim->kernel->log_events == NULL)
        return error_set(e, CAROM_USAGE, "error: the engine `%s` records no events", sim->engine->settings->name);
    if (kinds >> CAROM_EVENT_KINDS != 0)
        return error_set(e, CAROM_USAGE, "error: `kinds` is a sum of 1 << kind of the %d kinds of events, not %#x",
                         CAROM_EVENT_KINDS, (unsigned)kinds);
    return CAROM_OK;
}

static carom_status add_recording(carom_sim *sim, const carom_record_options *o, bool stored, carom_recording **out)
{
    carom_recording *r = NEW_ARRAY(1, carom_recording);
    if (r == NULL) return error_memory(&sim->message, "the recording of events", sizeof *r);
    *r = (carom_recording){.sim = sim, .given = *o, .stored = stored, .next = sim->recordings.first};
    r->filter.kinds = o->kinds != 0 ? o->kinds : (UINT32_C(1) << CAROM_EVENT_KINDS) - 1;
    carom_status status = copy_lists(r, o, &sim->message);
    if (status == CAROM_OK) status = choose_bodies(r, true, &sim->message);
    if (status != CAROM_OK) {
        free_recording(r);
        return status;
    }
    sim->recordings.first = r;
    status = attach(sim);
    if (status != CAROM_OK) remove_recording(r);
    *out = status == CAROM_OK ? r : NULL;
    return status;
}

carom_status recordings_renew(carom_sim *sim)
{
    for (carom_recording *r = sim->recordings.first; r != NULL; r = r->next)
        TRY(choose_bodies(r, false, &sim->message));
    return sim->recordings.first != NULL ? attach(sim) : CAROM_OK;
}

/* ---- passing events on ------------------------------------------------------------------------------------------- */

static bool is_filtered(const carom_sim *sim, const carom_recording *r)
{
    const event_log *log = &sim->recordings.log;
    if (sim->changes.ids != NULL) return true; /* events refer to particles by their ids */
    if (r->filter.kinds != log->kinds) return true;
    return r->filter.wanted != NULL && (log->wanted == NULL || sim->recordings.first->next != NULL);
}

static void use_ids(const carom_sim *sim, carom_event *event)
{
    const size_t particles = frame_particles(&sim->frame);
    if (event->i_type == CAROM_BODY_PARTICLE && event->i < particles) event->i = sim->changes.ids[event->i];
    if (event->j_type == CAROM_BODY_PARTICLE && event->j < particles) event->j = sim->changes.ids[event->j];
}

/* The events of the log that pass the filter of a recording. */
static carom_status choose(carom_sim *sim, const carom_recording *r, const carom_event **events, size_t *count)
{
    recordings *all = &sim->recordings;
    *events = all->log.at;
    *count = all->log.count;
    if (!is_filtered(sim, r)) return CAROM_OK;
    if (all->room < all->log.count) {
        carom_event *more = memory_resize(all->chosen, all->room, all->log.capacity, sizeof *more);
        if (more == NULL) return error_memory(&sim->message, "events", all->log.capacity * sizeof *more);
        all->chosen = more;
        all->room = all->log.capacity;
    }
    *count = 0;
    for (size_t n = 0; n < all->log.count; n++) {
        if (!event_log_passes(&r->filter, &all->log.at[n])) continue;
        carom_event *event = &all->chosen[(*count)++];
        *event = all->log.at[n];
        if (sim->changes.ids != NULL) use_ids(sim, event);
    }
    *events = all->chosen;
    return CAROM_OK;
}

/* To the result, within the limits of the scene. Events are in the order of time. */
static carom_status store(carom_sim *sim, const carom_event *events, size_t count)
{
    const scene_events *limits = &sim->scene->output.events;
    const uint64_t stored = result_event_count(sim->result);
    size_t first = 0;
    while (first < count && events[first].time <= limits->start && limits->start > 0) first++;
    while (count > first && limits->end > 0 && events[count - 1].time > limits->end) count--;
    if (limits->most > 0 && count - first > limits->most - stored) count = first + (size_t)(limits->most - stored);
    return result_events(sim->result, events + first, count - first, &sim->message);
}

static carom_status pass_to(carom_sim *sim, carom_recording *r)
{
    const carom_event *events;
    size_t count;
    TRY(choose(sim, r, &events, &count));
    if (count == 0) return CAROM_OK;
    r->total += count;
    if (r->stored) return store(sim, events, count);
    if (r->given.events != NULL) {
        r->given.events(events, count, r->given.user);
        return CAROM_OK;
    }
    const size_t room = r->given.capacity - r->count, some = count < room ? count : room;
    memcpy(r->given.buffer + r->count, events, some * sizeof *events);
    r->count += some;
    return CAROM_OK;
}

carom_status recordings_pass(carom_sim *sim)
{
    event_log *log = &sim->recordings.log;
    if (log->no_memory) return error_memory(&sim->message, "events", 2 * log->capacity * sizeof *log->at);
    if (log->count == 0) return CAROM_OK;
    for (carom_recording *r = sim->recordings.first; r != NULL; r = r->next) TRY(pass_to(sim, r));
    log->count = 0;
    return CAROM_OK;
}

/* ---- creation and end -------------------------------------------------------------------------------------------- */

static carom_status create_stored(carom_sim *sim, const scene_events *wanted, size_t *particles, const char **species)
{
    carom_recording *own;
    for (size_t n = 0; n < wanted->count; n++) particles[n] = wanted->particles[n];
    for (size_t n = 0; n < wanted->species_count; n++) species[n] = sim->scene->species[wanted->species[n]].name;
    const carom_record_options options = {wanted->kinds, particles, wanted->count, species, wanted->species_count,
                                          NULL,          NULL,      NULL,          0};
    return add_recording(sim, &options, true, &own);
}

carom_status recordings_check(carom_sim *sim)
{
    const scene_events *wanted = &sim->scene->output.events;
    if (!wanted->given || sim->options.output == NULL) return CAROM_OK;
    TRY(refuse(sim, wanted->kinds, &sim->message));
    TRY(sim->kernel->log_events(sim->gas, &sim->recordings.log, &sim->message));
    return sim->kernel->log_events(sim->gas, NULL, &sim->message);
}

carom_status recordings_create(carom_sim *sim)
{
    const scene_events *wanted = &sim->scene->output.events;
    if (!wanted->given || sim->result == NULL) return CAROM_OK;
    size_t *particles = NEW_ARRAY(wanted->count, size_t);
    const char **species = NEW_ARRAY(wanted->species_count, const char *);
    const carom_status status =
        particles != NULL && species != NULL
            ? create_stored(sim, wanted, particles, species)
            : error_memory(&sim->message, "the recording of events", wanted->count * sizeof *particles);
    memory_free(particles);
    memory_free(species);
    return status;
}

void recordings_destroy(carom_sim *sim)
{
    while (sim->recordings.first != NULL) remove_recording(sim->recordings.first);
    event_log_free(&sim->recordings.log);
    memory_free(sim->recordings.chosen);
}

carom_status carom_sim_record(carom_sim *sim, const carom_record_options *options, carom_recording **out)
{
    if (out != NULL) *out = NULL;
    ENTER(sim, "the simulation has not been created");
    NEED(sim, options);
    NEED(sim, out);
    TRY(refuse(sim, options->kinds, &sim->message));
    if (options->events == NULL && (options->buffer == NULL || options->capacity == 0))
        return error_set(&sim->message, CAROM_USAGE,
                         "error: a recording needs a callback `events`, or a `buffer` with a capacity above 0");
    return add_recording(sim, options, false, out);
}

void carom_recording_free(carom_recording *recording)
{
    if (recording == NULL || recording->sim->guard.busy) return;
    carom_sim *sim = recording->sim;
    remove_recording(recording);
    (void)attach(sim); /* a failure leaves more events in the log than necessary */
}

size_t carom_recording_count(const carom_recording *recording)
{
    return recording != NULL ? recording->count : 0;
}

uint64_t carom_recording_total(const carom_recording *recording)
{
    return recording != NULL ? recording->total : 0;
}

void carom_recording_clear(carom_recording *recording)
{
    if (recording != NULL) recording->count = 0;
}

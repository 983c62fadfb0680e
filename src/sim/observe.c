/* The observers of a run: times of samples, and output of their results. */
#include "sim/sim.h"

#include "base/memory.h"
#include "frame/compact.h"
#include "scene/where.h"
#include "sim/charts.h"

#include <math.h>
#include <string.h>

/* An observable without `every` is sampled after about two further collisions of each particle. */
static rhythm rhythm_of(const carom_sim *sim, const scene_observe *entry)
{
    enum { FEWEST = 64 };
    rhythm r = {.every = entry->every, .start = entry->start, .every_collisions = entry->every_collisions};
    const carom_frame *f = &sim->frame;
    if (r.every > 0 || r.every_collisions > 0) return r;
    const size_t moving = f->tallies.ledger.shells ? f->count : frame_particles(f);
    r.every_events = moving > FEWEST ? moving : FEWEST;
    return r;
}

static carom_frame shown_to(const observable *kind, const carom_frame *f)
{
    return kind->of == MEASURE_PARTICLES ? frame_of_particles(f) : *f;
}

/* The frame of a sample: absent particles are left out. */
static carom_status show(carom_sim *sim, const observable *kind, carom_frame *out)
{
    carom_frame present = sim->frame;
    if (scene_flows(sim->scene) && kind->of != MEASURE_EVENTS)
        TRY(frame_compact(&sim->frame, &sim->compact, &present, &sim->message));
    *out = shown_to(kind, &present);
    return CAROM_OK;
}

/* Observables have no access to the paths of keys in the scene: adds the path to their message `own`, which is
 * freed. */
static carom_status pass_on(const scene *s, size_t k, carom_status status, error *own, error *e)
{
    static const char prefix[] = "error: ";
    const char *text = error_text(own), *key = own->key != NULL ? own->key : "what";
    if (status == CAROM_BAD_DATA && strncmp(text, prefix, strlen(prefix)) == 0)
        scene_refuse(scene_at(s, "observe.%zu.%s", k, key), e, "%s", text + strlen(prefix));
    else if (status != CAROM_OK)
        error_add(e, status, "%s", text);
    error_clear(own);
    return status;
}

carom_status observer_plan(const scene *s, size_t k, const engine *used, error *e)
{
    error own = {0};
    const scene_observe *entry = &s->observe[k];
    const observable *kind = observable_of(entry);
    const measure_plan plan = {.every = entry->every,
                               .start = entry->start,
                               .frames = s->output.frames_every,
                               .until = s->until.time,
                               .shrinks = used->shrinks != NULL && used->shrinks(s)};
    if (kind->plan == NULL) return CAROM_OK;
    return pass_on(s, k, kind->plan(entry->settings, &plan, &own), &own, e);
}

static carom_status create(const scene *s, size_t k, void **self, const carom_frame *whole, error *e)
{
    error own = {0};
    const observable *kind = observable_of(&s->observe[k]);
    const carom_frame first = shown_to(kind, whole);
    if (kind->of == MEASURE_PARTICLES && first.count == 0 && whole->vertices > 0)
        return scene_refuse(scene_at(s, "observe.%zu.what", k), e,
                            "%s is measured on particles, but this scene has vertices of meshes only; `energy`, "
                            "`momentum` and `ledger` include vertices",
                            kind->settings->name);
    if (kind->separate && scene_has_clumps(s))
        return scene_refuse(
            scene_at(s, "observe.%zu.what", k), e,
            "%s takes the spheres of clumps for bodies of their own" HINT
            "leave it out; `energy`, `temperature`, `coordination` and `fabric`, among others, take each "
            "clump for one body",
            kind->settings->name);
    if (scene_flows(s) && kind->follows && kind->renew == NULL)
        return scene_refuse(
            scene_at(s, "observe.%zu.what", k), e,
            "%s follows single particles, and those of this scene enter or leave (`inflow`, `outflow`)" HINT
            "leave it out, or start it in a scene of its own",
            kind->settings->name);
    return pass_on(s, k, kind->create(self, s->observe[k].settings, &first, &own), &own, e);
}

carom_status observers_try(const scene *s, const carom_frame *first, size_t *bytes, error *e)
{
    carom_status status = CAROM_OK;
    *bytes = 0;
    for (size_t k = 0; k < s->observe_count && status == CAROM_OK; k++) {
        const size_t before = memory_held();
        void *self = NULL;
        status = create(s, k, &self, first, e);
        *bytes += memory_held() - before;
        if (self != NULL) observable_of(&s->observe[k])->destroy(self);
    }
    return status;
}

static observer observer_of(const carom_sim *sim, size_t k)
{
    const scene_observe *entry = &sim->scene->observe[k];
    return (observer){.entry = entry,
                      .kind = observable_of(entry),
                      .rhythm = rhythm_of(sim, entry),
                      .begun = entry->start <= sim->time,
                      .last_time = -INFINITY};
}

carom_status observers_create(carom_sim *sim)
{
    size_t n = sim->scene->observe_count;
    sim->observers = NEW_ARRAY(n, observer);
    if (sim->observers == NULL) return error_memory(&sim->message, "observers", n * sizeof(observer));
    sim->observer_count = n;
    for (size_t k = 0; k < n; k++) {
        observer *o = &sim->observers[k];
        *o = observer_of(sim, k);
        TRY(create(sim->scene, k, &o->self, &sim->frame, &sim->message));
    }
    return CAROM_OK;
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/* With `lasting`, also the impulses so far of contacts that last. */
static carom_status gather(carom_sim *sim, double time, bool lasting)
{
    if ((sim->tallies & TALLY_CONTACTS) == 0 || sim->kernel->take_contacts == NULL) return CAROM_OK;
    contact_log *log = sim->kernel->take_contacts(sim->gas, time, lasting);
    if (log == NULL) return CAROM_OK;
    if (log->no_memory) return error_memory(&sim->message, "contacts", 2 * log->capacity * sizeof *log->at);
    for (size_t k = 0; log->count > 0 && k < sim->observer_count; k++) {
        observer *o = &sim->observers[k];
        error own = {0};
        if (o->kind->gather == NULL || !o->begun) continue;
        TRY(pass_on(sim->scene, k, o->kind->gather(o->self, log, &own), &own, &sim->message));
    }
    log->count = 0;
    return CAROM_OK;
}

carom_status observers_gather(carom_sim *sim)
{
    return gather(sim, sim->time, false);
}

/* ---- particles that enter and leave ------------------------------------------------------------------------------- */

carom_status observers_renew(carom_sim *sim, size_t count, const uint32_t *points)
{
    for (size_t k = 0; k < sim->observer_count; k++) {
        observer *o = &sim->observers[k];
        error own = {0};
        if (o->kind->renew == NULL || !o->begun) continue;
        look(sim, sim->time);
        TRY(pass_on(sim->scene, k, o->kind->renew(o->self, &sim->frame, count, points, &own), &own, &sim->message));
    }
    return CAROM_OK;
}

/* ---- the list ----------------------------------------------------------------------------------------------------- */

carom_status observers_add(carom_sim *sim)
{
    const size_t n = sim->scene->observe_count;
    TRY(gather(sim, sim->time, true)); /* earlier contacts do not count for the new ones */
    observer *more = memory_resize(sim->observers, sim->observer_count, n, sizeof *more);
    if (more == NULL) return error_memory(&sim->message, "observers", n * sizeof *more);
    sim->observers = more;
    for (size_t k = sim->observer_count; k < n; k++) {
        more[k] = observer_of(sim, k);
        TRY(create(sim->scene, k, &more[k].self, &sim->frame, &sim->message));
        sim->observer_count = k + 1;
    }
    return CAROM_OK;
}

void observers_destroy(carom_sim *sim)
{
    for (size_t k = 0; k < sim->observer_count; k++)
        if (sim->observers[k].self != NULL) sim->observers[k].kind->destroy(sim->observers[k].self);
    memory_free(sim->observers);
    sim->observers = NULL;
    sim->observer_count = 0;
    frame_destroy(&sim->compact);
}

static carom_status store(carom_sim *sim, size_t k)
{
    observer *o = &sim->observers[k];
    measure_result now;
    if (sim->result == NULL) return CAROM_OK;
    TRY(o->kind->result(o->self, &now, &sim->message));
    TRY(result_observe(sim->result, k, events_total(sim->frame.events), &now, &sim->message));
    o->kind->drain(o->self);
    return CAROM_OK;
}

carom_status observers_store(carom_sim *sim)
{
    for (size_t k = 0; k < sim->observer_count; k++) TRY(store(sim, k));
    return CAROM_OK;
}

static bool gives_series(observer *o, measure_result *now)
{
    error ignored = {0};
    bool known = o->kind->result(o->self, now, &ignored) == CAROM_OK, series = false;
    for (size_t t = 0; known && t < now->table_count; t++) series = series || now->tables[t].series;
    error_clear(&ignored);
    return series;
}

/* ---- samples ----------------------------------------------------------------------------------------------------- */

static carom_status sample(carom_sim *sim, size_t k)
{
    observer *o = &sim->observers[k];
    measure_result now = {0};
    carom_frame seen;
    error own = {0};
    TRY(show(sim, o->kind, &seen));
    TRY(pass_on(sim->scene, k, o->kind->sample(o->self, &seen, &own), &own, &sim->message));
    o->last_time = sim->frame.time;
    const bool series = gives_series(o, &now);
    if (sim->charts != NULL) TRY(charts_take(sim->charts, k, o->kind->settings->name, &now, &sim->message));
    return series ? store(sim, k) : CAROM_OK;
}

/* With `start`, observation begins with the state at that time. */
static carom_status begin(carom_sim *sim, size_t k)
{
    observer *o = &sim->observers[k];
    o->kind->destroy(o->self);
    o->self = NULL;
    o->begun = true;
    return create(sim->scene, k, &o->self, &sim->frame, &sim->message);
}

carom_status observers_sample_due(carom_sim *sim, double time)
{
    const uint64_t *events = sim->kernel->events(sim->gas);
    for (size_t k = 0; k < sim->observer_count; k++) {
        observer *o = &sim->observers[k];
        bool starts = !o->begun && time >= o->entry->start;
        if (!starts && !rhythm_due(&o->rhythm, time, events)) continue;
        look(sim, time);
        if (o->kind->gather != NULL) TRY(gather(sim, time, true));
        if (starts) TRY(begin(sim, k));
        if (!rhythm_due(&o->rhythm, time, events)) continue;
        TRY(sample(sim, k));
        rhythm_pass(&o->rhythm, time, events);
    }
    return CAROM_OK;
}

carom_status observers_finish(carom_sim *sim)
{
    for (size_t k = 0; k < sim->observer_count; k++) {
        observer *o = &sim->observers[k];
        if (!o->begun || o->kind->equal_steps || o->last_time >= sim->time) continue;
        look(sim, sim->time);
        if (o->kind->gather != NULL) TRY(gather(sim, sim->time, true));
        TRY(sample(sim, k));
    }
    return observers_store(sim);
}

/* The frames of a simulation: its own, and those that are taken from it. Columns are filled when they are first needed
 * (frame_need), until the state moves on: before that, taken frames are completed. */
#include "sim/sim.h"

#include "base/memory.h"

#include <pthread.h>
#include <string.h>

/* A frame that is taken from a simulation. */
typedef struct taken {
    frame_source source;
    carom_frame frame;
    struct taken_frames *of;
    struct taken *before, *next; /* in the list of frames with missing columns */
    bool listed;
    uint64_t edition; /* of the bodies to which FRAME_FIXED belongs */
} taken;

typedef struct taken_frames {
    pthread_mutex_t lock;
    carom_sim *sim; /* NULL after its end */
    size_t users;   /* the simulation, and the frames that are not freed yet */
    taken *first;   /* of the list of frames with missing columns */
    taken *spare;   /* a frame that has been freed, for the next one */
} taken_frames;

/* ---- filling ----------------------------------------------------------------------------------------------------- */

carom_status sim_frame_create(const carom_sim *sim, carom_frame *f, error *e)
{
    TRY(frame_create(f, sim->scene->dimension, sim->state.count, e));
    f->vertices = sim->vertices;
    if (sim->engine->add_arrays != NULL) TRY(sim->engine->add_arrays(sim->scene, f, e));
    return solids_to_frame(sim->links.solid, sim->links.solids, sim->links.clump, sim->links.clumps, f, e);
}

/* Vertices of meshes keep the ids that follow those of the particles of the start: scenes with meshes get no others. */
static void fill_ids(const sim_changes *c, carom_frame *f)
{
    const size_t particles = frame_particles(f);
    memcpy(f->id, c->ids, particles * sizeof *f->id);
    for (size_t v = 0; v < f->vertices; v++) f->id[particles + v] = c->next_id + (uint32_t)v;
}

/* A taken frame and its simulation may be used by two threads: either fills with the lock. A user-defined potential,
 * which is called for its energy, may use frames: the lock is recursive. */
static void lock(carom_sim *sim)
{
    if (sim->taken != NULL) pthread_mutex_lock(&sim->taken->lock);
}

static void unlock(carom_sim *sim)
{
    if (sim->taken != NULL) pthread_mutex_unlock(&sim->taken->lock);
}

/* With the lock. */
static void fill_missing(carom_sim *sim, frame_source *source, unsigned columns)
{
    carom_frame *f = source->frame;
    const unsigned missing = frame_begin(source, columns), of_engine = missing & FRAME_ALL;
    if (of_engine != 0 && sim->kernel->fill_columns != NULL) sim->kernel->fill_columns(sim->gas, of_engine, f);
    if ((missing & FRAME_ID) != 0 && sim->changes.ids != NULL) fill_ids(&sim->changes, f);
    if ((missing & FRAME_UNSCALED) != 0) frame_fill_unscaled(f);
}

/* Sets the numbers of a frame. Of its columns, those of `keep` are still valid. */
static void fill_numbers(carom_sim *sim, double time, unsigned keep, frame_source *source)
{
    carom_frame *f = source->frame;
    const bool whole = sim->kernel->fill_columns == NULL;
    lock(sim);
    frame_forget(source, whole ? 0 : keep);
    if (whole) (void)frame_begin(source, FRAME_ALL);
    sim->kernel->fill_frame(sim->gas, time, f);
    if (whole && sim->changes.ids != NULL) fill_ids(&sim->changes, f);
    unlock(sim);
    if (flows_total(sim) != NULL) f->tallies.flow = *flows_total(sim);
    if (f->tallies.ledger.kept)
        f->tallies.ledger.work += sim->changes.supplied;
    else
        f->tallies.supplied += sim->changes.supplied;
}

/* ---- the frame of the simulation --------------------------------------------------------------------------------- */

static void need_present(frame_source *source, unsigned columns)
{
    carom_sim *sim = source->owner;
    lock(sim);
    fill_missing(sim, source, columns);
    unlock(sim);
}

/* With changed ids, or vertices of meshes, columns are filled as a whole. */
static bool has_parts(const frame_source *source)
{
    const carom_sim *sim = source->owner;
    return sim->kernel->fills_parts != NULL && sim->kernel->fills_parts(sim->gas) && sim->changes.ids == NULL &&
           sim->vertices == 0;
}

static void fill_part(frame_source *source, unsigned columns, carom_frame *part)
{
    carom_sim *sim = source->owner;
    lock(sim);
    sim->kernel->fill_columns(sim->gas, columns, part);
    unlock(sim);
}

carom_status sim_make_frame(carom_sim *sim, const initial_state *state)
{
    links_free(&sim->links);
    frame_destroy(&sim->frame);
    sim->frame = (carom_frame){0};
    TRY(links_of_scene(&sim->links, sim->scene, state, &sim->message));
    sim->state.count = state->count;
    sim->vertices = state->count - state_particles(state);
    TRY(sim_frame_create(sim, &sim->frame, &sim->message));
    sim->source = (frame_source){
        .frame = &sim->frame, .owner = sim, .need = need_present, .fill_part = fill_part, .has_parts = has_parts};
    sim->frame.source = &sim->source;
    return CAROM_OK;
}

void look(carom_sim *sim, double time)
{
    fill_numbers(sim, time, time == sim->frame.time ? ~0U : FRAME_FIXED, &sim->source);
}

carom_status complete_given(carom_sim *sim)
{
    if (!sim->given) return CAROM_OK;
    TRY(frame_unscale(&sim->frame, &sim->message));
    frame_need(&sim->frame, FRAME_ALL | FRAME_UNSCALED);
    return CAROM_OK;
}

const carom_frame *carom_sim_frame(carom_sim *sim)
{
    const bool between = sim != NULL && sim->between;
    if (!USABLE(sim) && !between) return NULL;
    sim->between = false;
    sim->guard.busy = true; /* user-defined potentials are called for their energy */
    look(sim, sim->time);
    carom_status status = callbacks_check(sim);
    sim->given = true;
    if (status == CAROM_OK) status = complete_given(sim);
    status = guard_leave(&sim->guard, status);
    sim->guard.busy = sim->between = between;
    return status == CAROM_OK ? &sim->frame : NULL;
}

/* ---- frames that are taken --------------------------------------------------------------------------------------- */

static void list(taken *t)
{
    taken_frames *all = t->of;
    if (t->listed) return;
    t->before = NULL;
    t->next = all->first;
    if (t->next != NULL) t->next->before = t;
    all->first = t;
    t->listed = true;
}

static void unlist(taken *t)
{
    taken_frames *all = t->of;
    if (!t->listed) return;
    if (t->next != NULL) t->next->before = t->before;
    *(t->before != NULL ? &t->before->next : &all->first) = t->next;
    t->listed = false;
}

static void need_taken(frame_source *source, unsigned columns)
{
    taken_frames *all = ((taken *)source->owner)->of;
    pthread_mutex_lock(&all->lock);
    if (all->sim != NULL) fill_missing(all->sim, source, columns);
    pthread_mutex_unlock(&all->lock);
}

static void destroy(taken *t)
{
    if (t == NULL) return;
    frame_destroy(&t->frame);
    memory_free(t);
}

/* Ends the use by the simulation or a frame. Called with the lock, which it releases. */
static void leave(taken_frames *all)
{
    const bool last = --all->users == 0;
    pthread_mutex_unlock(&all->lock);
    if (!last) return;
    pthread_mutex_destroy(&all->lock);
    memory_free(all);
}

static void release(frame_source *source)
{
    taken *t = source->owner;
    taken_frames *all = t->of;
    pthread_mutex_lock(&all->lock);
    unlist(t);
    const bool spare = all->sim != NULL && all->spare == NULL;
    if (spare) all->spare = t;
    leave(all);
    if (!spare) destroy(t);
}

static void complete_all(taken_frames *all)
{
    while (all->first != NULL) {
        taken *t = all->first;
        fill_missing(all->sim, &t->source, FRAME_ALL | FRAME_UNSCALED);
        unlist(t);
    }
}

void frames_leave_state(carom_sim *sim, unsigned keep)
{
    frame_forget(&sim->source, keep);
    if ((keep & FRAME_FIXED) == 0) sim->edition++;
    lock(sim);
    if (sim->taken != NULL) complete_all(sim->taken);
    unlock(sim);
}

void frames_release(carom_sim *sim)
{
    if (sim->kernel->fill_columns != NULL) frame_release(&sim->frame, FRAME_ALL);
}

void frames_end(carom_sim *sim)
{
    taken_frames *all = sim->taken;
    if (all == NULL) return;
    pthread_mutex_lock(&all->lock);
    complete_all(all);
    destroy(all->spare);
    all->spare = NULL;
    all->sim = NULL;
    leave(all);
}

static bool make_lock(pthread_mutex_t *lock)
{
    pthread_mutexattr_t kind;
    if (pthread_mutexattr_init(&kind) != 0) return false;
    const bool made =
        pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE) == 0 && pthread_mutex_init(lock, &kind) == 0;
    pthread_mutexattr_destroy(&kind);
    return made;
}

static carom_status begin_taking(carom_sim *sim)
{
    if (sim->taken != NULL) return CAROM_OK;
    taken_frames *all = NEW_ARRAY(1, taken_frames);
    if (all == NULL || !make_lock(&all->lock)) {
        memory_free(all);
        return error_memory(&sim->message, "a frame", sizeof *all);
    }
    all->sim = sim;
    all->users = 1;
    sim->taken = all;
    return CAROM_OK;
}

static carom_status new_taken(carom_sim *sim, taken **out)
{
    taken *t = NEW_ARRAY(1, taken);
    if (t == NULL) return error_memory(&sim->message, "a frame", sizeof *t);
    const carom_status status = sim_frame_create(sim, &t->frame, &sim->message);
    if (status != CAROM_OK) {
        destroy(t);
        return status;
    }
    t->source = (frame_source){.frame = &t->frame, .owner = t, .need = need_taken, .release = release};
    t->frame.source = &t->source;
    t->of = sim->taken;
    *out = t;
    return CAROM_OK;
}

static carom_status use_new(carom_sim *sim, taken **out)
{
    taken_frames *all = sim->taken;
    lock(sim);
    *out = all->spare;
    all->spare = NULL;
    all->users++;
    unlock(sim);
    if (*out != NULL && frame_matches(&(*out)->frame, &sim->frame)) return CAROM_OK;
    destroy(*out);
    *out = NULL;
    const carom_status status = new_taken(sim, out);
    lock(sim);
    if (status != CAROM_OK) all->users--;
    unlock(sim);
    return status;
}

/* The earlier copy, if it can be overwritten; else NULL. */
static taken *earlier(const carom_sim *sim, const carom_frame *f)
{
    if (f == NULL || f->source == NULL || f->source->release != release || !frame_matches(f, &sim->frame)) return NULL;
    taken *t = f->source->owner;
    return t->of == sim->taken ? t : NULL;
}

static carom_status take(carom_sim *sim, carom_frame **kept)
{
    TRY(begin_taking(sim));
    taken *t = earlier(sim, *kept);
    if (t == NULL) TRY(use_new(sim, &t));
    fill_numbers(sim, sim->time, t->edition == sim->edition ? FRAME_FIXED : 0, &t->source);
    t->edition = sim->edition;
    frame_detach(&t->frame);
    lock(sim);
    list(t);
    unlock(sim);
    carom_status status = callbacks_check(sim);
    if (status == CAROM_OK) status = frame_unscale(&t->frame, &sim->message);
    if (*kept == &t->frame) return status;
    carom_frame_free(status == CAROM_OK ? *kept : &t->frame);
    if (status == CAROM_OK) *kept = &t->frame;
    return status;
}

carom_status carom_sim_take(carom_sim *sim, carom_frame **frame)
{
    const bool between = sim != NULL && sim->between;
    if (!between) ENTER(sim, "the simulation has not been created");
    NEED(sim, frame);
    sim->between = false;
    sim->guard.busy = true; /* user-defined potentials are called for their energy */
    const carom_status status = guard_leave(&sim->guard, take(sim, frame));
    sim->guard.busy = sim->between = between;
    return status;
}

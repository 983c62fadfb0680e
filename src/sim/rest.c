/* The end of a run whose system is at rest (`run: {until: {rest: ...}}`): checks of speeds between two stretches of the
 * run. They read frames, for all engines, and do not affect the motion. */
#include "sim/sim.h"

#include "base/memory.h"
#include "frame/blocks.h"
#include "scene/where.h"

#include <math.h>
#include <string.h>

/* What holds a point: nothing, or always a drive or its rigid mesh; DRIVE + k: drive k from the start of its motion on. */
enum { FREE, HELD, DRIVE };

typedef struct rest rest;

struct rest {
    rhythm when;   /* of the checks; the first one is at `every` */
    uint64_t slow; /* number of checks so far, without interruption, at which the condition has held */
    double failed; /* time of the last check at which it has not; negative: none since the last change of the state */
    uint32_t *holder; /* [points] */
    bool *begun;      /* [drives] */
};

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static void find_holders(const carom_sim *sim, const scene *s, const initial_state *state, const bool *held, rest *r)
{
    const bool vertices_move = sim->kernel->add_potential != NULL;
    for (size_t i = 0; i < state->count; i++)
        r->holder[i] = held[i] || (i >= state_particles(state) && !vertices_move) ? HELD : FREE;
    for (size_t k = 0; k < state->drive_count; k++)
        for (size_t n = 0; s->drives[k].start.free && n < state->drives[k].count; n++)
            r->holder[state->drives[k].particles[n]] = DRIVE + (uint32_t)k;
}

static void release(rest *r)
{
    if (r == NULL) return;
    memory_free(r->holder);
    memory_free(r->begun);
    memory_free(r);
}

static rest *make(const carom_sim *sim, const scene *s, const initial_state *state)
{
    rest *r = NEW_ARRAY(1, rest);
    bool *held = state_find_held(state, s);
    if (r != NULL) {
        r->holder = NEW_ARRAY(state->count, uint32_t);
        r->begun = NEW_ARRAY(s->drive_count, bool);
    }
    const bool made = r != NULL && held != NULL && r->holder != NULL && r->begun != NULL;
    if (made) find_holders(sim, s, state, held, r);
    memory_free(held);
    if (made) return r;
    release(r);
    return NULL;
}

/* The checks so far, of another condition, do not count. */
static void begin(carom_sim *sim, rest *r, double every, double time)
{
    r->slow = 0;
    r->failed = -1;
    r->when = (rhythm){.every = every, .done = 1};
    if (time > 0) rhythm_skip(&r->when, time, sim->kernel->events(sim->gas));
}

carom_status rest_create(carom_sim *sim, const scene *s, const initial_state *state)
{
    const double every = s->until.rest.every;
    rest *r = every > 0 ? make(sim, s, state) : NULL;
    if (every > 0 && r == NULL) return error_memory(&sim->message, "run.until.rest", state->count * sizeof *r->holder);
    if (r != NULL) begin(sim, r, every, sim->time);
    release(sim->rest);
    sim->rest = r;
    return CAROM_OK;
}

void rest_destroy(carom_sim *sim)
{
    release(sim->rest);
    sim->rest = NULL;
}

/* Checks more often than contacts act would only take time. */
carom_status rest_check(carom_sim *sim)
{
    const double step = sim->frame.tallies.step, every = sim->scene->until.rest.every;
    if (sim->rest == NULL || every >= step) return CAROM_OK;
    return scene_refuse(scene_at(sim->scene, "run.until.rest.every"), &sim->message,
                        "an interval of %.6g is less than the time step of the contacts, %.6g: choose at least that",
                        every, step);
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

typedef struct speeds {
    const rest *r;
    double limit2;   /* the pass ends at a point whose speed is not below; infinite: none */
    double fastest2; /* the largest square of a speed, in the units of the frame */
    size_t fastest;  /* its point */
} speeds;

static bool is_held(const rest *r, size_t i)
{
    return r->holder[i] >= DRIVE ? r->begun[r->holder[i] - DRIVE] : r->holder[i] == HELD;
}

static bool take_speeds(void *context, const carom_frame *f)
{
    speeds *all = context;
    const size_t d = (size_t)f->dimension;
    for (size_t n = 0; n < f->count; n++) {
        if (is_held(all->r, f->first + n) || frame_is_absent(f, n)) continue;
        double square = 0;
        for (size_t k = 0; k < d; k++) square += f->velocity[n * d + k] * f->velocity[n * d + k];
        if (square <= all->fastest2) continue;
        all->fastest2 = square;
        all->fastest = f->first + n;
        if (!(square < all->limit2)) return false;
    }
    return true;
}

/* Sets the frame to the present state. */
static speeds find_speeds(carom_sim *sim, double limit)
{
    rest *r = sim->rest;
    const carom_frame *f = &sim->frame;
    speeds all = {.r = r, .limit2 = limit * limit};
    look(sim, sim->time);
    for (size_t k = 0; k < f->tallies.start_count; k++)
        r->begun[f->tallies.starts[k].drive] = !isnan(f->tallies.starts[k].time);
    (void)frame_each_block(f, FRAME_VELOCITY | FRAME_PRESENT, 1, take_speeds, &all);
    return all;
}

static bool enough_present(const carom_sim *sim)
{
    const uint64_t least = sim->scene->until.rest.particles;
    if (least == 0) return true;
    frame_need(&sim->frame, FRAME_PRESENT);
    return frame_present(&sim->frame) >= least;
}

double rest_time(const carom_sim *sim)
{
    return sim->rest != NULL ? rhythm_time(&sim->rest->when) : INFINITY;
}

/* In the units of the frame, whose scale follows the speeds of a gas that cools. */
static double limit_of(const carom_sim *sim)
{
    const double most = 1 << 14, scale = (double)sim->frame.scale;
    return ldexp(sim->scene->until.rest.slower, (int)fmax(-most, fmin(scale, most)));
}

carom_status rest_pass(carom_sim *sim)
{
    rest *r = sim->rest;
    if (r == NULL || rest_time(sim) > sim->time) return CAROM_OK;
    rhythm_pass(&r->when, sim->time, sim->kernel->events(sim->gas));
    look(sim, sim->time);
    const double limit = limit_of(sim);
    const bool slow = enough_present(sim) && find_speeds(sim, limit).fastest2 < limit * limit;
    r->slow = slow ? r->slow + 1 : 0;
    if (!slow) r->failed = sim->time;
    return callbacks_check(sim);
}

bool rest_holds(const carom_sim *sim)
{
    const rest *r = sim->rest;
    const scene_condition *c = &sim->scene->until.rest;
    return r != NULL && r->slow > 0 && (double)(r->slow - 1) * c->every >= (1 - 1e-9) * c->lasting;
}

bool rest_may_follow(const carom_sim *sim)
{
    return sim->rest != NULL && sim->rest->failed < fmax(sim->time, sim->kernel->time(sim->gas));
}

void rest_again(carom_sim *sim)
{
    if (sim->rest == NULL) return;
    sim->rest->slow = 0;
    sim->rest->failed = -1;
}

/* The run has ended at another limit. */
void rest_warn(carom_sim *sim)
{
    const scene_condition *c = &sim->scene->until.rest;
    const bool other = sim->until.rest && sim->stop != CAROM_STOP_REST && sim->stop != CAROM_STOP_WALL_TIME &&
                       run_status_of(sim->stop) != CAROM_DYNAMICS;
    if (sim->rest == NULL || !other) return;
    if (fmax(c->every, c->lasting) > sim->scene->until.time) return; /* forecast.c says so before the run */
    const speeds all = find_speeds(sim, INFINITY);
    const double fastest = frame_true(&sim->frame, sqrt(all.fastest2));
    const bool vertex = all.fastest >= frame_particles(&sim->frame);
    frame_need(&sim->frame, FRAME_ID);
    if (!enough_present(sim))
        warn(sim, "run.until.rest: %zu of the %llu particles that it waits for are in the system",
             frame_present(&sim->frame), (unsigned long long)c->particles);
    else if (!(fastest < c->slower))
        warn(sim, "run.until.rest: the system is not at rest: at the end %s %u moves at %.3g, the limit is %.3g",
             vertex ? "point" : "particle", sim->frame.id[all.fastest], fastest, c->slower);
    else if (sim->rest->when.done == 1)
        warn(sim, "run.until.rest: the first check is at time %.9g, and the run ended at %.9g", c->every, sim->time);
    else
        warn(sim, "run.until.rest: all are slower than %.3g at the end, but not at all checks of a time of %.3g",
             c->slower, c->lasting);
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

/* The next check, how many have held, and the condition: only checks of the same one count. */
typedef struct rest_part {
    uint64_t done, slow, particles;
    double failed, slower, every;
} rest_part;

carom_status rest_save(const carom_sim *sim, snapshot *out, error *e)
{
    const rest *r = sim->rest;
    const scene_condition *c = &sim->scene->until.rest;
    if (r == NULL) return CAROM_OK;
    const rest_part part = {r->when.done, r->slow, c->particles, r->failed, c->slower, c->every};
    return snapshot_put(out, "rest", SNAPSHOT_U8, sizeof part, &part, e);
}

carom_status rest_load(carom_sim *sim, const snapshot *in)
{
    rest *r = sim->rest;
    const scene_condition *c = &sim->scene->until.rest;
    rest_part part;
    if (r == NULL) return CAROM_OK;
    begin(sim, r, c->every, sim->time);
    if (snapshot_find(in, "rest") == NULL) return CAROM_OK;
    TRY(snapshot_get(in, "rest", SNAPSHOT_U8, sizeof part, &part, &sim->message));
    if (part.particles != c->particles || part.slower != c->slower || part.every != c->every) return CAROM_OK;
    r->when.done = part.done;
    r->slow = part.slow;
    r->failed = part.failed;
    if (part.slow < part.done && rhythm_time(&r->when) >= sim->time &&
        (double)(part.done - 1) * part.every <= sim->time * (1 + 1e-12) && part.failed <= sim->time)
        return CAROM_OK;
    return error_set(&sim->message, CAROM_BAD_DATA, "error: 'rest' of the saved state contains invalid values");
}

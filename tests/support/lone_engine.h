/* An engine without the rest of a simulation: for runs with a transport or a kernel of a test. */
#ifndef CAROM_TESTS_LONE_ENGINE_H
#define CAROM_TESTS_LONE_ENGINE_H

#include "engine/engine.h"
#include "frame/frame.h"
#include "play.h"
#include "scene/state.h"
#include "sim/scene_api.h"
#include "sim/sim.h"

typedef struct lone_engine {
    const engine_kernel *kernel;
    void *self;
    const scene *scene;
    carom_frame frame;
    carom_stop stop;
    error e;
} lone_engine;

/* kernel: NULL: that of the library. */
static inline void lone_create(lone_engine *l, const carom_scene *loaded, const engine_kernel *kernel,
                               const engine_workers *workers)
{
    const scene *s = l->scene = loaded->checked;
    const engine *of = engine_of(s);
    initial_state state = {.count = 0};
    l->kernel = kernel != NULL ? kernel : of->kernel(s);
    if (state_create(&state, s, &l->e) != CAROM_OK) ck_abort_msg("%s", error_text(&l->e));
    REQUIRE(frame_create(&l->frame, s->dimension, state.count, &l->e) == CAROM_OK);
    if (of->add_arrays != NULL) REQUIRE(of->add_arrays(s, &l->frame, &l->e) == CAROM_OK);
    if (l->kernel->create(&l->self, s, &state, sim_tallies(s), workers, &l->e) != CAROM_OK)
        ck_abort_msg("%s", error_text(&l->e));
    state_free(&state);
}

/* To a part of the time of the scene, or its other limits. */
static inline engine_limits lone_limits(const lone_engine *l, double part, uint64_t slice)
{
    const scene_until *u = &l->scene->until;
    return (engine_limits){.time = part * u->time,
                           .events = u->events > 0 ? u->events : UINT64_MAX,
                           .collisions = u->collisions > 0 ? u->collisions : UINT64_MAX,
                           .slice = slice};
}

static inline void lone_look(lone_engine *l)
{
    engine_fill_frame(l->kernel, l->self, l->kernel->time(l->self), FRAME_ALL, &l->frame);
    l->frame.events[EVENT_TRANSFER] = 0;
}

static inline void lone_advance(lone_engine *l, double part)
{
    const engine_limits limits = lone_limits(l, part, 1000);
    do {
        const carom_status status = l->kernel->advance(l->self, &limits, &l->stop, &l->e);
        if (status != CAROM_OK && status != CAROM_DYNAMICS) ck_abort_msg("%s", error_text(&l->e));
    } while (l->stop == CAROM_STOP_NONE);
    lone_look(l);
}

static inline void lone_destroy(lone_engine *l)
{
    l->kernel->destroy(l->self);
    frame_destroy(&l->frame);
    error_clear(&l->e);
}

static inline bool lone_same_tallies(const frame_tallies *a, const frame_tallies *b)
{
    frame_tallies x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    if ((x.impact == NULL) != (y.impact == NULL)) return false;
    if (x.impact != NULL && memcmp(x.impact, y.impact, IMPACT_BINS * sizeof *x.impact) != 0) return false;
    if (x.impact != NULL && memcmp(x.impact_density, y.impact_density, IMPACT_BINS * sizeof *x.impact_density) != 0)
        return false;
    x.impact = y.impact = NULL;
    x.impact_density = y.impact_density = NULL;
    return memcmp(&x, &y, sizeof x) == 0;
}

/* Whether the runs have the same results. If there are no further events, the time depends on how neighbours are found. */
static inline bool lone_same(const lone_engine *a, const lone_engine *b)
{
    return a->stop == b->stop && a->frame.state_hash == b->frame.state_hash &&
           memcmp(a->frame.events, b->frame.events, sizeof a->frame.events) == 0 &&
           (a->stop == CAROM_STOP_NO_EVENTS || lone_same_tallies(&a->frame.tallies, &b->frame.tallies));
}

#endif

#include "variational/kernel/features/gravity.h"

#include "variational/kernel/features/bodies.h"
#include "variational/kernel/response/kicks.h"
#include "variational/kernel/schedule/clocks.h"
#include "variational/kernel/step_rows.h"

static bool gravity_kicks(const world *w)
{
    double square = 0;
    for (int k = 0; k < DIM; k++) square += w->scene->gravity[k] * w->scene->gravity[k];
    return w->settings->gravity == GRAVITY_KICK && square != 0;
}

static carom_status gravity_create(world *w, const initial_state *state, error *e)
{
    (void)state;
    double step = w->settings->gravity_step > 0 ? w->settings->gravity_step : w->choice.step;
    return clock_add(w, CLOCK_GRAVITY, 0, 0, step) != NONE ? CAROM_OK : error_memory(e, "clocks", sizeof(clock));
}

static void gravity_fire(world *w, const clock *c, double t)
{
    if (w->rigid.bodies != NULL) bodies_fall(w, c->step, t);
    for (uint32_t i = 0; i < w->count; i++) {
        kick q = {.i = i, .j = NONE};
        if (node_is_held(&w->node[i]) || body_is_solid(w, i)) continue;
        for (int k = 0; k < DIM; k++) q.impulse[k] = c->step * w->mass[i] * w->scene->gravity[k];
        if (!add_kick(w, &q)) return;
    }
}

static carom_status gravity_steps(const world *w, const initial_state *state, engine_steps *out, error *e)
{
    (void)state;
    (void)e;
    steps_add(out, "gravity", step_of_clock(w, CLOCK_GRAVITY), 0, w->count);
    return CAROM_OK;
}

static const feature gravity_feature = {.name = "gravity kicks",
                                        .enabled = gravity_kicks,
                                        .create = gravity_create,
                                        .fire = gravity_fire,
                                        .steps = gravity_steps};

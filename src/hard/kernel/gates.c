/* Meshes that appear or vanish, and drives that start.
 *
 * A change takes place between two stretches of the event loop, at a time that the scene determines: all clocks are
 * re-based, and all events found again. No plan from before then contains a mesh that is absent, and no search for contacts begins
 * before the mesh is present. */
#include "hard/kernel/gates.h"
#include "hard/kernel/clock.h"
#include "hard/kernel/features/meshes.h"
#include "hard/kernel/features/presence.h"
#include "hard/kernel/features/sleep.h"
#include "hard/kernel/features/starts.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/parallel/collect.h"
#include "hard/kernel/parts.h"
#include "hard/kernel/schedule/rebase.h"
#include "hard/kernel/schedule/run.h"

/* ---- conditions -------------------------------------------------------------------------------------------------- */

/* Whether all bodies of a part are slower at local time t. */
static bool are_slow(const gas *part, real t, double speed)
{
    for (uint32_t i = 0; i < part->count; i++) {
        if (!part_owns(part, i)) continue;
        const body *b = &part->body[i];
        double square = 0;
        for (int k = 0; k < DIM; k++) {
            const double v = ldexp((double)(b->v[k] + acceleration(part, i, k) * (t - b->t)), (int)-part->scale);
            square += v * v;
        }
        if (!(square < speed * speed)) return false;
    }
    return true;
}

static bool condition_is_met(const gas *g, const scene_condition *when, real t)
{
    bool slow = g->count >= when->particles;
    for (int n = 0; n < gas_parts(g) && slow && when->slower > 0; n++) slow = are_slow(gas_part(g, n), t, when->slower);
    return slow;
}

/* ---- changes ----------------------------------------------------------------------------------------------------- */

static void find_touch(const solid *of, uint32_t index, const gap_state *state, void *data)
{
    (void)of;
    (void)index;
    (void)state;
    *(bool *)data = true;
}

static bool is_free(const gas *g, const solid *s)
{
    bool touched = false;
    for (uint32_t i = 0; i < g->count && !touched; i++) mesh_touching(g, i, s, 0, find_touch, &touched);
    return !touched;
}

static void vanish(gas *g, solid *s)
{
    uint32_t carried = 0;
    for (uint32_t i = 0; g->sleep != NULL && i < g->count; i++) {
        bool touched = false;
        if (is_asleep(g, i)) mesh_touching(g, i, s, g->sleep->holding, find_touch, &touched);
        if (touched) g->sleep->awakened[carried++] = i;
    }
    s->absent = true;
    if (g->sleep != NULL) sleep_release_all(g, carried);
}

static carom_status begin_anew(gas *g, error *e)
{
    rebase(g);
    g->ending = (ending_state){.idle = 0};
    return gas_find_events(g, e);
}

static carom_status change_mesh(gas *g, error *e)
{
    const scene *s = g->scene;
    gate *one = gates_first(s, g->presence->gate, g->presence->count);
    const scene_moment *m = gate_moment(s, one);
    const double time = gate_next(s, one);
    g->now = later(gas_local_time(g, time), g->now);
    if (!gate_try(s, one, m->waits && condition_is_met(g, &m->when, g->now))) return CAROM_OK;
    TRY(crew_unite(g, e));
    solid *of = &g->solids->solid[one->mesh];
    if (one->stage == PRESENCE_NOW)
        vanish(g, of);
    else if (is_free(g, of))
        of->absent = false;
    else
        return CAROM_OK;
    gate_pass(s, one, time);
    return begin_anew(g, e);
}

/* Bodies at rest on a driven mesh do not sleep. */
static carom_status start_drive(gas *g, error *e)
{
    drive_wait *one = starts_first(g);
    const scene_condition *when = &g->scene->drives[one->drive].start.when;
    const double time = condition_next(when, &one->checks);
    g->now = later(gas_local_time(g, time), g->now);
    if (!condition_count(when, &one->checks, condition_is_met(g, when, g->now))) return CAROM_OK;
    TRY(crew_unite(g, e));
    starts_begin(g, one, time);
    return begin_anew(g, e);
}

static double gates_next(const gas *g)
{
    return fmin(presence_next(g), starts_next(g));
}

static carom_status gates_change(gas *g, error *e)
{
    return presence_next(g) <= starts_next(g) ? change_mesh(g, e) : start_drive(g, e);
}

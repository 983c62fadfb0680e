#include "aggregation/check.h"

#include "aggregation/settings.h"
#include "frame/frame.h"
#include "scene/where.h"

#include <math.h>

/* ---- the scene --------------------------------------------------------------------------------------------------- */

static carom_status refuse(scene_spot at, const char *what, error *e)
{
    return scene_refuse(at, e, "the engine `aggregation` has %s", what);
}

/* A contact law under which some contacts do not merge; 0, the index of the default law: no such law. */
static size_t find_bounce(const scene *s)
{
    for (size_t k = 1; k < s->law_count; k++)
        if (!isinf(s->laws[k].stick_below)) return k;
    return 0;
}

static bool something_bounces(const scene *s)
{
    return find_bounce(s) != 0;
}

/* Without a law with a sticking speed, collisions never end. */
static carom_status check_collisions(const scene *s, error *e)
{
    if (something_bounces(s)) return CAROM_OK;
    if (s->until.collisions > 0)
        scene_refuse(scene_at(s, "run.until.collisions"), e,
                     "run.until.collisions: all touches merge, so nothing ever collides" HINT "use `clusters`, "
                     "`events` or `time`, or give contacts a `stick: {below: speed}`");
    if (s->output.frames_every_collisions > 0)
        scene_refuse(scene_at(s, "output.frames.every_collisions"), e,
                     "output.frames.every_collisions: all touches merge, so nothing ever collides" HINT "use "
                     "`every`");
    for (size_t k = 0; k < s->observe_count; k++)
        if (s->observe[k].every_collisions > 0)
            scene_refuse(scene_at(s, "observe.%zu.every_collisions", k), e,
                         "observe.%zu.every_collisions: all touches merge, so nothing ever collides" HINT "use "
                         "`every`",
                         k);
    return e->status;
}

static carom_status check_contacts(const scene *s, error *e)
{
    const size_t elastic = 0; /* the default law, of pairs without an entry */
    for (size_t k = elastic + 1; k < s->law_count; k++)
        if (s->laws[k].stick_given && isinf(s->laws[k].stick_below) && restitution_loses(&s->laws[k]))
            return scene_refuse(scene_at_law(s, k, "restitution"), e,
                                "contacts: a restitution with `stick: always` has no effect, as all touches merge" HINT
                                "use "
                                "`stick: {below: speed}`, or leave the restitution out");
        else if (!s->laws[k].stick_given)
            return scene_refuse(scene_at_law(s, k, "restitution"), e,
                                "contacts: a restitution without `stick` has no effect, as all touches merge" HINT
                                "add "
                                "`stick: {below: speed}`, or leave the contact out");
    return CAROM_OK;
}

static carom_status check_steps(const scene *s, const aggregation_settings *settings, error *e)
{
    if (settings->reference)
        return refuse(scene_at(s, "aggregation.reference"),
                      "a reference for `method: events` alone; leave out aggregation.reference", e);
    if (settings->skin > 0)
        return refuse(scene_at(s, "aggregation.skin"), "a skin for `method: events` alone; leave out aggregation.skin",
                      e);
    if (something_bounces(s))
        return refuse(scene_at_law(s, find_bounce(s), "stick"),
                      "a sticking law for `method: events` alone; leave it out of the contacts", e);
    return steps_settings_check(&settings->steps, s, "aggregation.steps", e);
}

/* Settings of time steps in a run with `method: events`. */
static carom_status check_events(const scene *s, const aggregation_settings *settings, error *e)
{
    char key[80];
    if (settings_first_changed(&steps_settings_table, &settings->steps, key, sizeof key) == NULL) return CAROM_OK;
    return scene_refuse(scene_at(s, "aggregation.steps.%s", key), e,
                        "aggregation.steps.%s does nothing without aggregation.method: steps" HINT
                        "give that, too, or leave %s "
                        "out",
                        key, key);
}

carom_status aggregation_check(const scene *s, error *e)
{
    const carom_status forces = scene_refuse_forces(s, s->engine_table->name, e);
    TRY(scene_refuse_friction(s, s->engine_table->name, e));
    TRY(scene_refuse_lasting(s, s->engine_table->name, e));
    TRY(scene_refuse_exact(s, s->engine_table->name, e));
    TRY(scene_refuse_drives(s, s->engine_table->name, e));
    TRY(scene_refuse_thermal(s, s->engine_table->name, e));
    TRY(forces);
    for (int k = 0; k < s->dimension; k++) {
        if (s->gravity[k] != 0)
            return refuse(scene_at(s, "fields.gravity"), "no gravity: clusters fly straight; leave out fields.gravity",
                          e);
        if (s->box.boundary[k] == BOUNDARY_OPEN)
            return refuse(scene_at(s, "box.boundary"), "no open boundaries; make them `periodic` or `wall`", e);
    }
    for (size_t k = 0; k < s->species_count; k++)
        if (s->surface_law[k * scene_surfaces(s)] != 0)
            return refuse(scene_at_law(s, s->surface_law[k * scene_surfaces(s)], "between"),
                          "only elastic walls; leave contacts with `wall` out", e);
    if (s->plane_count > 0)
        return refuse(scene_at(s, "planes"), "no planes but the walls of the box; leave out `planes`", e);
    TRY(check_contacts(s, e));
    TRY(check_collisions(s, e));
    const aggregation_settings *settings = s->engine_settings;
    if (settings->rotation && settings->method == METHOD_STEPS)
        return refuse(scene_at(s, "aggregation.rotation"),
                      "no rotation in time steps; leave out aggregation.rotation, or use `method: events`", e);
    return settings->method == METHOD_STEPS ? check_steps(s, settings, e) : check_events(s, settings, e);
}

unsigned aggregation_tallies(const scene *s)
{
    return TALLY_IMAGES | (something_bounces(s) ? TALLY_COLLISIONS : 0);
}

/* ---- the initial state ------------------------------------------------------------------------------------------- */

typedef struct extremes {
    double longest;  /* side of the box */
    double smallest; /* radius */
    double fastest;  /* component of a velocity */
} extremes;

static extremes extremes_of(const scene *s, const initial_state *state)
{
    extremes x = {.smallest = INFINITY};
    for (int k = 0; k < s->dimension; k++) x.longest = fmax(x.longest, state->size[k]);
    for (size_t i = 0; i < state->count; i++) {
        for (int k = 0; k < s->dimension; k++) x.fastest = fmax(x.fastest, fabs(state->velocity[i][k]));
        x.smallest = fmin(x.smallest, 0.5 * state->diameter[i]);
    }
    return x;
}

/* Contacts of rotating clusters are found within a fraction of the box that must be small compared to the particles. */
static carom_status check_rotation(const scene *s, const extremes *x, error *e)
{
    const double most = 1e7, diameters = x->longest / (2 * x->smallest);
    if (!((const aggregation_settings *)s->engine_settings)->rotation || diameters <= most) return CAROM_OK;
    return scene_refuse(scene_at(s, "aggregation.rotation"), e,
                        "aggregation.rotation: the box is %.3g times as long as the smallest particle is "
                        "wide; contacts of clusters that turn can be found in boxes of up to %.0e diameters",
                        diameters, most);
}

static double top_speed(const scene *s, const initial_state *state)
{
    double top2 = 0;
    for (size_t i = 0; i < state->count; i++) {
        double v2 = 0;
        for (int k = 0; k < s->dimension; k++) v2 += state->velocity[i][k] * state->velocity[i][k];
        top2 = fmax(top2, v2);
    }
    return sqrt(top2);
}

/* In one step the fastest particle moves at most by the smallest radius (the bound of the paper, 3.3). Steps so short
 * that positions hardly change are refused as an error of the scene. */
static carom_status check_step_length(const scene *s, const initial_state *state, const extremes *x, error *e)
{
    const double most_steps = 1e12;
    const steps_settings *steps = &((const aggregation_settings *)s->engine_settings)->steps;
    const double top = top_speed(s, state), dt = steps->dt;
    const double way = dt > 0 ? dt * top : steps->cfl * x->smallest, least = x->longest / most_steps;
    if (dt * top > x->smallest)
        return scene_refuse(scene_at(s, "aggregation.steps.dt"), e,
                            "aggregation.steps.dt is %g: the fastest particle would fly more than the smallest "
                            "radius in a step, and pass through others" HINT "at most %g, or leave it out",
                            dt, x->smallest / top);
    if (top == 0 || way >= least) return CAROM_OK;
    return scene_refuse(scene_at(s, "aggregation.steps.%s", dt > 0 ? "dt" : "cfl"), e,
                        "aggregation.steps.%s is %g: the fastest particle would need %.2g steps to cross the "
                        "box" HINT "make it at least %.2g, or use `method: events`",
                        dt > 0 ? "dt" : "cfl", dt > 0 ? dt : steps->cfl, x->longest / way,
                        dt > 0 ? least / top : least / x->smallest);
}

carom_status aggregation_check_state(const scene *s, const initial_state *state, error *e)
{
    const bool steps = ((const aggregation_settings *)s->engine_settings)->method == METHOD_STEPS;
    const extremes x = extremes_of(s, state);
    if (state->count >= 0x7fff0000u)
        return error_set(e, CAROM_BAD_DATA, "error: %zu particles are more than the engine can number", state->count);
    TRY(scene_refuse_meshes(s, s->engine_table->name, e));
    if (state->clusters > 0)
        return scene_refuse(scene_at(s, "particles.%zu.place", state->clusters_entry), e,
                            "%s holds %zu clusters of several particles, and a run starts from single ones" HINT
                            "go on with "
                            "that run (`carom run --resume`), or start from a frame before its first merge",
                            s->particles[state->clusters_entry].from, state->clusters);
    TRY(check_rotation(s, &x, e));
    return steps ? check_step_length(s, state, &x, e) : CAROM_OK;
}

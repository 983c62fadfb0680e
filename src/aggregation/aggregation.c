/* The engine `aggregation`: particles that stick for good when they touch (Degond, Dimarco, Ferreira, Hecht,
 * arXiv:2309.09523). */
#include "aggregation/kernel.h"
#include "aggregation/settings.h"
#include "base/memory.h"

#include <math.h>

/* ---- settings ---------------------------------------------------------------------------------------------------- */

static const char *const methods[] = {"events", "steps", NULL};

#define FIELD(member) offsetof(aggregation_settings, member)
static const setting entries[] = {
    {"method", SETTING_CHOICE, FIELD(method), "", "events", 0, 0, false, methods, NULL,
     "how contacts are found: events, one after another at their exact times; steps, all that have come about at the "
     "end of each step in time"},
    {"reference", SETTING_BOOL, FIELD(reference), "", "false", 0, 0, false, NULL, NULL,
     "all pairs at every event: slow, the oracle; method events"},
    {"rotation", SETTING_BOOL, FIELD(rotation), "", "false", 0, 0, false, NULL, NULL,
     "clusters turn: merges keep the angular momentum; method events"},
    {"skin", SETTING_REAL, FIELD(skin), "length", "0", 0, 1e300, false, NULL, NULL,
     "how far a cluster may move before its neighbours are sought again, at least a hundredth of the largest diameter: "
     "changes the speed, not the result; 0: chosen by density; method events"},
    {"patience", SETTING_REAL, FIELD(patience), "mean free path", "100", 1, 1e300, false, NULL, NULL,
     "a run in which the clusters move that far without a merge ends, for want of progress"},
    {"steps", SETTING_TABLE, FIELD(steps), "", "", 0, 0, false, NULL, &steps_settings_table,
     "time stepping; method steps"},
};
#undef FIELD
static const settings_table table = {"aggregation", "ballistic aggregation", sizeof(aggregation_settings), entries,
                                     sizeof entries / sizeof *entries};

/* ---- the engine -------------------------------------------------------------------------------------------------- */

typedef struct aggregation {
    const aggregation_kernel *kernel;
    void *swarm;
} aggregation;

static const aggregation_kernel *kernel_for(const scene *s)
{
    const aggregation_settings *settings = s->engine_settings;
    if (settings->rotation) return s->dimension == 2 ? &aggregation_rotating_2d : &aggregation_rotating_3d;
    if (settings->method == METHOD_STEPS) return s->dimension == 2 ? &aggregation_steps_2d : &aggregation_steps_3d;
    return s->dimension == 2 ? &aggregation_events_2d : &aggregation_events_3d;
}

static carom_status refuse(const scene *s, const char *what, error *e)
{
    return error_add(e, CAROM_BAD_DATA, "%s: error: the engine `aggregation` has %s", s->source, what);
}

static carom_status check_steps(const scene *s, const aggregation_settings *settings, error *e)
{
    if (settings->reference)
        return refuse(s, "a reference for `method: events` alone; leave out aggregation.reference", e);
    for (size_t k = 0; k < s->law_count; k++)
        if (!isinf(s->laws[k].stick_below))
            return refuse(s, "a sticking law for `method: events` alone; leave it out of the contacts", e);
    return steps_settings_check(&settings->steps, s->source, "aggregation.steps", e);
}

static carom_status check(const scene *s, error *e)
{
    TRY(scene_refuse_forces(s, table.name, e));
    for (int k = 0; k < s->dimension; k++) {
        if (s->gravity[k] != 0) return refuse(s, "no gravity: clusters fly straight; leave out fields.gravity", e);
        if (s->box.boundary[k] == BOUNDARY_OPEN)
            return refuse(s, "no open boundaries; make them `periodic` or `wall`", e);
    }
    for (size_t k = 0; k < s->species_count; k++)
        if (s->surface_law[k * (1 + s->plane_count)] != 0)
            return refuse(s, "walls that reflect, and nothing else; leave contacts with `wall` out", e);
    if (s->plane_count > 0) return refuse(s, "no planes but the walls of the box; leave out `planes`", e);
    const aggregation_settings *settings = s->engine_settings;
    if (settings->rotation && settings->method == METHOD_STEPS)
        return refuse(s, "no rotation in time steps; leave out aggregation.rotation, or use `method: events`", e);
    return settings->method == METHOD_STEPS ? check_steps(s, settings, e) : CAROM_OK;
}

/* Squares of lengths, speeds and masses, and of their products, must be numbers. */
static carom_status check_range(const scene *s, const initial_state *state, error *e)
{
    const double most = 1e150, least = 1e-150;
    double longest = 0, fastest = 0, smallest = INFINITY, lightest = INFINITY, heaviest = 0;
    for (int k = 0; k < s->dimension; k++) longest = fmax(longest, state->size[k]);
    for (size_t i = 0; i < state->count; i++) {
        for (int k = 0; k < s->dimension; k++) fastest = fmax(fastest, fabs(state->velocity[i][k]));
        smallest = fmin(smallest, 0.5 * state->diameter[i]);
        lightest = fmin(lightest, state->mass[i]);
        heaviest = fmax(heaviest, state->mass[i]);
    }
    if (!(lightest > least && heaviest < most))
        return error_add(
            e, CAROM_BAD_DATA,
            "%s: error: masses from %.3g to %.3g: their squares are beyond 1e-300 to 1e300; use other units", s->source,
            lightest, heaviest);
    if (longest < most && longest * fastest < most && smallest > least &&
        (fastest == 0 || (fastest > least && smallest * fastest > least)))
        return CAROM_OK;
    return error_add(e, CAROM_BAD_DATA,
                     "%s: error: lengths from %.3g to %.3g and speeds up to %.3g: their squares, or those of their "
                     "products, are beyond 1e-300 to 1e300; use other units",
                     s->source, smallest, longest, fastest);
}

/* The contacts of clusters that turn are found within a fraction of the box that must be small beside the particles. */
static carom_status check_rotation(const scene *s, const initial_state *state, error *e)
{
    const double most = 1e7;
    double longest = 0, smallest = INFINITY;
    if (!((const aggregation_settings *)s->engine_settings)->rotation) return CAROM_OK;
    for (int k = 0; k < s->dimension; k++) longest = fmax(longest, state->size[k]);
    for (size_t i = 0; i < state->count; i++) smallest = fmin(smallest, state->diameter[i]);
    if (longest <= most * smallest) return CAROM_OK;
    return error_add(e, CAROM_BAD_DATA,
                     "%s: error: aggregation.rotation: the box is %.3g times as long as the smallest particle is wide; "
                     "contacts of clusters that turn can be found in boxes of up to %.0e diameters",
                     s->source, longest / smallest, most);
}

static carom_status create(void **self, const scene *s, const initial_state *state, unsigned tallies, error *e)
{
    (void)tallies;
    if (state->count >= 0x7fff0000u)
        return error_set(e, CAROM_BAD_DATA, "error: %zu particles are more than the engine can number", state->count);
    TRY(check_range(s, state, e));
    TRY(check_rotation(s, state, e));
    aggregation *a = NEW_ARRAY(1, aggregation);
    if (a == NULL) return error_memory(e, "the engine", sizeof *a);
    *self = a;
    a->kernel = kernel_for(s);
    return a->kernel->create(&a->swarm, s, state, e);
}

static size_t memory(const scene *s, size_t count)
{
    return kernel_for(s)->memory(s, count);
}

static carom_status advance(void *self, const engine_limits *limits, carom_stop *stop, error *e)
{
    aggregation *a = self;
    return a->kernel->advance(a->swarm, limits, stop, e);
}

static double time_of(const void *self)
{
    const aggregation *a = self;
    return a->kernel->time(a->swarm);
}

static const uint64_t *events_of(const void *self)
{
    const aggregation *a = self;
    return a->kernel->events(a->swarm);
}

static uint64_t clusters_of(const void *self)
{
    const aggregation *a = self;
    return a->kernel->clusters(a->swarm);
}

static bool rotates(const scene *s)
{
    return ((const aggregation_settings *)s->engine_settings)->rotation;
}

static void fill_frame(void *self, double time, carom_frame *frame)
{
    aggregation *a = self;
    a->kernel->fill_frame(a->swarm, time, frame);
}

static carom_status save(const void *self, snapshot *out, error *e)
{
    const aggregation *a = self;
    return a->kernel->save(a->swarm, out, e);
}

static carom_status load(void *self, const snapshot *in, error *e)
{
    aggregation *a = self;
    return a->kernel->load(a->swarm, in, e);
}

static void destroy(void *self)
{
    aggregation *a = self;
    if (a == NULL) return;
    if (a->swarm != NULL) a->kernel->destroy(a->swarm);
    memory_free(a);
}

const engine engine_aggregation = {
    "ballistic aggregation: particles that stick for good when they touch",
    true,
    &table,
    check,
    memory,
    create,
    advance,
    time_of,
    events_of,
    clusters_of,
    rotates,
    fill_frame,
    save,
    load,
    destroy,
};

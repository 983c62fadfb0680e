/* The engine `aggregation`: particles that stick for good when they touch (Degond, Dimarco, Ferreira, Hecht,
 * arXiv:2309.09523). */
#include "aggregation/check.h"
#include "aggregation/kernel.h"
#include "aggregation/settings.h"
#include "base/memory.h"

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

static carom_status create(void **self, const scene *s, const initial_state *state, unsigned tallies, error *e)
{
    (void)tallies;
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
    aggregation_check,
    aggregation_check_state,
    aggregation_tallies,
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

/* The engine `aggregation`: particles that stick for good when they touch (Degond, Dimarco, Ferreira, Hecht,
 * arXiv:2309.09523). */
#include "aggregation/check.h"

#include <math.h>

#include "aggregation/kernel.h"
#include "aggregation/settings.h"

/* ---- settings ---------------------------------------------------------------------------------------------------- */

static const char *const methods[] = {"events", "steps", NULL};

#define FIELD(member) offsetof(aggregation_settings, member)
static const setting entries[] = {
    {.name = "method",
     .type = SETTING_CHOICE,
     .offset = FIELD(method),
     .unit = "",
     .fallback = "events",
     .choices = methods,
     .help = "how contacts are found: events, one after another at their exact times; steps, all that have come about "
             "at the "
             "end of each step in time"},
    {.name = "reference",
     .type = SETTING_BOOL,
     .offset = FIELD(reference),
     .unit = "",
     .fallback = "false",
     .help = "all pairs at every event: slow, the oracle; method events"},
    {.name = "rotation",
     .type = SETTING_BOOL,
     .offset = FIELD(rotation),
     .unit = "",
     .fallback = "false",
     .help = "clusters turn: merges keep the angular momentum; method events"},
    {.name = "skin",
     .type = SETTING_REAL,
     .offset = FIELD(skin),
     .unit = "length",
     .fallback = "0",
     .max = INFINITY,
     .help = "how far a cluster may move before its neighbours are sought again, at least a hundredth of the largest "
             "diameter: "
             "changes the speed, not the result; 0: chosen by density; method events"},
    {.name = "patience",
     .type = SETTING_REAL,
     .offset = FIELD(patience),
     .unit = "mean free path",
     .fallback = "100",
     .min = 1,
     .max = 1e300,
     .help = "a run in which the clusters move that far without a merge ends as having no progress"},
    {.name = "steps",
     .type = SETTING_TABLE,
     .offset = FIELD(steps),
     .unit = "",
     .fallback = "",
     .table = &steps_settings_table,
     .help = "time stepping; method steps"},
};
#undef FIELD
static const settings_table table = {.name = "aggregation",
                                     .help = "ballistic aggregation",
                                     .size = sizeof(aggregation_settings),
                                     .entries = entries,
                                     .count = sizeof entries / sizeof *entries};

/* ---- the engine -------------------------------------------------------------------------------------------------- */

static const engine_kernel *kernel(const scene *s)
{
    const aggregation_settings *settings = s->engine_settings;
    if (settings->rotation) return s->dimension == 2 ? &aggregation_rotating_2d : &aggregation_rotating_3d;
    if (settings->method == METHOD_STEPS) return s->dimension == 2 ? &aggregation_steps_2d : &aggregation_steps_3d;
    return s->dimension == 2 ? &aggregation_events_2d : &aggregation_events_3d;
}

static carom_status add_arrays(const scene *s, carom_frame *f, error *e)
{
    const bool rotates = ((const aggregation_settings *)s->engine_settings)->rotation;
    TRY(FRAME_ADD(f, cluster, e));
    return rotates ? FRAME_ADD(f, spin, e) : CAROM_OK;
}

const engine engine_aggregation = {.summary = "ballistic aggregation: particles that stick for good when they touch",
                                   .single = "one merge or wall; with `method: steps`, the time step that has one",
                                   .starter = "aggregates",
                                   .features = ENGINE_MERGES,
                                   .merges = true,
                                   .settings = &table,
                                   .check = aggregation_check,
                                   .check_state = aggregation_check_state,
                                   .tallies = aggregation_tallies,
                                   .add_arrays = add_arrays,
                                   .kernel = kernel};

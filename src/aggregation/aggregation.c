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
    {"method", SETTING_CHOICE, FIELD(method), "", "events", 0, 0, false, methods, NULL,
     "how contacts are found: events, one after another at their exact times; steps, all that have come about at the "
     "end of each step in time"},
    {"reference", SETTING_BOOL, FIELD(reference), "", "false", 0, 0, false, NULL, NULL,
     "all pairs at every event: slow, the oracle; method events"},
    {"rotation", SETTING_BOOL, FIELD(rotation), "", "false", 0, 0, false, NULL, NULL,
     "clusters turn: merges keep the angular momentum; method events"},
    {"skin", SETTING_REAL, FIELD(skin), "length", "0", 0, INFINITY, false, NULL, NULL,
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
                                   .features = ENGINE_MERGES,
                                   .merges = true,
                                   .settings = &table,
                                   .check = aggregation_check,
                                   .check_state = aggregation_check_state,
                                   .tallies = aggregation_tallies,
                                   .add_arrays = add_arrays,
                                   .kernel = kernel};

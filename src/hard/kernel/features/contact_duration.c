#include "hard/kernel/features/contact_duration.h"
#include "hard/kernel/features/feature.h"

static bool contact_duration_enabled(const gas *g, const initial_state *state, unsigned tallies)
{
    (void)state;
    (void)tallies;
    return g->settings->collapse.policy == COLLAPSE_TC;
}

static void contact_duration_start(gas *g)
{
    for (uint32_t i = 0; i < g->count; i++) g->contact_duration->last_contact[i] = -REAL_NEVER;
}

static const body_array contact_duration_arrays[] = {
    {"engine/last_contact", BODY_ARRAY(contact_duration, last_contact), .kind = ARRAY_TIMES},
};

static const feature feature_contact_duration = {.name = "contact duration",
                                                 FEATURE_STATE(contact_duration),
                                                 .enabled = contact_duration_enabled,
                                                 FEATURE_ARRAYS(contact_duration_arrays),
                                                 .start = contact_duration_start};

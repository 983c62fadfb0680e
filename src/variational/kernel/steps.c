#include "variational/kernel/steps.h"

#include "variational/kernel/features/springs.h"
#include "variational/kernel/narrow/elements.h"

#include "base/memory.h"

#include <stdio.h>

/* ---- contacts, and clocks that no element has -------------------------------------------------------------------- */

static carom_status add_layer_rows(const world *w, const initial_state *state, engine_steps *out, error *e)
{
    uint32_t least = NONE;
    uint64_t moved = 0;
    bool *held = state_find_held(state, w->scene);
    if (held == NULL) return error_memory(e, "particles", w->count);
    for (uint32_t id = 0; id < w->count; id++) {
        if (held[id]) continue;
        moved++;
        if (least == NONE || state->mass[id] < state->mass[least]) least = id;
    }
    memory_free(held);
    const double bound = sqrt(2 * w->choice.lightest / w->choice.stiffness);
    carom_step *row = steps_add(out, "layers", w->choice.step, bound, moved);
    choice_source(&w->choice, w->scene, state, row->source, sizeof row->source);
    if (least == NONE) return CAROM_OK;
    char name[ELEMENT_NAME];
    element_name(w, w->index_of[least], name);
    snprintf(row->element, sizeof row->element, "%.*s", (int)sizeof row->element - 1, name);
    step_set_place(w, row, &w->index_of[least], 1);
    return CAROM_OK;
}

static carom_status world_steps(world *w, const initial_state *state, engine_steps *out, error *e)
{
    shell_draft d = {0};
    TRY(add_layer_rows(w, state, out, e));
    for (int k = 0; k < FEATURE_COUNT; k++)
        if (FEATURES[k]->steps != NULL && FEATURES[k]->enabled(w)) TRY(FEATURES[k]->steps(w, state, out, e));
    carom_status status = shell_draft_elements(w, &d, state, e);
    if (status == CAROM_OK) status = shell_draft_classes(w, &d, e);
    if (status == CAROM_OK) status = steps_warn(w, state, &d, out, e);
    shell_draft_free(&d);
    return status;
}

#include "variational/kernel/broad/clear.h"

#include "variational/kernel/broad/grid.h"
#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/response/layers.h"

static bool touches(const world *w, uint32_t element, uint32_t partner, double t)
{
    return !never_touch(w, element, partner) && gap_at(w, element, partner, t) < thickness(w, 1);
}

static carom_status element_is_clear(const world *w, uint32_t element, double t, bool *is_clear, error *e)
{
    if (w->observer == NULL)
        return grid_is_clear(w, element, t, is_clear) ? CAROM_OK : error_memory(e, "lists", sizeof(uint32_t));
    *is_clear = true;
    for (uint32_t j = 0; j < w->elements && *is_clear; j++) *is_clear = !touches(w, element, j, t);
    for (uint32_t s = 0; s < w->domain.surface_count && *is_clear; s++) *is_clear = !touches(w, element, NODES + s, t);
    return CAROM_OK;
}

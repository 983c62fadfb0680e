#include "measure/bins.h"

#include "scene/scene.h"

const char *const bins_axes[] = {"none", "x", "y", "z", NULL};

carom_status bins_check(const bins_settings *set, const carom_frame *first, error *e)
{
    e->key = "bins";
    if (set->axis == BINS_NONE && set->count > 0)
        return error_set(e, CAROM_BAD_DATA, "error: a profile needs its `axis`; add it, or remove `bins`");
    e->key = "axis";
    if (set->axis > first->dimension)
        return error_set(e, CAROM_BAD_DATA, "error: there is no axis z in 2 dimensions; take x or y");
    if (set->axis == 1 && first->shear != 0)
        return error_set(
            e, CAROM_BAD_DATA,
            "error: the images of a sheared box move along x, so that it has no profile; take another axis");
    e->key = NULL;
    return CAROM_OK;
}

bins bins_of(const bins_settings *set, const carom_frame *first)
{
    bins b = {.count = 0};
    if (set->axis == BINS_NONE) return b;
    b.along = (size_t)set->axis - 1;
    b.count = set->count > 0 ? (size_t)set->count : BINS_USUAL;
    b.length = first->box[b.along];
    b.periodic = first->boundary[b.along] == BOUNDARY_PERIODIC;
    b.open = first->boundary[b.along] == BOUNDARY_OPEN;
    return b;
}

/* The first search for neighbours and events. */
#include "hard/kernel/schedule/start.h"
#include "hard/kernel/broad/cells.h"
#include "hard/kernel/broad/extent.h"
#include "hard/kernel/broad/lists.h"
#include "hard/kernel/schedule/reference.h"
#include "hard/kernel/schedule/schedule.h"

/* Whether cells are faster than lists: in gases with few bodies in the cells around a body (tuning.h). Sleep, which
 * uses the neighbours of a body, needs lists. */
static bool cells_are_faster(const gas *g)
{
    if (g->sleep != NULL || g->growth != 0 || g->shear != NULL) return false;
    if ((g->solids != NULL || g->exact != NULL) && g->has_gravity)
        return false; /* under gravity bodies accumulate in a part of the box */
    const double contact = (double)largest_contact(g), others = bodies_around(g);
    double volume = 0;
    for (uint32_t k = 0; k < g->kind_count; k++)
        volume += pow(2 * (double)(g->radius[k] * g->grow_to) / contact, DIM) * g->population[k] / all_bodies(g);
    return others < CELLS_MOST_OTHERS_OF_ANY_SIZE && others * volume < CELLS_MOST_OTHERS;
}

static carom_status start(gas *g, error *e)
{
    g->begun = true;
    if (g->settings->reference) {
        reference_all(g);
        return CAROM_OK;
    }
    if (cells_are_faster(g)) TRY(cell_grid_create(g, e));
    if (g->cells == NULL) TRY(lists_create(g, e));
    TRY(schedule_create(g, e));
    schedule_all(g);
    return CAROM_OK;
}

/* Bodies that enter and leave.
 *
 * A body that enters is an event of this body alone: it is predicted against its neighbours, and no other body is changed. Bodies
 * that leave change the order in memory: all clocks are re-based, and all events found again, at a time that the scene determines. */
#include "hard/kernel/flows.h"
#include "hard/kernel/broad/cells.h"
#include "hard/kernel/broad/grid.h"
#include "hard/kernel/broad/lists.h"
#include "hard/kernel/clock.h"
#include "hard/kernel/create.h"
#include "hard/kernel/features/exact.h"
#include "hard/kernel/features/meshes.h"
#include "hard/kernel/features/reserve.h"
#include "hard/kernel/features/rotation.h"
#include "hard/kernel/features/sleep.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/schedule/rebase.h"
#include "hard/kernel/schedule/reference.h"
#include "hard/kernel/schedule/run.h"
#include "hard/kernel/schedule/schedule.h"

static void begin_moment(gas *g, double time)
{
    g->now = later(gas_local_time(g, time), g->now);
}

/* Of its motion, its rotation and its height, in true units. Body i is stored at the present time. */
static double energy_of(const gas *g, uint32_t i)
{
    double energy = ldexp(energy_of_motion(g, i), (int)(-2 * g->scale));
    for (int k = 0; k < DIM; k++) {
        const real height = g->body[i].r[k] + (real)image_at(g, i, k) * g->box[k];
        energy -= mass_of(g, i) * (double)(g->gravity[k] * height);
    }
    return energy;
}

/* ---- entering ---------------------------------------------------------------------------------------------------- */

static bool crosses_surface(const gas *g, uint32_t i)
{
    for (uint32_t n = 0; n < g->surface_count; n++) {
        const surface *s = &g->surface[n];
        real height = -radius_of(g, i), point[DIM];
        pose p;
        surface_pose(s, g->now, &p, point);
        for (int k = 0; k < DIM; k++) height += s->normal[k] * (g->body[i].r[k] - point[k]);
        if (height < 0) return true;
    }
    for (uint32_t n = 0; g->exact != NULL && n < g->exact->count; n++) {
        gap_state state;
        exact_gap(g, i, &g->exact->surface[n], 0, &state);
        if (state.gap < 0) return true;
    }
    return false;
}

static void note_touch(const solid *of, uint32_t index, const gap_state *state, void *touches)
{
    (void)of;
    (void)index;
    *(bool *)touches = *(bool *)touches || state->gap < 0;
}

static bool crosses_mesh(const gas *g, uint32_t i)
{
    bool touches = false;
    if (g->solids != NULL) meshes_touching(g, i, 0, note_touch, &touches);
    return touches;
}

static bool overlaps_any(const gas *g, uint32_t i, const uint32_t *list, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t j = list != NULL ? list[n] : n;
        if (j != i && is_overlapping(g, i, j, g->now)) return true;
    }
    return false;
}

/* Inserts body i among its neighbours, unless it overlaps one of them. */
static carom_status join(gas *g, uint32_t i, bool *is_free, error *e)
{
    if (g->queue == NULL) {
        *is_free = !overlaps_any(g, i, NULL, g->count);
        return CAROM_OK;
    }
    if (g->cells != NULL) {
        cell_grid_insert(g, i);
        *is_free = cell_grid_overlapping(g, i, g->now) == 0;
        if (!*is_free) cell_grid_remove(g, i);
        return CAROM_OK;
    }
    TRY(grid_insert(g, i, e));
    const carom_status found = grid_find(g, i, UINT32_MAX, e);
    *is_free = found == CAROM_OK && !overlaps_any(g, i, g->lists->found, g->lists->found_count);
    grid_remove(g, i);
    TRY(found);
    return *is_free ? lists_enter(g, i, e) : CAROM_OK;
}

static void find_events_of(gas *g, uint32_t i)
{
    if (g->queue == NULL)
        reference_enter(g, i);
    else
        schedule_one(g, i);
}

static carom_status gas_enter(void *self, double time, uint32_t particle, const double position[3], bool *entered,
                              double *energy, error *e)
{
    gas *g = self;
    TRY(gas_begin(g, e));
    begin_moment(g, time);
    const uint32_t i = reserve_give(g, particle);
    if (i == g->room)
        return error_set(e, CAROM_BAD_DATA,
                         "error: particle %u of the saved state enters, and is in the system already", particle);
    for (int k = 0; k < DIM; k++) g->body[i].r[k] = (real)position[k];
    reserve_set_motion(g, i);
    *entered = !crosses_surface(g, i) && !crosses_mesh(g, i);
    if (*entered) TRY(join(g, i, entered, e));
    if (!*entered) {
        reserve_return(g);
        return CAROM_OK;
    }
    *energy += energy_of(g, i);
    fly_farther(g, i);
    g->ending = (ending_state){.idle = 0};
    find_events_of(g, i);
    return CAROM_OK;
}

/* ---- leaving ----------------------------------------------------------------------------------------------------- */

static carom_status gas_leave(void *self, double time, size_t count, const uint32_t *particles, double *energy,
                              error *e)
{
    gas *g = self;
    TRY(gas_begin(g, e));
    begin_moment(g, time);
    uint32_t *index_of = g->reserve->index_of;
    for (uint32_t i = 0; i < g->count; i++) index_of[g->id[i]] = i;
    for (size_t n = 0; n < count; n++) {
        const uint32_t i = index_of[particles[n]];
        fly(g, i, g->now);
        *energy += energy_of(g, i);
        g->reserve->leaving[i] = true;
        if (g->sleep != NULL) g->sleep->asleep[i] = false;
    }
    for (size_t n = 0; n < count && g->sleep != NULL; n++) sleep_release(g, index_of[particles[n]]);
    reserve_take(g);
    rebase(g);
    if (g->sleep != NULL) g->sleep->awakened_count = 0;
    g->ending = (ending_state){.idle = 0};
    return gas_find_events(g, e);
}

/* Changes of the state from outside: velocities, particles, settings, tallies.
 *
 * They begin with a re-basing at the present time, which ends all flights and discards all plans. Velocities are then in
 * true units, and the frame of reference is at rest in the box; after the change, it moves with the new centre of mass. */
#include "hard/kernel/edit.h"
#include "hard/kernel/broad/cells.h"
#include "hard/kernel/broad/lists.h"
#include "hard/kernel/clock.h"
#include "hard/kernel/create.h"
#include "hard/kernel/features/features.h"
#include "hard/kernel/features/reserve.h"
#include "hard/kernel/features/sleepers.h"
#include "hard/kernel/features/starts.h"
#include "hard/kernel/features/thermal.h"
#include "hard/kernel/features/thermostat.h"
#include "hard/kernel/images.h"
#include "hard/kernel/load.h"
#include "hard/kernel/parallel/collect.h"
#include "hard/kernel/schedule/rebase.h"
#include "hard/kernel/schedule/run.h"
#include "hard/kernel/schedule/schedule.h"
#include "hard/kernel/schedule/start.h"
#include "hard/kernel/true_place.h"

#include "base/memory.h"
#include "frame/image.h"

/* ---- the state at rest ------------------------------------------------------------------------------------------- */

/* Moves the bodies by the displacement of the frame of reference, and adds its velocity. */
static void stop_frame(gas *g, double time)
{
    const drifted d = drifted_until(g, time);
    for (int k = 0; k < DIM; k++) {
        if (g->drift[k] == 0 && g->fall[k] == 0) continue;
        for (uint32_t i = 0; i < g->count; i++) {
            body *b = &g->body[i];
            b->r[k] += (real)d.rest[k];
            b->v[k] += (real)d.speed[k];
            const real turns = real_floor(b->r[k] * g->inverse_box[k]);
            b->r[k] -= turns * g->box[k];
            image_put(g, i, k, image_moved(image_at(g, i, k), (double)turns + d.boxes[k]));
        }
        g->drift[k] = 0;
    }
    g->frame_since = time;
}

static void settle(gas *g, double time)
{
    /* A search for further events may have passed this time. */
    g->now = later(gas_local_time(g, time), g->last_event);
    rebase(g);
    if (g->scale != 0) rescale(g, -(int)g->scale);
    stop_frame(g, time);
}

/* All sleeping bodies wake up: what carried them may have changed. */
static void wake_all(gas *g)
{
    if (g->sleep == NULL) return;
    for (uint32_t i = 0; i < g->count; i++) {
        g->sleep->asleep[i] = false;
        g->sleep->slow[i] = 0;
    }
    g->sleep->awakened_count = 0;
}

/* The frame of reference moves with the centre of mass again. */
static void leave_rest(gas *g)
{
    real drift[DIM];
    remove_drift(g, drift);
    for (int k = 0; k < DIM; k++) g->drift[k] = (double)drift[k];
    g->far = far_flight(g);
    g->ending = (ending_state){.idle = 0};
    wake_all(g);
    features_rebased(g);
}

/* ---- velocities -------------------------------------------------------------------------------------------------- */

static carom_status gas_set_velocities(void *self, double time, size_t count, const uint32_t *particles,
                                       const double *velocities, error *e)
{
    gas *g = self;
    TRY(crew_unite(g, e));
    uint32_t *index_of = NEW_ARRAY(all_bodies(g), uint32_t);
    if (g->compression != NULL || g->growth != 0 || index_of == NULL) {
        memory_free(index_of);
        if (index_of == NULL) return error_memory(e, "the particles", all_bodies(g) * sizeof *index_of);
        return error_set(e, CAROM_USAGE,
                         "error: velocities cannot be set during a compression, which keeps the temperature of the "
                         "start; set them before, or end the compression");
    }
    settle(g, time);
    for (uint32_t i = 0; i < all_bodies(g); i++) index_of[g->id[i]] = i;
    for (size_t n = 0; n < count; n++) {
        const uint32_t i = index_of[particles[n]];
        if (i >= g->count) continue; /* absent */
        for (int k = 0; k < DIM; k++) g->body[i].v[k] = (real)velocities[n * DIM + (size_t)k];
        g->stall.count[i] = 0;
    }
    memory_free(index_of);
    leave_rest(g);
    return gas_find_events(g, e);
}

/* ---- particles and settings -------------------------------------------------------------------------------------- */

static carom_status check_adoption(const gas *g, const gas *before, bool other_particles, error *e)
{
    const char *unlike = features_unlike(g, before);
    if (before->compression != NULL || before->growth != 0) unlike = "compression";
    if (other_particles && before->shapes != NULL) unlike = "bodies that are not spheres";
    if (other_particles && before->shear != NULL) unlike = "shear";
    if (unlike == NULL && before->shear != NULL && g->settings->shear.rate != before->settings->shear.rate)
        unlike = "shear";
    if (!starts_agree(g->scene, before->scene)) unlike = feature_starts.name;
    if (unlike == NULL) return CAROM_OK;
    return error_set(e, CAROM_USAGE,
                     "error: %s is not possible during a run with this feature of the scene, or would begin or end it: "
                     "%s. Start a new simulation from the present positions",
                     other_particles ? "adding or removing particles" : "this change", unlike);
}

/* source[i]: index in `before` of body i; UINT32_MAX: it is new. */
static carom_status find_sources(const gas *g, const gas *before, const uint32_t *numbers, uint32_t **source, error *e)
{
    uint32_t *index_of = NEW_ARRAY(all_bodies(before), uint32_t), *all = NEW_ARRAY(g->count, uint32_t);
    const bool made = index_of != NULL && all != NULL;
    for (uint32_t j = 0; made && j < before->count; j++) index_of[before->id[j]] = j;
    for (uint32_t i = 0; made && i < g->count; i++) {
        const uint32_t number = numbers != NULL ? numbers[g->id[i]] : g->id[i];
        all[i] = number == UINT32_MAX ? UINT32_MAX : index_of[number];
    }
    memory_free(index_of);
    *source = all;
    return made ? CAROM_OK : error_memory(e, "the particles", g->count * sizeof *all);
}

static void adopt_bodies(gas *g, const gas *before, const uint32_t *source)
{
    for (uint32_t i = 0; i < g->count; i++) {
        body *b = &g->body[i];
        for (int k = 0; k < DIM; k++) b->v[k] += (real)g->drift[k]; /* of its creation */
        if (source[i] == UINT32_MAX) continue;
        const body *from = &before->body[source[i]];
        memcpy(b->r, from->r, sizeof b->r);
        memcpy(b->v, from->v, sizeof b->v);
        for (int k = 0; k < DIM; k++) image_put(g, i, k, image_at(before, source[i], k));
        g->stall.time[i] = before->stall.time[source[i]];
        g->stall.count[i] = before->stall.count[source[i]];
    }
}

static void adopt_clock(gas *g, const gas *before)
{
    g->tallies = before->tallies;
    memcpy(g->events, before->events, sizeof g->events);
    memset(g->drift, 0, sizeof g->drift);
    g->frame_since = before->frame_since;
    g->origin = before->origin;
    g->origin_low = before->origin_low;
    g->base_exponent = before->base_exponent;
    g->stall.any = before->stall.any;
    g->stall.slow_events = before->stall.slow_events;
    g->stall.span = before->stall.span;
}

/* Random numbers depend on the number of a body and a count. With other numbers, no pair of both may repeat. */
static void renumber(uint64_t *counts, uint32_t count)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < count; i++) most = counts[i] > most ? counts[i] : most;
    for (uint32_t i = 0; i < count; i++) counts[i] = most + 1;
}

static carom_status gas_adopt(void *self, void *from, double time, const uint32_t *numbers, error *e)
{
    gas *g = self, *before = from;
    uint32_t *source = NULL;
    TRY(check_adoption(g, before, numbers != NULL, e));
    TRY(crew_unite(before, e));
    TRY(crew_unite(g, e));
    settle(before, time);
    if (g->reserve != NULL) reserve_adopt(g, before);
    TRY(find_sources(g, before, numbers, &source, e));
    adopt_bodies(g, before, source);
    adopt_clock(g, before);
    features_adopt(g, before, source);
    memory_free(source);
    if (numbers != NULL && g->thermostat != NULL) renumber(g->thermostat->kicks, g->count);
    if (numbers != NULL && g->thermal != NULL) renumber(g->thermal->emissions, g->count);
    lists_destroy(g);
    cell_grid_destroy(g);
    schedule_destroy(g);
    leave_rest(g);
    return start(g, e);
}

/* ---- tallies ----------------------------------------------------------------------------------------------------- */

static carom_status gas_record(void *self, double time, unsigned tallies, error *e)
{
    gas *g = self;
    const bool begun = time > 0 || events_total(g->events) > 0;
    g->tally_three_body = g->tally_three_body || (tallies & TALLY_THREE_BODY) != 0;
    TRY(crew_unite(g, e));
    if (tallies & TALLY_CONTACTS) TRY(recorder_log_contacts(g, e));
    if ((tallies & (TALLY_IMPACT | TALLY_TRANSPORT)) == 0) return CAROM_OK;
    if (begun) {
        g->now = later(gas_local_time(g, time), g->last_event);
        rebase(g);
    }
    TRY(features_record(g, tallies, e));
    features_rebased(g);
    return begun ? gas_find_events(g, e) : CAROM_OK;
}

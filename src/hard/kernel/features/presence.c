#include "hard/kernel/features/presence.h"
#include "hard/kernel/clock.h"
#include "hard/kernel/features/feature.h"
#include "hard/kernel/features/meshes.h"

#include "base/memory.h"

static double presence_next(const gas *g)
{
    const gate *first = g->presence != NULL ? gates_first(g->scene, g->presence->gate, g->presence->count) : NULL;
    return first != NULL ? gate_next(g->scene, first) : INFINITY;
}

static bool presence_enabled(const gas *g, const initial_state *state, unsigned tallies)
{
    (void)state;
    (void)tallies;
    return scene_meshes_change(g->scene);
}

static void presence_follow_stages(gas *g)
{
    const struct presence *p = g->presence;
    for (uint32_t k = 0; k < p->count; k++) g->solids->solid[p->gate[k].mesh].absent = gate_is_absent(&p->gate[k]);
}

static carom_status presence_create(gas *g, const initial_state *state, error *e)
{
    (void)state;
    g->presence->gate = NEW_ARRAY(g->scene->mesh_count, gate);
    g->presence->moments = NEW_ARRAY(g->scene->mesh_count, frame_moments);
    if (g->presence->gate == NULL || g->presence->moments == NULL)
        return error_memory(e, "meshes", g->scene->mesh_count * sizeof(gate));
    g->presence->count = gates_begin(g->scene, g->presence->gate);
    presence_follow_stages(g);
    return CAROM_OK;
}

static void presence_destroy(gas *g)
{
    memory_free(g->presence->gate);
    memory_free(g->presence->moments);
}

static void presence_fill_frame(const gas *g, real t, carom_frame *f)
{
    const struct presence *p = g->presence;
    (void)t;
    for (uint32_t k = 0; k < p->count; k++)
        p->moments[k] = (frame_moments){p->gate[k].mesh, p->gate[k].appeared, gate_vanished(&p->gate[k])};
    f->tallies.moments = p->moments;
    f->tallies.moment_count = p->count;
}

static int presence_saved(gas *g, snapshot_part parts[MOST_FEATURE_PARTS])
{
    parts[0] = (snapshot_part){"engine/gates", g->presence->gate, g->presence->count * sizeof *g->presence->gate};
    return 1;
}

static uint64_t presence_hash(const gas *g, uint64_t hash)
{
    return gates_hash(g->presence->gate, g->presence->count, hash);
}

/* The present is known within the rounding of local time. */
static const char *presence_fault(const gas *g)
{
    const double now = gas_true_time(g, g->now), slack = fmax(0x1p-40, 0x1p6 * (double)REAL_GRAIN) * now;
    const char *fault = NULL;
    gate *start = NEW_ARRAY(g->scene->mesh_count, gate);
    if (start == NULL) return "engine/gates";
    (void)gates_begin(g->scene, start);
    for (uint32_t k = 0; k < g->presence->count; k++)
        if (!gate_is_sound(g->scene, &g->presence->gate[k], &start[k], now, slack)) fault = "engine/gates";
    memory_free(start);
    return fault;
}

static const feature feature_presence = {.name = "meshes that appear or vanish",
                                         FEATURE_STATE(presence),
                                         .enabled = presence_enabled,
                                         .create = presence_create,
                                         .destroy = presence_destroy,
                                         .rebased = presence_follow_stages,
                                         .fill_frame = presence_fill_frame,
                                         .saved = presence_saved,
                                         .fault = presence_fault,
                                         .loaded = presence_follow_stages,
                                         .hash = presence_hash};

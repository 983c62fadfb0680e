#include "variational/kernel/features/presence.h"

#include "variational/kernel/broad/clear.h"
#include "variational/kernel/broad/grid.h"
#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/response/contact_end.h"
#include "variational/kernel/schedule/flight_bound.h"
#include "variational/kernel/schedule/pending.h"

#include "base/memory.h"

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static bool presence_enabled(const world *w)
{
    return scene_meshes_change(w->scene);
}

static void follow_stages(world *w)
{
    const struct presence *p = w->presence;
    for (uint32_t k = 0; k < p->count; k++) w->topology.mesh_absent[p->gate[k].mesh] = gate_is_absent(&p->gate[k]);
}

static carom_status check_interval(const world *w, size_t k, const char *key, const scene_moment *m, error *e)
{
    if (m->waits)
        return condition_check_interval(w, scene_at(w->scene, "meshes.%zu.%s.when.every", k, key), m->when.every, e);
    if (m->given && m->every > 0)
        return condition_check_interval(w, scene_at(w->scene, "meshes.%zu.%s.every", k, key), m->every, e);
    return CAROM_OK;
}

static carom_status presence_create(world *w, const initial_state *state, error *e)
{
    struct presence *p = w->presence = NEW_ARRAY(1, struct presence);
    (void)state;
    if (p == NULL) return error_memory(e, "the meshes", sizeof *p);
    p->gate = NEW_ARRAY(w->scene->mesh_count, gate);
    w->topology.mesh_absent = NEW_ARRAY(w->scene->mesh_count, bool);
    p->element = NEW_ARRAY(w->elements, uint32_t);
    p->moments = NEW_ARRAY(w->scene->mesh_count, frame_moments);
    if (p->gate == NULL || w->topology.mesh_absent == NULL || p->element == NULL || p->moments == NULL)
        return error_memory(e, "the meshes", w->elements * sizeof *p->element);
    for (size_t k = 0; k < w->scene->mesh_count; k++) {
        TRY(check_interval(w, k, "appear", &w->scene->meshes[k].appear, e));
        TRY(check_interval(w, k, "vanish", &w->scene->meshes[k].vanish, e));
    }
    p->count = gates_begin(w->scene, p->gate);
    follow_stages(w);
    return CAROM_OK;
}

static void presence_destroy(world *w)
{
    if (w->presence == NULL) return;
    memory_free(w->presence->gate);
    memory_free(w->topology.mesh_absent);
    memory_free(w->presence->element);
    memory_free(w->presence->moments);
    memory_free(w->presence);
}

/* ---- times ------------------------------------------------------------------------------------------------------- */

static double presence_next(const world *w)
{
    const gate *g = w->presence != NULL ? gates_first(w->scene, w->presence->gate, w->presence->count) : NULL;
    return g != NULL ? gate_next(w->scene, g) : INFINITY;
}

/* ---- changes ----------------------------------------------------------------------------------------------------- */

/* The elements of a mesh. Returns their number. */
static uint32_t list_elements(const world *w, const gate *g, uint32_t *element)
{
    uint32_t count = 0;
    for (uint32_t n = 0; n < w->elements; n++)
        if (mesh_of_element(w, n) == g->mesh) element[count++] = n;
    return count;
}

static carom_status renew_elements(world *w, const uint32_t *at, uint32_t count, double t, error *e)
{
    if (w->observer == NULL) TRY(lists_renew(w, at, count, t, e));
    for (uint32_t n = 0; n < count; n++) {
        if (is_part(w, at[n])) continue;
        if (w->observer != NULL)
            w->observer->moved(w, at[n]);
        else
            pending_add(w, at[n], TOLERANCE_TOO_LARGE);
    }
    return w->observer != NULL ? CAROM_OK : flights_update(w, t, e);
}

static carom_status appear(world *w, gate *g, double t, error *e)
{
    const uint32_t *at = w->presence->element, count = list_elements(w, g, w->presence->element);
    bool is_free = true;
    w->topology.mesh_absent[g->mesh] = false;
    for (uint32_t n = 0; n < count && is_free; n++) TRY(element_is_clear(w, at[n], t, &is_free, e));
    w->topology.mesh_absent[g->mesh] = !is_free;
    if (!is_free) return CAROM_OK;
    gate_pass(w->scene, g, t);
    return renew_elements(w, at, count, t, e);
}

static void vanish(world *w, gate *g, double t)
{
    const uint32_t *at = w->presence->element, count = list_elements(w, g, w->presence->element);
    w->topology.mesh_absent[g->mesh] = true;
    w->totals.sum.work -= contacts_end_absent(w, t);
    for (uint32_t n = 0; n < count && w->observer == NULL; n++) lists_remove_untouchable(w, at[n]);
    if (w->observer != NULL) w->observer->pairs_ended(w);
    gate_pass(w->scene, g, t);
}

static carom_status presence_change(world *w, error *e)
{
    gate *g = gates_first(w->scene, w->presence->gate, w->presence->count);
    const scene_moment *m = gate_moment(w->scene, g);
    const double t = gate_next(w->scene, g);
    w->now = w->last_event = t;
    if (!gate_try(w->scene, g, m->waits && condition_is_met(w, &m->when, t))) return CAROM_OK;
    if (g->stage == PRESENCE_AWAITED) return appear(w, g, t, e);
    vanish(w, g, t);
    return CAROM_OK;
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

static int presence_saved(const world *w, snapshot_part parts[FEATURE_ARRAYS])
{
    const struct presence *p = w->presence;
    parts[0] = (snapshot_part){"engine/gates", p->gate, p->count * sizeof *p->gate};
    return 1;
}

static uint64_t presence_hash(const world *w, uint64_t hash)
{
    return gates_hash(w->presence->gate, w->presence->count, hash);
}

static const char *presence_find_unsound(const world *w, void *const before[FEATURE_ARRAYS])
{
    const gate *from = before[0];
    for (uint32_t k = 0; k < w->presence->count; k++)
        if (!gate_is_sound(w->scene, &w->presence->gate[k], &from[k], w->now, 0)) return "engine/gates";
    return NULL;
}

static void presence_fill_frame(const world *w, double t, carom_frame *f)
{
    const struct presence *p = w->presence;
    (void)t;
    for (uint32_t k = 0; k < p->count; k++) {
        const gate *g = &p->gate[k];
        p->moments[k] = (frame_moments){g->mesh, g->appeared, gate_vanished(g)};
    }
    f->tallies.moments = p->moments;
    f->tallies.moment_count = p->count;
}

static const feature presence_feature = {.name = "presence",
                                         .enabled = presence_enabled,
                                         .create = presence_create,
                                         .destroy = presence_destroy,
                                         .saved = presence_saved,
                                         .hash = presence_hash,
                                         .find_unsound = presence_find_unsound,
                                         .loaded = follow_stages,
                                         .fill_frame = presence_fill_frame};

#include "variational/kernel/features/spins.h"

#include "variational/kernel/features/bodies.h"
#include "variational/kernel/narrow/element_kinds.h"
#include "variational/kernel/response/contact_order.h"

#include "base/hash.h"
#include "base/memory.h"
#include "engine/sound.h"

/* ---- motion ------------------------------------------------------------------------------------------------------ */

static double spin_hold(world *w, uint32_t i, double t)
{
    static const double nothing[3];
    spinner *a = &w->spins->node[i];
    if (a->inverse_inertia == 0) return 0;
    spin_up(w, i, nothing, t);
    const double energy = 0.5 * dot3(a->spin, a->spin) / a->inverse_inertia;
    memset(a->spin, 0, sizeof a->spin);
    a->inverse_inertia = 0;
    return energy;
}

static inline double inverse_inertia_of(const world *w, uint32_t element, const double axis[3])
{
    if (element >= w->count) return 0;
    return is_rigid(w, element) ? body_yield(w, element, axis) : w->spins->node[element].inverse_inertia;
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static bool spins_enabled(const world *w)
{
    return w->scene->rough;
}

/* Of a ball that is free, or will be when it enters; otherwise 0. */
static double own_inverse_inertia(const world *w, uint32_t i)
{
    const bool turns = node_is_free(&w->node[i]) || node_is_absent(&w->node[i]);
    if (!turns || is_vertex(w, i) || body_has(w, i)) return 0;
    return 1 / (scene_inertia(w->scene, w->species[i]) * w->mass[i] * w->radius[i] * w->radius[i]);
}

static carom_status spins_create(world *w, const initial_state *state, error *e)
{
    w->spins = NEW_ARRAY(1, struct spins);
    if (w->spins != NULL) w->spins->node = NEW_ARRAY(w->count, spinner);
    if (w->spins == NULL || w->spins->node == NULL) return error_memory(e, "spins", w->count * sizeof(spinner));
    w->totals.ledger.rotation = true;
    for (size_t k = 0; k < w->scene->law_count; k++)
        w->spins->resists = w->spins->resists || restitution_resists_rolling(&w->scene->laws[k]);
    for (uint32_t i = 0; i < w->count; i++) {
        spinner *a = &w->spins->node[i];
        a->inverse_inertia = own_inverse_inertia(w, i);
        if (node_is_free(&w->node[i]) && a->inverse_inertia > 0) memcpy(a->spin, state->spin[w->id[i]], sizeof a->spin);
    }
    return CAROM_OK;
}

static void spins_destroy(world *w)
{
    if (w->spins == NULL) return;
    memory_free(w->spins->node);
    memory_free(w->spins->contact);
    memory_free(w->spins);
}

static bool spins_grow(world *w, uint32_t from, uint32_t capacity)
{
    if (w->spins == NULL) return true;
    contact_spin *more = memory_resize(w->spins->contact, from, capacity, sizeof *more);
    if (more != NULL) w->spins->contact = more;
    return more != NULL;
}

/* ---- frames and checkpoints -------------------------------------------------------------------------------------- */

static void spins_fill_node(const world *w, uint32_t i, carom_frame *f)
{
    const spinner *a = &w->spins->node[i];
    memcpy(&f->spin[3 * (size_t)w->id[i]], a->spin, sizeof a->spin);
    if (clump_yield(w, i) >= 0) body_spin(w, i, &f->spin[3 * (size_t)w->id[i]]);
    f->inertia[w->id[i]] = a->inverse_inertia > 0 ? 1 / a->inverse_inertia : 0;
}

static int spins_saved(const world *w, snapshot_part parts[FEATURE_ARRAYS])
{
    parts[0] = (snapshot_part){"engine/spins", w->spins->node, w->count * sizeof *w->spins->node};
    return 1;
}

static uint64_t spins_hash(const world *w, uint64_t hash)
{
    return hash_bytes(hash, w->spins->node, w->count * sizeof *w->spins->node);
}

/* Moments of inertia follow from the scene: spins_loaded. */
static const char *spins_find_unsound(const world *w, void *const before[FEATURE_ARRAYS])
{
    (void)before;
    for (uint32_t i = 0; i < w->count; i++) {
        const spinner *a = &w->spins->node[i];
        if (!sound_speeds(a->spin, 3) || !sound_numbers(a->turn, 3) || !isfinite(a->t) || a->t > w->now)
            return "engine/spins";
    }
    return NULL;
}

static void spins_loaded(world *w)
{
    for (uint32_t i = 0; i < w->count; i++) w->spins->node[i].inverse_inertia = own_inverse_inertia(w, i);
}

static carom_status spins_save_contacts(const world *w, uint32_t rank_count, snapshot *out, error *e)
{
    if (w->spins == NULL) return CAROM_OK;
    return contacts_put(w, rank_count, "watch/contact_spins", w->spins->contact, sizeof *w->spins->contact, out, e);
}

/* Without resistance to rolling, which a change of the scene may have ended, its springs are not wound. */
static void reset_rolling(world *w, uint32_t index)
{
    contact_spin *s = &w->spins->contact[index];
    if (restitution_resists_rolling(w->contacts.law[w->contacts.contact[index].law].restitution)) return;
    memset(s->bend, 0, sizeof s->bend);
    memset(s->stored, 0, sizeof s->stored);
}

static carom_status spins_load_contacts(world *w, const snapshot *in, size_t count, const uint32_t *loaded, error *e)
{
    if (w->spins == NULL) return CAROM_OK;
    const snapshot_array *stored = snapshot_find(in, "watch/contact_spins");
    if (stored == NULL || stored->type != SNAPSHOT_U8 || stored->count != count * sizeof(contact_spin))
        return sound_not("watch/contact_spins", e);
    const contact_spin *all = stored->data;
    for (size_t k = 0; k < count; k++) {
        if (!sound_numbers((const double *)&all[k], sizeof all[k] / sizeof(double)))
            return sound_not("watch/contact_spins", e);
        w->spins->contact[loaded[k]] = all[k];
        reset_rolling(w, loaded[k]);
    }
    return CAROM_OK;
}

static const feature spins_feature = {.name = "rotation",
                                      .enabled = spins_enabled,
                                      .create = spins_create,
                                      .destroy = spins_destroy,
                                      .saved = spins_saved,
                                      .hash = spins_hash,
                                      .find_unsound = spins_find_unsound,
                                      .loaded = spins_loaded};

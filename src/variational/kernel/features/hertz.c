#include "variational/kernel/features/hertz.h"

#include "variational/kernel/narrow/element_kinds.h"
#include "variational/kernel/response/contact_order.h"
#include "variational/materials.h"

#include "base/memory.h"
#include "base/pi.h"
#include "engine/sound.h"

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static bool hertz_enabled(const world *w)
{
    return HERTZ && scene_is_elastic(w->scene);
}

/* The dashpot that gives a Hertz contact the coefficient of restitution e at any speed (Y. Tsuji, T. Tanaka, T. Ishida,
 * Powder Technol. 71, 239 (1992)), in units of the critical one, along the surfaces as along the normal; at most that of
 * other contacts. */
static double damping_of(double e)
{
    if (e >= 1) return 0;
    if (e <= 0) return FRICTION_DAMPING;
    const double decay = -log(e);
    return lesser(sqrt(5.0 / 6) * decay / sqrt(PI * PI + decay * decay), FRICTION_DAMPING);
}

static carom_status hertz_create(world *w, const initial_state *state, error *e)
{
    (void)state;
    w->hertz = NEW_ARRAY(1, struct hertz);
    if (w->hertz != NULL) w->hertz->damping = NEW_ARRAY(w->scene->law_count, double);
    if (w->hertz == NULL || w->hertz->damping == NULL)
        return error_memory(e, "contact laws", w->scene->law_count * sizeof(double));
    for (size_t k = 0; k < w->scene->law_count; k++) {
        const restitution_law *l = &w->scene->laws[k];
        w->hertz->damping[k] = l->kind == RESTITUTION_CONSTANT ? damping_of(l->value) : -1;
    }
    return CAROM_OK;
}

static void hertz_destroy(world *w)
{
    if (w->hertz == NULL) return;
    memory_free(w->hertz->contact);
    memory_free(w->hertz->damping);
    memory_free(w->hertz);
}

static bool hertz_grow(world *w, uint32_t from, uint32_t capacity)
{
    if (!HERTZ || w->hertz == NULL) return true;
    contact_hertz *more = memory_resize(w->hertz->contact, from, capacity, sizeof *more);
    if (more != NULL) w->hertz->contact = more;
    return more != NULL;
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/* Meshes are flat for balls and rods. In contacts of meshes and surfaces alone their radius is half the thickness. */
static double curvature(const world *w, uint32_t element, bool flat)
{
    return element >= NODES || (flat && is_of_mesh(w, element)) ? 0 : 1 / w->radius[element];
}

static double reduced_curvature(const world *w, uint32_t i, uint32_t partner)
{
    const bool round = !is_of_mesh(w, i) || (partner < NODES && !is_of_mesh(w, partner));
    return curvature(w, i, round) + curvature(w, partner, round);
}

static void hertz_begin(world *w, uint32_t index)
{
    contact_hertz *h = hertz_of(w, index);
    if (h == NULL) return;
    const contact *c = &w->contacts.contact[index];
    const scene *s = w->scene;
    const contact_moduli m = c->j < NODES ? materials_between(s, w->species[c->i], w->species[c->j])
                                          : materials_at_surface(s, w->species[c->i], &s->laws[c->law]);
    const double radius = 1 / reduced_curvature(w, c->i, c->j);
    *h = (contact_hertz){.hardness = materials_stiffness(m, radius, w->choice.eta) / w->choice.stiffness,
                         .shear = 8 * m.shear * sqrt(radius)};
}

static double hertz_pull(contact_hertz *h, double overlap, double stretch[DIM])
{
    const double stiffness = h->shear * sqrt(overlap);
    for (int k = 0; k < DIM && stiffness > h->stiffness; k++) stretch[k] *= h->stiffness / stiffness;
    h->stiffness = stiffness;
    return stiffness;
}

static double hertz_damping(const world *w, const contact *c)
{
    const double known = w->hertz->damping[c->law];
    return known >= 0 ? known : damping_of(c->restitution.ratio);
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

static carom_status hertz_save_contacts(const world *w, uint32_t rank_count, snapshot *out, error *e)
{
    if (!HERTZ || w->hertz == NULL) return CAROM_OK;
    return contacts_put(w, rank_count, "watch/contact_hertz", w->hertz->contact, sizeof *w->hertz->contact, out, e);
}

/* Data that follow from the scene are not read from the checkpoint. */
static carom_status hertz_load_contacts(world *w, const snapshot *in, size_t count, const uint32_t *loaded, error *e)
{
    if (!HERTZ || w->hertz == NULL) return CAROM_OK;
    const snapshot_array *stored = snapshot_find(in, "watch/contact_hertz");
    if (stored == NULL || stored->type != SNAPSHOT_U8 || stored->count != count * sizeof(contact_hertz))
        return sound_not("watch/contact_hertz", e);
    const contact_hertz *all = stored->data;
    for (size_t k = 0; k < count; k++) {
        if (!(all[k].stiffness >= 0) || !isfinite(all[k].stiffness)) return sound_not("watch/contact_hertz", e);
        w->hertz->contact[loaded[k]].stiffness = all[k].stiffness;
    }
    return CAROM_OK;
}

static const feature hertz_feature = {
    .name = "hertz", .enabled = hertz_enabled, .create = hertz_create, .destroy = hertz_destroy};

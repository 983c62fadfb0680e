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
    w->hertz->edge[HERTZ_CELLS] = INFINITY;
    for (int n = HERTZ_CELLS - 1; n > 0; n--)
        w->hertz->edge[n] = n == HERTZ_CELLS - 1 ? HERTZ_NARROWER : HERTZ_NARROWER * w->hertz->edge[n + 1];
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

/* Of a part of the line, from `from` to `to`, in contact up to `end`: the integral of the overlap, over that of the whole. */
static double share_of_load(double from, double to, double end)
{
    const double share = 1.5 * ((to - from) / end - (to * to * to - from * from * from) / (3 * end * end * end));
    return greater(share, 0); /* rounding */
}

/* Returns the energy of a cell. */
static double pull_cell(double s[DIM], const double moved[DIM], const double normal[DIM], double kept, double stiffness,
                        double cap, double force[DIM])
{
    double across = 0, square = 0;
    for (int k = 0; k < DIM; k++) {
        s[k] = kept * s[k] + moved[k];
        across += s[k] * normal[k];
    }
    for (int k = 0; k < DIM; k++) {
        s[k] -= across * normal[k];
        square += s[k] * s[k];
    }
    const double pull = stiffness * sqrt(square), part = pull > cap ? cap / pull : 1;
    for (int k = 0; k < DIM; k++) {
        s[k] *= part;
        force[k] -= stiffness * s[k];
    }
    return 0.5 * stiffness * square * part * part;
}

static double hertz_pull(const world *w, contact_hertz *h, bool begins, const double place[DIM],
                         const double normal[DIM], double overlap, double cap, double force[DIM], double *stored)
{
    const double *edge = w->hertz->edge;
    const double end = sqrt(overlap / w->choice.eta), stiffness = h->shear * sqrt(overlap);
    double moved[DIM];
    if (begins) memset(h->stretch, 0, sizeof h->stretch);
    for (int k = 0; k < DIM; k++) {
        moved[k] = begins ? 0 : place[k] - h->place[k];
        force[k] = 0;
        h->place[k] = place[k];
    }
    *stored = 0;
    for (int n = 0; n < HERTZ_CELLS; n++) {
        if (edge[n] >= end) {
            if (edge[n] >= h->radius) break;
            memset(h->stretch[n], 0, sizeof h->stretch[n]);
            continue;
        }
        const double to = lesser(edge[n + 1], end), before = lesser(edge[n + 1], h->radius) - edge[n],
                     now = to - edge[n];
        const double kept = before < now ? greater(before, 0) / now : 1;
        *stored += pull_cell(h->stretch[n], moved, normal, kept, stiffness * (now / end),
                             cap * share_of_load(edge[n], to, end), force);
    }
    h->radius = end;
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
        contact_hertz *h = &w->hertz->contact[loaded[k]];
        const contact_hertz begun = *h;
        if (!sound_numbers((const double *)&all[k], sizeof all[k] / sizeof(double)) || all[k].radius < 0)
            return sound_not("watch/contact_hertz", e);
        *h = all[k];
        h->hardness = begun.hardness;
        h->shear = begun.shear;
    }
    return CAROM_OK;
}

static const feature hertz_feature = {
    .name = "hertz", .enabled = hertz_enabled, .create = hertz_create, .destroy = hertz_destroy};

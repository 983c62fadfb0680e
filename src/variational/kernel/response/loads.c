/* Impulses of contacts, and their entries in the contact log. */
#include "variational/kernel/response/loads.h"

#include "variational/kernel/features/bodies.h"
#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/response/contact_order.h"

#include "base/memory.h"
#include "engine/sound.h"

static carom_status loads_create(world *w, unsigned tallies, error *e)
{
    if ((tallies & TALLY_CONTACTS) == 0 || w->loads != NULL) return CAROM_OK;
    loads *made = NEW_ARRAY(1, loads);
    if (made != NULL) made->at = NEW_ARRAY(w->contacts.contact_capacity, load);
    if (made == NULL || made->at == NULL) {
        memory_free(made);
        return error_memory(e, "the impulses of contacts", w->contacts.contact_capacity * sizeof(load));
    }
    w->loads = made;
    return CAROM_OK;
}

static carom_status world_request(void *self, double time, unsigned tallies, error *e)
{
    (void)time;
    return loads_create(self, tallies, e);
}

static void loads_destroy(world *w)
{
    if (w->loads == NULL) return;
    contact_log_free(&w->loads->log);
    memory_free(w->loads->at);
    memory_free(w->loads);
    w->loads = NULL;
}

static bool loads_grow(world *w, uint32_t from, uint32_t capacity)
{
    if (w->loads == NULL) return true;
    load *more = memory_resize(w->loads->at, from, capacity, sizeof *more);
    if (more != NULL) w->loads->at = more;
    return more != NULL;
}

static bool load_is_of_grain(const world *w, uint32_t element)
{
    return element < w->count && (w->topology.mesh_of == NULL || w->topology.mesh_of[element] == NONE);
}

/* Extends a branch from spheres of clumps to the centres of the clumps. */
static void load_extend(const world *w, const contact *c, double t, double r[DIM])
{
    double arm[3];
    if (w->rigid.bodies == NULL) return;
    if (load_is_of_grain(w, c->i) && clump_arm(w, c->i, t, arm))
        for (int k = 0; k < DIM; k++) r[k] -= arm[k];
    if (c->j < NODES && load_is_of_grain(w, c->j) && clump_arm(w, c->j, t, arm))
        for (int k = 0; k < DIM; k++) r[k] += arm[k];
}

static void load_add(world *w, uint32_t index, const double impulse[DIM], const double r[DIM], double t)
{
    load *m = &w->loads->at[index];
    const contact *c = &w->contacts.contact[index];
    double branch[DIM] = {0};
    if (c->j < NODES) memcpy(branch, r, sizeof branch);
    load_extend(w, c, t, branch);
    m->acts = true;
    for (int a = 0; a < DIM; a++) {
        m->impulse[a] += impulse[a];
        for (int b = 0; b < DIM; b++) m->product[a][b] += impulse[a] * branch[b];
    }
}

/* The line of a contact: from its partner, or from the nearest point of a boundary, to element i. */
static void load_line(const world *w, const contact *c, double t, double r[DIM])
{
    double x[DIM], y[DIM], share[2][3];
    if (c->linked && c->j < NODES) {
        closest(w, c->i, c->j, t, false, r, share);
        return;
    }
    node_place(w, c->i, t, x);
    if (c->j < NODES) {
        node_place(w, c->j, t, y);
        for (int k = 0; k < DIM; k++) r[k] = x[k] - y[k];
        nearest_image(w, r);
        return;
    }
    const surface *s = &w->domain.surface[c->j - NODES];
    surface_at(s, t, y);
    for (int k = 0; k < DIM; k++) x[k] -= y[k];
    const double distance = dot(x, s->normal);
    for (int k = 0; k < DIM; k++) r[k] = distance * s->normal[k];
}

static void load_enter(world *w, const contact *c, const load *m, double t)
{
    const bool first = load_is_of_grain(w, c->i), second = c->j < NODES && load_is_of_grain(w, c->j);
    const uint32_t of = first ? c->i : c->j, partner = first && second ? c->j : of;
    double x[DIM], r[DIM], branch[DIM], arm[3];
    if (!first && !second) return;
    node_place(w, of, t, x);
    if (clump_arm(w, of, t, arm))
        for (int k = 0; k < DIM; k++) x[k] -= arm[k];
    load_line(w, c, t, r);
    memcpy(branch, r, sizeof branch);
    load_extend(w, c, t, branch);
    contact_impulse out = {.i = w->id[of],
                           .j = first && second ? w->id[partner] : CONTACT_BOUNDARY,
                           .species = {w->species[of], w->species[partner]},
                           .boundary = first && second ? 0
                                       : first         ? c->j
                                                       : c->i};
    for (int a = 0; a < DIM; a++) {
        out.place[a] = x[a] - floor(x[a] * w->domain.inverse_box[a]) * w->domain.box[a];
        out.line[a] = first ? r[a] : -r[a];
        out.branch[a] = first ? branch[a] : -branch[a];
        out.impulse[a] = first ? m->impulse[a] : -m->impulse[a];
        for (int b = 0; b < DIM; b++) out.product[a][b] = m->product[a][b];
        for (int b = 0; c->j >= NODES && b < DIM; b++) out.product[a][b] += m->impulse[a] * r[b];
    }
    contact_log_append(&w->loads->log, &out);
}

static void load_take(world *w, uint32_t index, double t)
{
    load *m = &w->loads->at[index];
    if (m->acts) load_enter(w, &w->contacts.contact[index], m, t);
    *m = (load){.acts = false};
}

static void load_end(world *w, uint32_t index)
{
    load_take(w, index, w->now);
}

static contact_log *world_take_contacts(void *self, double time, bool lasting)
{
    world *w = self;
    if (w->loads == NULL) return NULL;
    const uint32_t count = lasting ? contacts_rank(w) : 0;
    for (uint32_t k = 0; k < count; k++) load_take(w, w->contacts.ranked[k].contact, time);
    return &w->loads->log;
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

static carom_status loads_save(const world *w, uint32_t rank_count, snapshot *out, error *e)
{
    if (w->loads == NULL) return CAROM_OK;
    return contacts_put(w, rank_count, "watch/loads", w->loads->at, sizeof *w->loads->at, out, e);
}

static carom_status loads_load(world *w, const snapshot *in, size_t count, const uint32_t *loaded, error *e)
{
    const snapshot_array *stored = snapshot_find(in, "watch/loads");
    if (w->loads == NULL) return CAROM_OK;
    memset(w->loads->at, 0, w->contacts.contact_capacity * sizeof *w->loads->at);
    if (stored == NULL) return CAROM_OK;
    if (stored->type != SNAPSHOT_U8 || stored->count != count * sizeof(load)) return sound_not("watch/loads", e);
    const load *all = stored->data;
    for (size_t k = 0; k < count; k++) {
        const load *m = &all[k];
        if (!sound_numbers(m->impulse, DIM) || !sound_numbers(&m->product[0][0], DIM * DIM) ||
            !sound_flags(&m->acts, 1))
            return sound_not("watch/loads", e);
        w->loads->at[loaded[k]] = *m;
    }
    return CAROM_OK;
}

/* Shells as a feature: energy, checkpoints, and functions for the core. */
#include "variational/kernel/features/shells_plates.h"
#include "variational/kernel/narrow/elements.h"

#include "base/hash.h"
#include "engine/sound.h"

/* ---- energy ------------------------------------------------------------------------------------------------------ */

static void place_local(const world *w, const shell_class *c, uint32_t local, double t, vector3 x)
{
    x[2] = 0;
    node_place(w, c->set.node[local], t, x);
}

static void shells_energy(const world *w, double t, double *stretched, double *bent)
{
    const shells *s = w->shells;
    vector3 x[4];
    hinge_shape shape;
    *stretched = *bent = 0;
    for (uint32_t k = 0; k < s->class_count; k++) {
        const shell_class *c = &s->class[k];
        for (uint32_t n = 0; n < c->set.triangle_count; n++) {
            for (int q = 0; q < 3; q++) place_local(w, c, c->set.triangle[n].at[q], t, x[q]);
            const shell_membrane linear = {0}, *membrane = c->set.membrane != NULL ? &c->set.membrane[n] : &linear;
            *stretched += membrane_energy(membrane, &c->set.triangle[n], x[0], x[1], x[2]);
        }
        for (uint32_t n = 0; n < c->set.hinge_count; n++) {
            const shell_hinge *h = &c->set.hinge[n];
            for (int q = 0; q < 4; q++) place_local(w, c, h->at[q], t, x[q]);
            double off = 0;
            if (hinge_look(x[0], x[1], x[2], x[3], &shape)) off = angle_from(hinge_angle(&shape), h->rest);
            if (c->plate_count > 0) s->off[n] = off;
            if (!h->plate) *bent += h->stiff * off * off;
        }
        if (c->plate_count > 0) *bent += plates_energy(w, c);
    }
}

static void shells_fill_frame(const world *w, double t, carom_frame *f)
{
    if (w->shells != NULL) shells_energy(w, t, &f->tallies.ledger.stretch, &f->tallies.ledger.bend);
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

/* With plastic bending the hinges are part of the state; with dissipative contacts the last kicks. */
static int shells_saved(const world *w, snapshot_part parts[FEATURE_ARRAYS])
{
    shells *s = w->shells;
    int n = 0;
    if (s != NULL && s->plastic)
        parts[n++] = (snapshot_part){"engine/hinges", s->hinge, s->hinge_count * sizeof *s->hinge};
    if (s == NULL || s->kick == NULL) return n;
    parts[n++] = (snapshot_part){"engine/kicks", s->kick, s->kick_count * sizeof *s->kick};
    parts[n++] = (snapshot_part){"engine/middles", s->middle, sizeof s->middle};
    return n;
}

static uint64_t shells_hash(const world *w, uint64_t hash)
{
    const shells *s = w->shells;
    return s != NULL && s->plastic ? hash_bytes(hash, s->hinge, s->hinge_count * sizeof *s->hinge) : hash;
}

static bool hinges_are_sound(const shells *s, const shell_hinge *known)
{
    for (uint32_t k = 0; k < s->hinge_count; k++) {
        shell_hinge one = s->hinge[k];
        if (!isfinite(one.rest) || !(one.yield >= known[k].yield)) return false;
        if (isinf(one.yield) && !isinf(known[k].yield)) return false;
        one.rest = known[k].rest; /* plastic bending changes `rest` and `yield` only */
        one.yield = known[k].yield;
        if (!sound_same(&one, &known[k], sizeof one)) return false;
    }
    return true;
}

static const char *shells_find_unsound(const world *w, void *const before[FEATURE_ARRAYS])
{
    const shells *s = w->shells;
    if (s == NULL) return NULL;
    if (s->plastic && !hinges_are_sound(s, before[0])) return "engine/hinges";
    if (s->kick == NULL) return NULL;
    const bool sound = sound_numbers(&s->kick[0][0], 3 * s->kick_count) && sound_numbers(s->middle, SHELL_CLASSES);
    return sound ? NULL : "engine/hinges";
}

/* ------------------------------------------------------------------------------------------------------------------ */

static bool shells_enabled(const world *w)
{
    return w->scene->mesh_count > 0;
}

static carom_status shells_create(world *w, const initial_state *state, error *e)
{
    shell_draft d = {0};
    if (state->mesh_count == 0) return CAROM_OK;
    w->totals.ledger.shells = true;
    carom_status status = shell_draft_elements(w, &d, state, e);
    if (status == CAROM_OK && d.triangle_count + d.hinge_count > 0) status = make_shells(w, &d, e);
    shell_draft_free(&d);
    return status;
}

static void free_lists(shell_set *set)
{
    for (uint32_t n = 0; n < set->part_count; n++) {
        memory_free(set->part[n].triangles.before);
        memory_free(set->part[n].hinges.before);
    }
    memory_free(set->part);
    memory_free(set->node);
}

static void shells_destroy(world *w)
{
    shells *s = w->shells;
    if (s == NULL) return;
    for (uint32_t k = 0; k < SHELL_CLASSES; k++) {
        shell_class *c = &s->class[k];
        free_lists(&c->set);
        for (uint32_t g = 0; g < DAMPING_GROUPS; g++) {
            free_lists(&c->group[g].set);
            memory_free(c->group[g].set.triangle);
            memory_free(c->group[g].set.hinge);
            memory_free(c->group[g].membrane);
            memory_free(c->group[g].hinge_of);
        }
    }
    memory_free(s->triangle);
    memory_free(s->membrane);
    memory_free(s->hinge);
    memory_free(s->at);
    memory_free(s->force);
    memory_free(s->stage_force);
    memory_free(s->moment);
    memory_free(s->drag);
    memory_free(s->lost);
    memory_free(s->plate);
    memory_free(s->yield);
    memory_free(s->yield_parts);
    memory_free(s->flow);
    memory_free(s->row_flow);
    memory_free(s->off);
    memory_free(s->plate_state);
    memory_free(s->damped);
    memory_free(s->stage);
    memory_free(s->gradient);
    memory_free(s->kick);
    memory_free(s->first_seat);
    memory_free(s->seat);
    memory_free(s);
}

static const feature shells_feature = {.name = "shells",
                                       .enabled = shells_enabled,
                                       .create = shells_create,
                                       .destroy = shells_destroy,
                                       .fire = shells_fire,
                                       .saved = shells_saved,
                                       .hash = shells_hash,
                                       .find_unsound = shells_find_unsound,
                                       .fill_frame = shells_fill_frame,
                                       .steps = shells_steps};

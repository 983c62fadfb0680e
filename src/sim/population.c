/* States whose particles are not those of the scene, after particles have been added or removed. */
#include "sim/sim.h"

#include "base/memory.h"
#include "base/periodic.h"
#include "neighbors/packing.h"
#include "scene/exact.h"
#include "scene/planes.h"
#include "scene/scale.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the present state as an initial state ----------------------------------------------------------------------- */

/* Meshes and drives of the scene, with its own particles; without meshes, drives alone. */
static carom_status scenery(const scene *s, initial_state *out, error *e)
{
    if (s->mesh_count > 0) return state_create(out, s, e);
    *out = (initial_state){.drives = NEW_ARRAY(s->drive_count, state_list), .drive_count = s->drive_count};
    if (out->drives != NULL) return CAROM_OK;
    out->drive_count = 0;
    return error_memory(e, "drives", s->drive_count * sizeof *out->drives);
}

/* Makes room for `count` particles before the vertices. */
static bool resize(initial_state *out, size_t count, const scene *s)
{
    const size_t before = state_particles(out), vertices = out->count - before, all = count + vertices;
    initial_state to = {.position = memory_new(all, sizeof *to.position),
                        .velocity = memory_new(all, sizeof *to.velocity),
                        .spin = s->rough ? memory_new(all, sizeof *to.spin) : NULL,
                        .axis = s->shaped ? memory_new(all, sizeof *to.axis) : NULL,
                        .species = NEW_ARRAY(all, uint32_t),
                        .diameter = NEW_ARRAY(all, double),
                        .mass = NEW_ARRAY(all, double)};
    const bool made = to.position != NULL && to.velocity != NULL && (!s->rough || to.spin != NULL) &&
                      (!s->shaped || to.axis != NULL) && to.species != NULL && to.diameter != NULL && to.mass != NULL;
    if (made && vertices > 0) {
        memcpy(to.position + count, out->position + before, vertices * sizeof *to.position);
        memcpy(to.velocity + count, out->velocity + before, vertices * sizeof *to.velocity);
        memcpy(to.species + count, out->species + before, vertices * sizeof *to.species);
        memcpy(to.diameter + count, out->diameter + before, vertices * sizeof *to.diameter);
        memcpy(to.mass + count, out->mass + before, vertices * sizeof *to.mass);
    }
    for (size_t k = 0; made && out->mesh_count > 0 && k <= out->mesh_count; k++)
        out->mesh_first[k] = out->mesh_first[k] - before + count;
    memory_free(out->position);
    memory_free(out->velocity);
    memory_free(out->spin);
    memory_free(out->axis);
    memory_free(out->species);
    memory_free(out->diameter);
    memory_free(out->mass);
    out->position = to.position;
    out->velocity = to.velocity;
    out->spin = to.spin;
    out->axis = to.axis;
    for (size_t i = 0; to.axis != NULL && i < all; i++) to.axis[i][0] = 1;
    out->species = to.species;
    out->diameter = to.diameter;
    out->mass = to.mass;
    out->count = all;
    out->compress_to = 0;
    memory_free(out->absent); /* at the start */
    out->absent = NULL;
    return made;
}

static void fill_particle(const carom_frame *f, size_t i, initial_state *out)
{
    const size_t d = (size_t)f->dimension;
    for (size_t k = 0; k < d; k++) {
        out->position[i][k] = f->position[i * d + k];
        out->velocity[i][k] = frame_true(f, f->velocity[i * d + k]);
    }
    for (size_t k = 0; out->spin != NULL && k < 3; k++)
        out->spin[i][k] = f->spin != NULL ? frame_true(f, f->spin[3 * i + k]) : 0;
    if (out->axis != NULL && f->axis != NULL) memcpy(out->axis[i], f->axis + 3 * i, sizeof out->axis[i]);
    out->species[i] = f->species[i];
    out->diameter[i] = 2 * f->radius[i];
    out->mass[i] = f->mass[i];
}

carom_status population_state(const carom_sim *sim, const scene *s, size_t more, initial_state *out, error *e)
{
    const carom_frame *f = &sim->frame;
    const size_t particles = frame_particles(f);
    frame_need(f, FRAME_ALL & ~FRAME_HASH);
    TRY(scenery(s, out, e));
    if (!resize(out, particles + more, s)) {
        state_free(out);
        return error_memory(e, "the state", (particles + more) * 9 * sizeof(double));
    }
    memcpy(out->size, f->box, sizeof out->size);
    for (size_t i = 0; i < particles; i++) fill_particle(f, i, out);
    return CAROM_OK;
}

/* ---- saved states ------------------------------------------------------------------------------------------------ */

carom_status population_save(const carom_sim *sim, snapshot *out, error *e)
{
    initial_state now;
    if (sim->changes.ids == NULL) return CAROM_OK;
    TRY(population_state(sim, sim->scene, 0, &now, e));
    const size_t n = frame_particles(&sim->frame);
    carom_status status = snapshot_put(out, "population/next", SNAPSHOT_U32, 1, &sim->changes.next_id, e);
    if (status == CAROM_OK) status = snapshot_put(out, "population/id", SNAPSHOT_U32, n, sim->changes.ids, e);
    if (status == CAROM_OK) status = snapshot_put(out, "population/species", SNAPSHOT_U32, n, now.species, e);
    if (status == CAROM_OK) status = snapshot_put(out, "population/diameter", SNAPSHOT_F64, n, now.diameter, e);
    if (status == CAROM_OK) status = snapshot_put(out, "population/mass", SNAPSHOT_F64, n, now.mass, e);
    if (status == CAROM_OK) status = snapshot_put(out, "population/position", SNAPSHOT_F64, 3 * n, now.position, e);
    if (status == CAROM_OK) status = snapshot_put(out, "population/velocity", SNAPSHOT_F64, 3 * n, now.velocity, e);
    if (status == CAROM_OK) status = snapshot_put(out, "population/size", SNAPSHOT_F64, 3, now.size, e);
    state_free(&now);
    return status;
}

static carom_status get_arrays(carom_sim *sim, const snapshot *in, initial_state *out, size_t n, error *e)
{
    TRY(snapshot_get(in, "population/next", SNAPSHOT_U32, 1, &sim->changes.next_id, e));
    TRY(snapshot_get(in, "population/id", SNAPSHOT_U32, n, sim->changes.ids, e));
    TRY(snapshot_get(in, "population/species", SNAPSHOT_U32, n, out->species, e));
    TRY(snapshot_get(in, "population/diameter", SNAPSHOT_F64, n, out->diameter, e));
    TRY(snapshot_get(in, "population/mass", SNAPSHOT_F64, n, out->mass, e));
    TRY(snapshot_get(in, "population/position", SNAPSHOT_F64, 3 * n, out->position, e));
    TRY(snapshot_get(in, "population/velocity", SNAPSHOT_F64, 3 * n, out->velocity, e));
    return snapshot_get(in, "population/size", SNAPSHOT_F64, 3, out->size, e);
}

/* The checksum of a file shows that it is complete, not that its numbers are valid. */
static bool is_sound(const carom_sim *sim, const initial_state *state, size_t n)
{
    for (int k = 0; k < sim->scene->dimension; k++)
        if (!(state->size[k] > 0) || !isfinite(state->size[k])) return false;
    for (size_t i = 0; i < n; i++) {
        const double *r = state->position[i], *v = state->velocity[i];
        if (state->species[i] >= sim->scene->species_count || !(state->diameter[i] > 0) || !(state->mass[i] > 0) ||
            !isfinite(state->diameter[i]) || !isfinite(state->mass[i]) || sim->changes.ids[i] >= sim->changes.next_id ||
            (i > 0 && sim->changes.ids[i] <= sim->changes.ids[i - 1]))
            return false;
        for (int k = 0; k < 3; k++)
            if (!(fabs(r[k]) < 1e300) || !(fabs(v[k]) < 1e100)) return false;
    }
    return true;
}

carom_status population_load(carom_sim *sim, const snapshot *in, initial_state *out, error *e)
{
    const snapshot_array *ids = snapshot_find(in, "population/id");
    *out = (initial_state){0};
    if (ids == NULL) return CAROM_OK;
    sim->changes.ids = NEW_ARRAY(ids->count, uint32_t);
    if (sim->changes.ids == NULL) return error_memory(e, "the ids", ids->count * sizeof(uint32_t));
    TRY(scenery(sim->scene, out, e));
    if (!resize(out, ids->count, sim->scene)) return error_memory(e, "the state", ids->count * sizeof(double));
    TRY(get_arrays(sim, in, out, ids->count, e));
    if (is_sound(sim, out, ids->count)) return CAROM_OK;
    return error_set(e, CAROM_BAD_DATA, "error: 'population' of the saved state contains invalid values");
}

/* ---- checks of added particles ----------------------------------------------------------------------------------- */

enum { NAMED = 5 }; /* most faults in one message */

static carom_status outside(size_t i, const initial_state *state, size_t first, const char *what, error *e)
{
    const double *r = state->position[i];
    return error_add(e, CAROM_BAD_DATA, "error: added particle %zu at (%.9g, %.9g, %.9g), diameter %.6g, %s", i - first,
                     r[0], r[1], r[2], state->diameter[i], what);
}

static void check_surfaces(const carom_sim *sim, const initial_state *state, size_t i, size_t first, error *e)
{
    const scene *s = sim->scene;
    const double *r = state->position[i], radius = 0.5 * state->diameter[i], slack = 1e-12 * radius;
    char text[160];
    double moved[3];
    for (int k = 0; k < s->dimension; k++)
        if (s->box.boundary[k] == BOUNDARY_WALL && (r[k] < radius - slack || r[k] > state->size[k] - radius + slack)) {
            outside(i, state, first, "is outside the walls of the box", e);
            return;
        }
    for (size_t p = 0; p < s->plane_count; p++) {
        scene_plane_moved(s, p, sim->time, moved);
        if (scene_plane_height(&s->planes[p], moved, r) >= radius - slack) continue;
        snprintf(text, sizeof text, "is outside plane %.100s", s->planes[p].name);
        outside(i, state, first, text, e);
    }
    for (size_t n = 0; n < scene_exact_count(s); n++) {
        const scene_exact one = scene_exact_at(s, n);
        scene_exact_moved(s, n, sim->time, moved);
        if (scene_exact_height(&one, moved, r) >= radius - slack) continue;
        snprintf(text, sizeof text, "is outside %s %.100s", one.kind->name, scene_exact_name(s, n));
        outside(i, state, first, text, e);
    }
}

static bool is_valid(const carom_sim *sim, const initial_state *state, size_t i)
{
    bool good = scale_fits(&scales[SCALE_LENGTH], state->diameter[i]) && state->diameter[i] > 0;
    for (int k = 0; k < sim->scene->dimension; k++) {
        const bool periodic = sim->scene->box.boundary[k] == BOUNDARY_PERIODIC;
        const double farthest = periodic ? SCALE_IMAGES * state->size[k] : SCALE_LENGTHS * state->diameter[i];
        good = good && fabs(state->position[i][k]) <= farthest && isfinite(state->velocity[i][k]) &&
               scale_fits_component(&scales[SCALE_SPEED], state->velocity[i][k]);
        good = good && (!periodic || state->size[k] >= SCALE_PERIODIC * state->diameter[i]);
    }
    for (int k = 0; state->spin != NULL && k < 3; k++)
        good = good && scale_fits_component(&scales[SCALE_RATE], state->spin[i][k]);
    return good;
}

typedef struct overlap_search {
    const carom_sim *sim;
    size_t first;
    size_t found;
    packing_pair pairs[NAMED];
} overlap_search;

/* Particles that are not new may overlap by rounding. */
static bool note_overlap(const packing_pair *pair, void *user)
{
    overlap_search *o = user;
    if (pair->j < o->first) return true;
    packing_keep(o->pairs, NAMED, o->found, *pair);
    return ++o->found < PACKING_MANY;
}

static carom_status check_overlaps(const carom_sim *sim, const initial_state *state, size_t first, error *e)
{
    overlap_search o = {.sim = sim, .first = first};
    cells_box box = {.dimension = sim->scene->dimension};
    for (int k = 0; k < box.dimension; k++) {
        box.size[k] = state->size[k];
        box.periodic[k] = sim->scene->box.boundary[k] == BOUNDARY_PERIODIC;
    }
    TRY(packing_pairs(&box, state_particles(state), (const double(*)[3])state->position, state->diameter, 1,
                      note_overlap, &o, e));
    for (size_t n = 0; n < o.found && n < NAMED; n++) {
        const packing_pair *p = &o.pairs[n];
        char other[64];
        if (p->i >= first)
            snprintf(other, sizeof other, "added particle %zu", p->i - first);
        else
            snprintf(other, sizeof other, "the particle with id %u", sim->frame.id[p->i]);
        error_add(e, CAROM_BAD_DATA,
                  "error: added particle %zu overlaps %s: their distance is %.10g, contact is at %.10g", p->j - first,
                  other, p->distance, p->contact);
    }
    if (o.found > NAMED) error_add(e, CAROM_BAD_DATA, "error: %zu pairs overlap in all", o.found);
    return e->status;
}

static void move_into_box(const carom_sim *sim, initial_state *state, size_t i)
{
    for (int k = 0; k < sim->scene->dimension; k++)
        if (sim->scene->box.boundary[k] == BOUNDARY_PERIODIC)
            state->position[i][k] = periodic_image(state->position[i][k], state->size[k]);
}

carom_status population_place(const carom_sim *sim, initial_state *state, size_t first, error *e)
{
    const size_t count = state_particles(state);
    error_clear(e);
    for (size_t i = first; i < count; i++)
        if (!is_valid(sim, state, i))
            return outside(i, state, first,
                           "has a size, position, velocity or angular velocity out of range: positions must be finite "
                           "and near the box, sizes positive and small enough for the box",
                           e);
    for (size_t i = first; i < count; i++) move_into_box(sim, state, i);
    size_t faults = 0;
    for (size_t i = first; i < count && faults < NAMED; i++) {
        const size_t before = e->length;
        check_surfaces(sim, state, i, first, e);
        faults += e->length > before;
    }
    return e->status == CAROM_OK ? check_overlaps(sim, state, first, e) : e->status;
}

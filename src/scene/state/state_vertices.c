/* Vertices of meshes as particles, and driven particles. */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "scene/exact.h"
#include "scene/state/build.h"

/* ---- Vertices ---- */

void state_name(const initial_state *state, const scene *s, size_t particle, char *out, size_t length)
{
    size_t k = 0;
    while (k < state->mesh_count && particle >= state->mesh_first[k + 1]) k++;
    if (k < state->mesh_count && particle >= state->mesh_first[k])
        snprintf(out, length, "vertex %zu of mesh '%s'", particle - state->mesh_first[k], s->meshes[k].name);
    else
        snprintf(out, length, "particle %zu", particle);
}

static void place_vertices(const build *b, size_t k)
{
    initial_state *state = b->state;
    const scene_mesh *from = &b->s->meshes[k];
    const mesh *m = &state->meshes[k];
    for (size_t n = 0; n < m->vertex_count; n++) {
        size_t i = state->mesh_first[k] + n;
        for (int c = 0; c < 3; c++) {
            state->position[i][c] = m->vertices[n][c];
            state->velocity[i][c] = from->velocity[c];
        }
        state->species[i] = from->species;
        state->diameter[i] = from->thickness;
    }
}

/* Each triangle contributes a third of its mass. */
static void weigh_vertices(const build *b, size_t k)
{
    const scene_mesh *from = &b->s->meshes[k];
    const mesh *m = &b->state->meshes[k];
    double *mass = b->state->mass + b->state->mesh_first[k];
    for (size_t n = 0; n < m->triangle_count; n++) {
        const uint32_t *at = m->triangles[n];
        double d[3], f[3];
        for (int c = 0; c < 3; c++) {
            d[c] = m->vertices[at[1]][c] - m->vertices[at[0]][c];
            f[c] = m->vertices[at[2]][c] - m->vertices[at[0]][c];
        }
        double x = d[1] * f[2] - d[2] * f[1], y = d[2] * f[0] - d[0] * f[2], z = d[0] * f[1] - d[1] * f[0];
        double third = from->density * from->thickness * sqrt(x * x + y * y + z * z) / 6;
        for (int c = 0; c < 3; c++) mass[at[c]] += third;
    }
}

carom_status build_vertices(const build *b, error *e)
{
    bool any = false;
    for (size_t k = 0; k < b->s->mesh_count; k++) {
        if (b->state->mesh_first[k] == b->state->mesh_first[k + 1]) continue;
        any = true;
        place_vertices(b, k);
        weigh_vertices(b, k);
    }
    if (any && b->scale < 1)
        return scene_refuse(scene_at_compression(b->s), e,
                            "compression changes the positions of particles: with meshes use another `place`");
    return CAROM_OK;
}

/* ---- Chosen vertices ---- */

/* An item of a list of the scene that chooses vertices of a mesh. */
typedef struct chooser {
    const char *what, *list, *name; /* "drive", "drives" */
    size_t number, mesh;
    const uint32_t *listed; /* [count]; NULL: all vertices */
    size_t count;
    const scene_within *within;
} chooser;

static bool is_within(const scene_within *box, const double r[3])
{
    for (int k = 0; k < 3 && box->given; k++)
        if (r[k] < box->lowest[k] || r[k] > box->highest[k]) return false;
    return true;
}

static carom_status refuse_chooser(const build *b, const chooser *c, const char *key, const char *what, error *e)
{
    return scene_refuse(scene_at(b->s, "%s.%zu.%s", c->list, c->number, key), e, "%s '%s': mesh '%s' %s", c->what,
                        c->name, b->s->meshes[c->mesh].name, what);
}

/* No vertex, or none of the listed ones, is in the box. */
static carom_status refuse_within(const build *b, const chooser *c, error *e)
{
    const mesh *m = &b->state->meshes[c->mesh];
    const char *which = c->listed != NULL ? "none of these vertices" : "no vertex";
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t n = 0; n < (c->listed != NULL ? c->count : m->vertex_count); n++)
        for (int k = 0; k < 3; k++) {
            const double x = m->vertices[c->listed != NULL ? c->listed[n] : n][k];
            low[k] = fmin(low[k], x);
            high[k] = fmax(high[k], x);
        }
    return scene_refuse(scene_at(b->s, "%s.%zu.within", c->list, c->number), e,
                        "%s '%s': mesh '%s' has %s in the box 'within'" HINT
                        "move or enlarge the box: they lie between (%.6g, %.6g, %.6g) and (%.6g, %.6g, %.6g)",
                        c->what, c->name, b->s->meshes[c->mesh].name, which, low[0], low[1], low[2], high[0], high[1],
                        high[2]);
}

static carom_status choose_vertices(const build *b, const chooser *c, state_list *out, error *e)
{
    const scene_mesh *from = &b->s->meshes[c->mesh];
    const mesh *m = &b->state->meshes[c->mesh];
    const size_t listed = c->listed != NULL ? c->count : m->vertex_count;
    if (!(from->thickness > 0) && !from->rigid)
        return refuse_chooser(b, c, "mesh", "has no 'thickness' and takes no part in the motion", e);
    out->particles = NEW_ARRAY(listed, uint32_t);
    if (out->particles == NULL) return error_memory(e, "the vertices", listed * sizeof *out->particles);
    for (size_t n = 0; n < listed; n++) {
        const size_t vertex = c->listed != NULL ? c->listed[n] : n;
        if (vertex >= m->vertex_count)
            return scene_refuse(scene_at(b->s, "%s.%zu.vertices", c->list, c->number), e,
                                "%s '%s': mesh '%s' has no vertex %zu: there are %zu, numbered from 0", c->what,
                                c->name, from->name, vertex, m->vertex_count);
        if (is_within(c->within, m->vertices[vertex]))
            out->particles[out->count++] = (uint32_t)(b->state->mesh_first[c->mesh] + vertex);
    }
    return out->count > 0 ? CAROM_OK : refuse_within(b, c, e);
}

/* ---- Drives ---- */

static carom_status choose_driven(const build *b, size_t k, state_list *out, error *e)
{
    const scene_drive *d = &b->s->drives[k];
    const chooser c = {"drive", "drives", d->name, k, d->mesh, d->particles, d->count, &d->within};
    if (b->s->meshes[d->mesh].rigid && (d->particles != NULL || d->within.given))
        return refuse_chooser(b, &c, d->within.given ? "within" : "vertices",
                              "is rigid and moves as a whole: leave out 'vertices' and 'within'", e);
    return choose_vertices(b, &c, out, e);
}

static carom_status choose_particles(const build *b, const scene_drive *d, state_list *out, error *e)
{
    out->particles = NEW_ARRAY(d->count, uint32_t);
    if (out->particles == NULL) return error_memory(e, "the drives", d->count * sizeof *out->particles);
    out->count = d->count;
    for (size_t n = 0; n < d->count; n++) {
        out->particles[n] = d->particles[n];
        if (d->particles[n] >= b->state->count)
            return scene_refuse(scene_at(b->s, "drives.%zu.particles", (size_t)(d - b->s->drives)), e,
                                "drive '%s': no particle %lu: there are %zu, numbered from 0", d->name,
                                (unsigned long)d->particles[n], b->state->count);
        if (build_is_absent(b, d->particles[n]))
            return scene_refuse(scene_at(b->s, "drives.%zu.particles", (size_t)(d - b->s->drives)), e,
                                "drive '%s': particle %lu enters during the run (`inflow`) and cannot be driven",
                                d->name, (unsigned long)d->particles[n]);
    }
    return CAROM_OK;
}

carom_status build_drives(const build *b, error *e)
{
    const scene *s = b->s;
    carom_status all = CAROM_OK;
    if (s->drive_count == 0) return CAROM_OK;
    b->state->drives = NEW_ARRAY(s->drive_count, state_list);
    if (b->state->drives == NULL) return error_memory(e, "the drives", s->drive_count * sizeof(state_list));
    b->state->drive_count = s->drive_count;
    for (size_t k = 0; k < s->drive_count; k++) {
        const scene_drive *d = &s->drives[k];
        carom_status one = CAROM_OK;
        if (d->mesh != SIZE_MAX)
            one = choose_driven(b, k, &b->state->drives[k], e);
        else if (d->plane == SIZE_MAX && scene_drive_exact_kind(d) == NULL)
            one = choose_particles(b, d, &b->state->drives[k], e);
        if (all == CAROM_OK) all = one;
    }
    return all;
}

/* ---- Loads ---- */

static carom_status choose_loaded(const build *b, size_t k, state_list *out, error *e)
{
    const scene_load *load = &b->s->loads[k];
    const scene_mesh *m = &b->s->meshes[load->mesh];
    const chooser c = {"load", "loads", load->name, k, load->mesh, load->vertices, load->count, &load->within};
    if (m->rigid) return refuse_chooser(b, &c, "mesh", "is `rigid` and moves only by a drive" HINT "load a shell", e);
    if (m->solid) return refuse_chooser(b, &c, "mesh", "is a rigid body" HINT "load a shell", e);
    return choose_vertices(b, &c, out, e);
}

/* The drive of each particle, 1 + index, also if it is free before the start. NULL without memory. */
static uint32_t *find_drives(const initial_state *state)
{
    uint32_t *drive = NEW_ARRAY(state->count, uint32_t);
    for (size_t k = 0; drive != NULL && k < state->drive_count; k++)
        for (size_t n = 0; n < state->drives[k].count; n++) drive[state->drives[k].particles[n]] = (uint32_t)(1 + k);
    return drive;
}

/* Sets the vertices of `loaded` to 1 + k. */
static carom_status check_loaded(const build *b, size_t k, const uint32_t *drive, uint32_t *loaded, error *e)
{
    const scene_load *load = &b->s->loads[k];
    const scene_spot at = scene_at(b->s, "loads.%zu.%s", k, load->vertices != NULL ? "vertices" : "within");
    for (size_t n = 0; n < b->state->loads[k].count; n++) {
        const uint32_t i = b->state->loads[k].particles[n];
        const size_t vertex = i - b->state->mesh_first[load->mesh];
        if (loaded[i] == 1 + k) return scene_refuse(at, e, "load '%s': vertex %zu is listed twice", load->name, vertex);
        loaded[i] = (uint32_t)(1 + k);
        if (drive[i] > 0)
            return scene_refuse(at, e,
                                "load '%s': vertex %zu of mesh '%s' is in drive '%s', which alone moves it" HINT
                                "load other vertices",
                                load->name, vertex, b->s->meshes[load->mesh].name, b->s->drives[drive[i] - 1].name);
    }
    return CAROM_OK;
}

carom_status build_loads(const build *b, error *e)
{
    initial_state *state = b->state;
    carom_status all = CAROM_OK;
    if (b->s->load_count == 0) return CAROM_OK;
    state->loads = NEW_ARRAY(b->s->load_count, state_list);
    uint32_t *drive = find_drives(state), *loaded = NEW_ARRAY(state->count, uint32_t);
    if (state->loads != NULL) state->load_count = b->s->load_count;
    if (state->loads == NULL || drive == NULL || loaded == NULL)
        all = error_memory(e, "the loads", state->count * sizeof *drive);
    for (size_t k = 0; k < state->load_count && all == CAROM_OK; k++) {
        all = choose_loaded(b, k, &state->loads[k], e);
        if (all == CAROM_OK) all = check_loaded(b, k, drive, loaded, e);
    }
    memory_free(drive);
    memory_free(loaded);
    return all;
}

bool *state_find_held(const initial_state *state, const scene *s)
{
    bool *held = NEW_ARRAY(state->count, bool);
    if (held == NULL) return NULL;
    for (size_t k = 0; k < state->drive_count; k++)
        for (size_t n = 0; !s->drives[k].start.free && n < state->drives[k].count; n++)
            held[state->drives[k].particles[n]] = true;
    for (size_t k = 0; k < state->mesh_count; k++)
        for (size_t i = state->mesh_first[k]; s->meshes[k].rigid && i < state->mesh_first[k + 1]; i++) held[i] = true;
    return held;
}

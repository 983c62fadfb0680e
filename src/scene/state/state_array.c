/* Particles and meshes from arrays in memory, with the checks that the readers of files make. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "scene/arrays.h"
#include "scene/state/build.h"

/* Vectors of an array. */
typedef struct vectors {
    const char *what; /* "position", for messages */
    const double *from;
    int components;
} vectors;

static carom_status refuse_number(const build *b, size_t entry, size_t particle, const char *what, double value,
                                  const char *why, error *e)
{
    return scene_refuse(scene_at(b->s, "particles.%zu.place", entry), e, "particle %zu of %s: %s %.10g %s", particle,
                        b->s->particles[entry].from, what, value, why);
}

/* A third component must be 0 in two dimensions. */
static carom_status take_vectors(const build *b, size_t entry, vectors v, double (*out)[3], error *e)
{
    const size_t count = b->files[entry].count;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < v.components; k++) {
            const double value = v.from[i * (size_t)v.components + (size_t)k];
            if (!isfinite(value)) return refuse_number(b, entry, i, v.what, value, "is not finite", e);
            if (k < b->s->dimension)
                out[i][k] = value;
            else if (value != 0)
                return refuse_number(b, entry, i, v.what, value,
                                     "is a third component, but the scene has two dimensions", e);
        }
    return CAROM_OK;
}

/* One number about the third axis, or three. */
static carom_status take_spins(const build *b, size_t entry, const carom_point_arrays *from, double (*out)[3], error *e)
{
    const size_t components = from->dimension == 3 ? 3 : 1;
    for (size_t i = 0; i < from->count; i++)
        for (size_t k = 0; k < components; k++) {
            const double value = from->angular_velocities[i * components + k];
            if (!isfinite(value)) return refuse_number(b, entry, i, "angular velocity", value, "is not finite", e);
            out[i][components == 3 ? k : 2] = value;
        }
    return CAROM_OK;
}

static carom_status take_positive(const build *b, size_t entry, const char *what, const double *from, double factor,
                                  double *out, error *e)
{
    const size_t count = b->files[entry].count;
    for (size_t i = 0; i < count; i++) {
        out[i] = factor * from[i];
        if (!(from[i] > 0)) return refuse_number(b, entry, i, what, from[i], "is not above 0", e);
        if (!isfinite(out[i])) return refuse_number(b, entry, i, what, from[i], "is too large", e);
    }
    return CAROM_OK;
}

static void take_species(const build *b, const carom_point_arrays *from, points *to)
{
    const points_rules rules = {.species = b->s->species, .species_count = b->s->species_count};
    size_t guess = 0;
    for (size_t i = 0; i < from->count && !to->strange; i++) {
        const uint32_t number = from->species[i];
        const char *name = from->species_names != NULL ? from->species_names[number] : NULL;
        const size_t species = name != NULL ? points_species(&rules, name, strlen(name), &guess) : number;
        to->species[i] = (uint32_t)species;
        to->strange = species >= rules.species_count;
        if (!to->strange) continue;
        to->stranger = i;
        to->stranger_number = number;
        to->stranger_name = name != NULL ? memory_text(name) : NULL;
    }
}

carom_status build_array(build *b, size_t entry, error *e)
{
    const scene_particles *p = &b->s->particles[entry];
    if (p->array == NULL)
        return scene_refuse(scene_at(b->s, "particles.%zu.place", entry), e, "%s is not in memory", p->from);
    const carom_point_arrays *from = &p->array->points;
    points *to = &b->files[entry];
    if (from->dimension < b->s->dimension)
        return scene_refuse(scene_at(b->s, "particles.%zu.place", entry), e,
                            "the vectors of %s have 2 components, but the scene has 3 dimensions", p->from);
    const unsigned arrays =
        (from->velocities != NULL ? POINTS_VELOCITY : 0U) | (from->radii != NULL ? POINTS_DIAMETER : 0U) |
        (from->masses != NULL ? POINTS_MASS : 0U) | (from->angular_velocities != NULL ? POINTS_SPIN : 0U) |
        (from->orientations != NULL ? POINTS_AXIS : 0U) | (from->species != NULL ? POINTS_SPECIES : 0U);
    TRY(points_create(to, from->count, arrays, e));
    TRY(take_vectors(b, entry, (vectors){"position", from->positions, from->dimension}, to->position, e));
    if (from->velocities != NULL)
        TRY(take_vectors(b, entry, (vectors){"velocity", from->velocities, from->dimension}, to->velocity, e));
    if (from->orientations != NULL)
        TRY(take_vectors(b, entry, (vectors){"orientation", from->orientations, from->dimension}, to->axis, e));
    if (from->radii != NULL) TRY(take_positive(b, entry, "radius", from->radii, 2, to->diameter, e));
    if (from->masses != NULL) TRY(take_positive(b, entry, "mass", from->masses, 1, to->mass, e));
    if (from->angular_velocities != NULL) TRY(take_spins(b, entry, from, to->spin, e));
    if (from->species != NULL) take_species(b, from, to);
    return CAROM_OK;
}

/* ---- Meshes ---- */

carom_status mesh_from_array(mesh *m, const scene_mesh *s, error *e)
{
    *m = (mesh){0};
    if (s->array == NULL) return error_set(e, CAROM_BAD_DATA, "%s is not in memory", s->from);
    const carom_mesh_arrays *from = &s->array->mesh;
    if (from->triangle_count == 0) return error_set(e, CAROM_BAD_DATA, "%s holds no triangles", s->from);
    for (size_t i = 0; i < 3 * from->vertex_count; i++) {
        const double value = from->vertices[i];
        if (!isfinite(value))
            return error_set(e, CAROM_BAD_DATA, "vertex %zu of %s: %c = %.10g is not finite", i / 3, s->from,
                             "xyz"[i % 3], value);
    }
    for (size_t i = 0; i < 3 * from->triangle_count; i++)
        if (from->triangles[i] >= from->vertex_count)
            return error_set(e, CAROM_BAD_DATA, "triangle %zu of %s has vertex %lu, and there are %zu, numbered from 0",
                             i / 3, s->from, (unsigned long)from->triangles[i], from->vertex_count);
    for (size_t i = 0; i < from->vertex_count; i++)
        mesh_add_vertex(m, from->vertices[3 * i], from->vertices[3 * i + 1], from->vertices[3 * i + 2]);
    for (size_t i = 0; i < from->triangle_count; i++)
        mesh_add_triangle(m, from->triangles[3 * i], from->triangles[3 * i + 1], from->triangles[3 * i + 2]);
    return mesh_done(m, e);
}

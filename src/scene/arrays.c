#include "scene/arrays.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

static void free_one(scene_array *one)
{
    memory_free((void *)one->points.positions);
    memory_free((void *)one->points.velocities);
    memory_free((void *)one->points.radii);
    memory_free((void *)one->points.masses);
    memory_free((void *)one->points.angular_velocities);
    memory_free((void *)one->points.orientations);
    memory_free((void *)one->points.species);
    char **names = (char **)(void *)one->points.species_names;
    for (size_t k = 0; names != NULL && k < one->points.species_count; k++) memory_free(names[k]);
    memory_free(names);
    memory_free((void *)one->mesh.vertices);
    memory_free((void *)one->mesh.triangles);
    memory_free(one->name);
    memory_free(one);
}

void arrays_free(scene_array *first)
{
    while (first != NULL) {
        scene_array *next = first->next;
        free_one(first);
        first = next;
    }
}

void arrays_drop_replaced(scene_array **first)
{
    while (*first != NULL) {
        scene_array *one = *first;
        if (one->replaced) {
            *first = one->next;
            free_one(one);
        } else {
            first = &one->next;
        }
    }
}

const scene_array *arrays_find(const scene_array *first, given_kind kind, const char *name)
{
    while (first != NULL && (first->kind != kind || strcmp(first->name, name) != 0)) first = first->next;
    return first;
}

/* ---- Copies ---- */

static bool is_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const char others[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    return name[0] != '\0' && strchr(letters, name[0]) != NULL && name[strspn(name, others)] == '\0';
}

/* Copies count * size bytes and adds them to the digest. *copy stays NULL for an array that is not given; false: no
 * memory. */
static bool take(scene_array *one, const void *from, size_t count, size_t size, void *copy)
{
    one->digest = hash_u64(one->digest, from != NULL ? count : UINT64_MAX);
    if (from == NULL) return true;
    void *block = memory_new(count, size);
    if (block == NULL) return false;
    if (count > 0) memcpy(block, from, count * size);
    memcpy(copy, &block, sizeof block);
    one->digest = hash_bytes(one->digest, block, count * size);
    return true;
}

static bool take_names(scene_array *one, const carom_point_arrays *from)
{
    if (from->species_names == NULL) return true;
    char **names = NEW_ARRAY(from->species_count, char *);
    if (names == NULL) return false;
    one->points.species_names = (const char *const *)names;
    one->points.species_count = from->species_count;
    for (size_t k = 0; k < from->species_count; k++) {
        names[k] = memory_text(from->species_names[k]);
        if (names[k] == NULL) return false;
        one->digest = hash_bytes(hash_u64(one->digest, strlen(names[k])), names[k], strlen(names[k]));
    }
    return true;
}

static bool take_points(scene_array *one, const carom_point_arrays *from)
{
    carom_point_arrays *to = &one->points;
    const size_t n = from->count, d = (size_t)from->dimension;
    *to = (carom_point_arrays){.count = n, .dimension = from->dimension};
    one->digest = hash_u64(HASH_START, d);
    return take(one, from->positions, n * d, sizeof(double), (void *)&to->positions) &&
           take(one, from->velocities, n * d, sizeof(double), (void *)&to->velocities) &&
           take(one, from->radii, n, sizeof(double), (void *)&to->radii) &&
           take(one, from->masses, n, sizeof(double), (void *)&to->masses) &&
           take(one, from->angular_velocities, n * (d == 3 ? 3 : 1), sizeof(double), (void *)&to->angular_velocities) &&
           take(one, from->orientations, n * d, sizeof(double), (void *)&to->orientations) &&
           take(one, from->species, n, sizeof(uint32_t), (void *)&to->species) && take_names(one, from);
}

static bool take_mesh(scene_array *one, const carom_mesh_arrays *from)
{
    one->mesh = (carom_mesh_arrays){.vertex_count = from->vertex_count, .triangle_count = from->triangle_count};
    one->digest = HASH_START;
    return take(one, from->vertices, 3 * from->vertex_count, sizeof(double), (void *)&one->mesh.vertices) &&
           take(one, from->triangles, 3 * from->triangle_count, sizeof(uint32_t), (void *)&one->mesh.triangles);
}

/* A new array of that name, without contents. */
static carom_status add(scene_array **made, given_kind kind, const char *name, error *e)
{
    *made = NULL;
    if (!is_name(name))
        return error_set(e, CAROM_USAGE,
                         "error: '%s' cannot be the name of an array: a letter, then letters, digits, '_' and '-'",
                         name);
    *made = NEW_ARRAY(1, scene_array);
    char *copy = memory_text(name);
    if (*made == NULL || copy == NULL) {
        memory_free(*made);
        memory_free(copy);
        return error_memory(e, "an array", sizeof **made);
    }
    **made = (scene_array){.kind = kind, .name = copy};
    return CAROM_OK;
}

/* Ends the addition: replaces an array of the same kind and name. */
static carom_status finish(scene_array **first, scene_array *one, bool copied, bool loaded, error *e)
{
    if (!copied) {
        free_one(one);
        return error_memory(e, "an array", 0);
    }
    one->digest = hash_finish(one->digest);
    scene_array *before = (scene_array *)arrays_find(*first, one->kind, one->name);
    if (before != NULL) before->replaced = true;
    if (!loaded) arrays_drop_replaced(first);
    one->next = *first;
    *first = one;
    return CAROM_OK;
}

carom_status arrays_add_points(scene_array **first, const char *name, const carom_point_arrays *points, bool loaded,
                               error *e)
{
    scene_array *one;
    if (points->dimension != 2 && points->dimension != 3)
        return error_set(e, CAROM_USAGE, "error: array '%s': the dimension is %d, not 2 or 3", name, points->dimension);
    if (points->positions == NULL) return error_set(e, CAROM_USAGE, "error: array '%s': the positions are NULL", name);
    if (points->count >= UINT32_MAX)
        return error_set(e, CAROM_USAGE, "error: array '%s': %zu particles are too many", name, points->count);
    for (size_t k = 0; points->species_names != NULL && k < points->species_count; k++)
        if (points->species_names[k] == NULL)
            return error_set(e, CAROM_USAGE, "error: array '%s': the name of species %zu is NULL", name, k);
    for (size_t i = 0; points->species != NULL && points->species_names != NULL && i < points->count; i++)
        if (points->species[i] >= points->species_count)
            return error_set(
                e, CAROM_USAGE,
                "error: array '%s': particle %zu has species %lu, and there are %zu names, numbered from 0", name, i,
                (unsigned long)points->species[i], points->species_count);
    TRY(add(&one, GIVEN_POINTS, name, e));
    return finish(first, one, take_points(one, points), loaded, e);
}

carom_status arrays_add_mesh(scene_array **first, const char *name, const carom_mesh_arrays *mesh, bool loaded,
                             error *e)
{
    scene_array *one;
    if (mesh->vertices == NULL || mesh->triangles == NULL)
        return error_set(e, CAROM_USAGE, "error: array '%s': the %s are NULL", name,
                         mesh->vertices == NULL ? "vertices" : "triangles");
    if (mesh->vertex_count >= UINT32_MAX || mesh->triangle_count >= UINT32_MAX)
        return error_set(e, CAROM_USAGE, "error: array '%s': %zu vertices and %zu triangles are too many", name,
                         mesh->vertex_count, mesh->triangle_count);
    TRY(add(&one, GIVEN_MESH, name, e));
    return finish(first, one, take_mesh(one, mesh), loaded, e);
}

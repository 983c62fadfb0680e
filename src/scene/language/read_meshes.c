/* Meshes: files and shapes, and where they are. */
#include <math.h>

#include "mesh/make.h"
#include "mesh/read.h"
#include "mesh/repair.h"
#include "scene/language/reader.h"

static double square(const double v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

static bool parallel(const double a[3], const double b[3])
{
    const double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    return dot * dot > (1 - 1e-6) * square(a) * square(b);
}

/* One vector for all points, or one each. */
static double (*read_sides(reader *r, const node *n, size_t count))[3]
{
    size_t listed = 1;
    double one[3], (*sides)[3] = NULL;
    const node *first = n->kind == NODE_LIST ? tree_first(r->t, n) : NULL;
    if (first != NULL && first->kind == NODE_LIST) {
        sides = value_vectors(r, n, &listed);
        if (sides == NULL) return NULL;
        if (listed == count) return sides;
        fault_add(r->f, n, "%zu sides for %zu points; give one for all, or one a point", listed, count);
        return NULL;
    }
    if (!value_vector(r, n, one)) return NULL;
    sides = read_new(r, count, sizeof *sides);
    for (size_t i = 0; i < count && sides != NULL; i++)
        for (int k = 0; k < 3; k++) sides[i][k] = one[k];
    return sides;
}

static void check_curve(reader *r, const node *points, const node *sides, const scene_shape *shape)
{
    for (size_t i = 0; i < shape->point_count; i++) {
        double way[3], step[3] = {1, 1, 1};
        const size_t before = i > 0 ? i - 1 : 0, after = i + 1 < shape->point_count ? i + 1 : i;
        for (int k = 0; k < 3; k++) {
            way[k] = shape->points[after][k] - shape->points[before][k];
            if (i > 0) step[k] = shape->points[i][k] - shape->points[before][k];
        }
        if (!(square(step) > 0)) fault_add(r->f, points, "points %zu and %zu are the same", before, i);
        if (shape->sides != NULL && parallel(way, shape->sides[i]))
            fault_add(r->f, sides, "at point %zu this is along the ribbon, or zero, and should be across", i);
    }
}

static void read_curve(reader *r, const node *map, scene_shape *shape)
{
    const node *points = tree_get(r->t, map, "points"), *sides = tree_get(r->t, map, "sides");
    if (points == NULL) return;
    shape->points = value_vectors(r, points, &shape->point_count);
    if (shape->points == NULL) return;
    if (shape->point_count < 2) {
        fault_add(r->f, points, "a ribbon takes two points at least");
        return;
    }
    if (sides != NULL) shape->sides = read_sides(r, sides, shape->point_count);
    check_curve(r, points, sides, shape);
}

/* What single keys do not tell. */
static void check_shape(reader *r, const node *map, const scene_shape *shape)
{
    const node *radius = tree_get(r->t, map, "radius"), *tube = tree_get(r->t, map, "tube");
    const node *length = tree_get(r->t, map, "length");
    const double cell = fmin(shape->length / (double)shape->along, shape->width / (double)shape->across);
    if (shape->kind == SHAPE_TORUS && tube != NULL && radius != NULL && shape->tube >= shape->radius)
        fault_add(r->f, tube, "'tube' must be less than 'radius', %.10g: this torus would pass through itself",
                  shape->radius);
    if (shape->kind == SHAPE_SPIKES && radius != NULL && shape->radius >= cell / 2)
        fault_add(r->f, radius, "'radius' must be less than half the distance of the spikes, %.10g", cell / 2);
    if (shape->kind != SHAPE_REEF_KNOT && shape->kind != SHAPE_BOWLINE) return;
    const double least = shape->width * mesh_knot_length(shape->kind == SHAPE_BOWLINE ? BOWLINE : REEF_KNOT);
    if (length != NULL && shape->length < least)
        fault_add(r->f, length, "ribbons %.10g wide must be at least %.10g long for this knot", shape->width, least);
}

static void read_shape(reader *r, const node *n, scene_shape *shape)
{
    const char *words[32] = {NULL};
    if (!value_is_map(r, n, "a map of one shape, as {sphere: {radius: 1, parts: 4}}")) return;
    const node *form = value_only_key(r, n, "shape");
    if (form == NULL) return;
    for (size_t i = 0; i < table_shape.count; i++) words[i] = table_shape.entries[i].name;
    int kind = value_choice(r, tree_key(r->t, form), "shape", words);
    if (kind < 0 || !value_is_map(r, form, "a map")) return;
    const settings_table *table = table_shape.entries[kind].table;
    shape->kind = (scene_shape_kind)kind;
    settings_check_keys(r, form, table, NULL);
    settings_read(r, table, form, form, shape);
    if (shape->kind == SHAPE_RIBBON) read_curve(r, form, shape);
    check_shape(r, form, shape);
}

/* What it is made of. */
static void read_matter(reader *r, const node *n, scene_mesh *one)
{
    const node *species = tree_get(r->t, n, "species"), *yield = tree_get(r->t, n, "yield");
    if (species != NULL) one->species = read_species_name(r, species);
    if (yield != NULL && yield->kind == NODE_MAP && tree_get(r->t, yield, "angle") == NULL)
        fault_add(r->f, yield, "missing key 'angle' of 'yield': by how much an edge may bend elastically");
    const char *const elastic[] = {"stretch", "bend", "damping", "rest", "yield", "poisson"};
    for (size_t k = 0; k < sizeof elastic / sizeof *elastic && one->rigid; k++)
        if (tree_get(r->t, n, elastic[k]) != NULL)
            fault_add(r->f, tree_key(r->t, tree_get(r->t, n, elastic[k])),
                      "this mesh is rigid: leave '%s' out, or 'rigid'", elastic[k]);
    const node *velocity = tree_get(r->t, n, "velocity");
    if (one->rigid && velocity != NULL)
        fault_add(r->f, tree_key(r->t, velocity), "this mesh is rigid: give its velocity in a drive");
}

static void read_repair(reader *r, const node *n, scene_mesh *one)
{
    if (n == NULL || !value_is_list(r, n, "a list of weld, drop_unreferenced, orient and fill")) return;
    if (one->file == NULL) fault_add(r->f, tree_key(r->t, n), "shapes need no 'repair': leave it out");
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item)) {
        const int bit = value_choice(r, item, "repair", scene_repair_words);
        if (bit >= 0) one->repair |= 1U << bit;
    }
}

static void read_file(reader *r, const node *n, scene_mesh *one)
{
    one->file = value_path(r, n);
    if (one->file != NULL && !mesh_is_readable(one->file))
        fault_add(r->f, n, "the name of a mesh file ends in " MESH_ENDINGS);
}

static void read_mesh(reader *r, const node *n, scene_mesh *one)
{
    if (!value_is_map(r, n, "a map with 'name', and 'file' or 'shape'")) return;
    settings_check_keys(r, n, &table_meshes, NULL);
    settings_read(r, &table_meshes, n, n, one);
    read_list_name(r, n, r->s->meshes, sizeof *one, one, "meshes");
    const node *file = tree_get(r->t, n, "file"), *shape = tree_get(r->t, n, "shape");
    const node *axis = tree_get(r->t, tree_get(r->t, tree_get(r->t, n, "place"), "rotate"), "axis");
    one->file = NULL;
    if (file != NULL && shape != NULL)
        fault_add(r->f, tree_key(r->t, shape), "'file' and 'shape' exclude each other; give one");
    else if (file != NULL)
        read_file(r, file, one);
    else if (shape != NULL)
        read_shape(r, shape, &one->shape);
    else
        fault_add(r->f, n, "missing key 'file' (or 'shape'): the mesh itself");
    if (axis != NULL && axis->kind == NODE_LIST && square(one->axis) == 0)
        fault_add(r->f, axis, "an axis of length zero has no direction");
    read_repair(r, tree_get(r->t, n, "repair"), one);
    const node *within = tree_get(r->t, n, "weld_within");
    if (within != NULL && !(one->repair & MESH_WELD))
        fault_add(r->f, tree_key(r->t, within), "'weld_within' is for `repair: [weld]`: give that, or leave it out");
    read_matter(r, n, one);
}

void read_meshes(reader *r, const node *n)
{
    r->s->meshes = read_list(r, n, "a list of meshes", sizeof *r->s->meshes);
    if (r->s->meshes == NULL) return;
    if (r->s->dimension != 3 && n->length > 0)
        fault_add(r->f, tree_key(r->t, n), "meshes lie in space: they need 'dimension: 3'");
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        read_mesh(r, item, &r->s->meshes[r->s->mesh_count++]);
}

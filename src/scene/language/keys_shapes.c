/* The key `shape` of a mesh: generated meshes. */
#include <math.h>

#include "base/vec.h"
#include "mesh/make.h"
#include "scene/language/reader.h"

/* ---- points and sides of a ribbon ---- */

static bool parallel(const double a[3], const double b[3])
{
    const double dot = dot3(a, b);
    return dot * dot > (1 - 1e-6) * dot3(a, a) * dot3(b, b);
}

/* One vector for all points, or one per point. */
static double (*read_sides(reader *r, const node *n, size_t count))[3]
{
    size_t listed = 1;
    double one[3], (*sides)[3] = NULL;
    const node *first = n->kind == NODE_LIST ? tree_first(r->t, n) : NULL;
    if (first != NULL && first->kind == NODE_LIST) {
        sides = value_vectors(r, n, &listed);
        if (sides == NULL) return NULL;
        if (listed == count) return sides;
        fault_add(r->f, n, "%zu sides for %zu points" HINT "give one for all, or one per point", listed, count);
        return NULL;
    }
    if (!value_vector(r, n, one)) return NULL;
    sides = read_new(r, count, sizeof *sides);
    for (size_t i = 0; i < count && sides != NULL; i++)
        for (int k = 0; k < 3; k++) sides[i][k] = one[k];
    return sides;
}

static void read_points(reader *r, const node *n, void *into)
{
    scene_shape *shape = into;
    shape->points = value_vectors(r, n, &shape->point_count);
    if (shape->points != NULL && shape->point_count < 2) {
        fault_add(r->f, n, "a ribbon needs at least two points");
        shape->points = NULL;
    }
}

static void write_points(writer *w, const void *from)
{
    const scene_shape *shape = from;
    write_vectors(w, shape->points, shape->point_count, 3);
}

static void read_sides_key(reader *r, const node *n, void *into)
{
    scene_shape *shape = into;
    if (shape->points != NULL) shape->sides = read_sides(r, n, shape->point_count);
}

static void write_sides(writer *w, const void *from)
{
    const scene_shape *shape = from;
    write_vectors(w, shape->sides, shape->point_count, 3);
}

static const setting_form form_points = {read_points, write_points, false};
static const setting_form form_sides = {read_sides_key, write_sides, false};

static void check_curve(reader *r, const node *points, const node *sides, const scene_shape *shape)
{
    for (size_t i = 0; i < shape->point_count; i++) {
        double way[3], step[3] = {1, 1, 1};
        const size_t before = i > 0 ? i - 1 : 0, after = i + 1 < shape->point_count ? i + 1 : i;
        for (int k = 0; k < 3; k++) {
            way[k] = shape->points[after][k] - shape->points[before][k];
            if (i > 0) step[k] = shape->points[i][k] - shape->points[before][k];
        }
        if (!(dot3(step, step) > 0)) fault_add(r->f, points, "points %zu and %zu are the same", before, i);
        if (shape->sides != NULL && parallel(way, shape->sides[i]))
            fault_add(r->f, sides, "at point %zu the transverse direction is parallel to the ribbon, or zero", i);
    }
}

static void finish_ribbon(reader *r, const node *map, void *filled)
{
    const scene_shape *shape = filled;
    if (shape->points != NULL) check_curve(r, tree_get(r->t, map, "points"), tree_get(r->t, map, "sides"), shape);
}

/* ---- the sides of a box ---- */

static void finish_box(reader *r, const node *map, void *filled)
{
    const double *size = ((const scene_shape *)filled)->size;
    const node *given = tree_get(r->t, map, "size");
    for (int k = 0; given != NULL && given->kind == NODE_LIST && given->length == 3 && k < 3; k++)
        if (size[k] <= 0) {
            fault_add(r->f, given, "each side of a box must be greater than 0, not %.10g along %c", size[k], "xyz"[k]);
            break;
        }
}

/* ---- the profile of a surface of revolution ---- */

static bool read_profile_point(reader *r, const node *n, size_t count, size_t i, double (*points)[3])
{
    if (!value_numbers(r, n, 2, points[i])) return false;
    const bool is_end = i == 0 || i + 1 == count;
    if (points[i][0] < 0 || (points[i][0] == 0 && !is_end)) {
        fault_add(r->f, n,
                  "the distance from the axis must be above zero; only the ends of a profile may lie on the axis");
        return false;
    }
    if (i > 0 && points[i][0] == points[i - 1][0] && points[i][1] == points[i - 1][1]) {
        fault_add(r->f, n, "points %zu and %zu are the same", i - 1, i);
        return false;
    }
    if (i > 0 && points[i][0] == 0 && points[i - 1][0] == 0) {
        fault_add(r->f, n, "points %zu and %zu both lie on the axis: this profile has no surface", i - 1, i);
        return false;
    }
    return true;
}

static void read_profile(reader *r, const node *n, void *into)
{
    scene_shape *shape = into;
    if (!value_is_list(r, n, "a list of points, each [distance from the axis, z]")) return;
    if (n->length < 2) {
        fault_add(r->f, n, "a profile needs at least two points");
        return;
    }
    double(*points)[3] = read_new(r, n->length, sizeof *points);
    bool good = points != NULL;
    size_t i = 0;
    for (const node *item = tree_first(r->t, n); good && item != NULL; item = tree_next(r->t, item))
        good = read_profile_point(r, item, n->length, i++, points);
    shape->points = good ? points : NULL;
    shape->point_count = good ? i : 0;
}

static void write_profile(writer *w, const void *from)
{
    const scene_shape *shape = from;
    write_vectors(w, shape->points, shape->point_count, 2);
}

static const setting_form form_profile = {read_profile, write_profile, false};

/* ---- Rows ---- */

/* clang-format off */
#define SHAPE_TABLE(text, list, words) TABLE_OF(text, scene_shape, list, words)
enum { MOST = 5000 };
#define LENGTH(text, field, words)                                                                                     \
    {.name = text, .type = SETTING_REAL, .offset = offsetof(scene_shape, field), .unit = "length", .min = 0,            \
     .max = INFINITY, .above_min = true, .help = words}
#define CELLS(text, field, least, words)                                                                               \
    {.name = text, .type = SETTING_INTEGER, .offset = offsetof(scene_shape, field), .unit = "", .min = least,           \
     .max = MOST, .help = words}
#define PARTS(words)                                                                                                   \
    {.name = "parts", .type = SETTING_INTEGER, .offset = offsetof(scene_shape, parts), .unit = "", .fallback = "1",     \
     .min = 1, .max = MOST, .help = words}

static const setting rectangle_entries[] = {
    LENGTH("length", length, "along x"), LENGTH("width", width, "along y"),
    CELLS("along", along, 1, "cells along x, of two triangles each"), CELLS("across", across, 1, "cells along y"),
    {.name = "rough", .type = SETTING_BOOL, .offset = offsetof(scene_shape, rough), .unit = "", .fallback = "false",
     .help = "rows shifted by half a cell and inner vertices displaced at random, without a preferred direction"},
    {.name = "seed", .type = SETTING_INTEGER, .offset = offsetof(scene_shape, seed), .unit = "", .fallback = "0",
     .help = "of these random displacements"},
};
static const settings_table table_rectangle = {SHAPE_TABLE("rectangle", rectangle_entries, "a flat rectangle around the origin, with normal z")};

static const setting disk_entries[] = {
    LENGTH("radius", radius, "of the disk"), CELLS("rings", rings, 1, "rings of triangles; each has 6 edges more than the previous one"),
};
static const settings_table table_disk = {SHAPE_TABLE("disk", disk_entries, "a flat disk around the origin, with normal z")};

static const char *const side_shapes[] = {"[x, y, z]", "[[x, y, z], ...]", NULL};
static const char *const point_shapes[] = {"[[x, y, z], ...]", NULL};
static const setting ribbon_entries[] = {
    LENGTH("width", width, "of the ribbon"),
    CELLS("along", along, 1, "cells along the ribbon"), CELLS("across", across, 1, "cells across"),
    {.name = "points", .type = SETTING_SHAPE, .unit = "length", .choices = point_shapes, .form = &form_points,
     .help = "two or more points of its smooth centre line"},
    {.name = "sides", .type = SETTING_SHAPE, .unit = "", .choices = side_shapes, .form = &form_sides,
     .help = "the transverse direction: one for all, or one per point; only the component normal to the curve counts"},
};
static const settings_table table_ribbon = {SHAPE_TABLE("ribbon", ribbon_entries, "a ribbon along a curve"), .finish = finish_ribbon};

static const setting sphere_entries[] = {
    LENGTH("radius", radius, "of the sphere; vertices lie on it"),
    PARTS("divisions of each edge of an icosahedron; 10 parts^2 + 2 vertices"),
};
static const settings_table table_sphere = {SHAPE_TABLE("sphere", sphere_entries, "a sphere of nearly equal triangles")};

static const setting globe_entries[] = {
    LENGTH("radius", radius, "of the sphere; vertices lie on it"),
    CELLS("around", around, 3, "meridians"), CELLS("rings", rings, 2, "bands between circles of latitude"),
};
static const settings_table table_globe = {SHAPE_TABLE("globe", globe_entries, "a sphere of meridians and circles of latitude, poles on z")};

static const setting torus_entries[] = {
    LENGTH("radius", radius, "from the centre to the centre line of the tube"), LENGTH("tube", tube, "of the tube, smaller than `radius`"),
    CELLS("around", around, 3, "cells around the axis, z"), CELLS("across", across, 3, "cells around the tube"),
};
static const settings_table table_torus = {SHAPE_TABLE("torus", torus_entries, "a torus around z")};

static const char *const solid_words[] = {"tetrahedron", "cube", "octahedron", "dodecahedron", "icosahedron", NULL};
static const setting solid_entries[] = {
    {.name = "kind", .type = SETTING_CHOICE, .offset = offsetof(scene_shape, solid), .unit = "", .choices = solid_words,
     .help = "which"},
    LENGTH("radius", radius, "distance of the corners from the centre"),
    PARTS("divisions of each edge; each triangle becomes parts^2"),
};
static const settings_table table_solid = {SHAPE_TABLE("solid", solid_entries, "a platonic solid around the origin")};

static const setting box_entries[] = {
    {.name = "size", .type = SETTING_VECTOR, .offset = offsetof(scene_shape, size), .unit = "length",
     .help = "along x, y and z; each greater than 0"},
    PARTS("divisions of each edge of its 12 triangles"),
};
static const settings_table table_box_shape = {SHAPE_TABLE("box", box_entries, "a box around the origin"), .finish = finish_box};

static const setting capsule_entries[] = {
    LENGTH("length", length, "of the cylinder, along z; its ends are the centres of the hemispheres"),
    LENGTH("radius", radius, "of cylinder and hemispheres; vertices lie on them"),
    CELLS("around", around, 3, "meridians; each hemisphere has a quarter as many bands"),
    {.name = "along", .type = SETTING_INTEGER, .offset = offsetof(scene_shape, along), .unit = "", .fallback = "1", .min = 1,
     .max = MOST, .help = "cells along the cylinder"},
};
static const settings_table table_capsule = {SHAPE_TABLE("capsule", capsule_entries, "a cylinder around z, closed by hemispheres (a spherocylinder) of polygons")};

static const setting prism_entries[] = {
    LENGTH("width", width, "of the base of its triangles, along x"), LENGTH("height", height, "of its ridge over the base, along z"),
    LENGTH("length", length, "along y"), CELLS("along", along, 1, "cells along y"),
    PARTS("divisions of each edge of these triangles"),
};
static const settings_table table_prism = {SHAPE_TABLE("prism", prism_entries, "a prism: an isosceles triangle extruded along y, its base at z = 0")};

static const setting tube_entries[] = {
    LENGTH("radius", radius, "of the tube"), LENGTH("length", length, "along z"),
    CELLS("around", around, 3, "cells around"), CELLS("along", along, 1, "cells along z"),
};
static const settings_table table_tube = {SHAPE_TABLE("tube", tube_entries, "the side of a cylinder around z, open at both ends")};

static const char *const profile_shapes[] = {"[[r, z], ...]", NULL};
static const setting revolution_entries[] = {
    {.name = "profile", .type = SETTING_SHAPE, .unit = "length", .choices = profile_shapes, .form = &form_profile,
     .help = "two or more points: distance from the axis and z. Ends on the axis close the surface there; a last point equal to the first closes the profile"},
    CELLS("around", around, 3, "cells around"),
};
static const settings_table table_revolution = {SHAPE_TABLE("revolution", revolution_entries, "a surface of revolution around z: vessels, hoppers, drums")};

static const setting spikes_entries[] = {
    LENGTH("length", length, "of the plate, along x"), LENGTH("width", width, "of the plate, along y"),
    CELLS("along", along, 1, "spikes along x"), CELLS("across", across, 1, "spikes along y"),
    LENGTH("height", height, "of the spikes, along z"), LENGTH("radius", radius, "of the hexagons at their bases"),
};
static const settings_table table_spikes = {SHAPE_TABLE("spikes", spikes_entries, "a flat plate with pyramids of six triangles")};

static const setting knot_entries[] = {
    LENGTH("length", length, "of each ribbon"), LENGTH("width", width, "of the ribbons"),
    CELLS("along", along, 1, "cells along a ribbon; its bends need at least 100"), CELLS("across", across, 1, "cells across"),
};
static const settings_table table_reef_knot = {SHAPE_TABLE("reef_knot", knot_entries, "two ribbons in a loose reef knot, their ends along -x and x")};
static const settings_table table_bowline = {SHAPE_TABLE("bowline", knot_entries, "a ribbon in a loose bowline, its standing end along y")};

#define SHAPE(kind, words) SHAPE_NAMED(kind, kind, words)
#define SHAPE_NAMED(kind, of, words) {.name = #kind, .type = SETTING_TABLE, .unit = "", .table = &table_##of, .help = words}
static const setting shape_entries[] = {
    [SHAPE_RECTANGLE] = SHAPE(rectangle, "flat, with normal z"), [SHAPE_DISK] = SHAPE(disk, "flat, with normal z"), [SHAPE_RIBBON] = SHAPE(ribbon, "along a curve"),
    [SHAPE_SPHERE] = SHAPE(sphere, "of nearly equal triangles"), [SHAPE_GLOBE] = SHAPE(globe, "of meridians and circles of latitude"), [SHAPE_TORUS] = SHAPE(torus, "around z"),
    [SHAPE_SOLID] = SHAPE(solid, "one of the platonic solids"), [SHAPE_BOX] = SHAPE_NAMED(box, box_shape, "along the axes"), [SHAPE_CAPSULE] = SHAPE(capsule, "a spherocylinder around z"),
    [SHAPE_PRISM] = SHAPE(prism, "a triangular prism along y"), [SHAPE_TUBE] = SHAPE(tube, "an open cylinder around z"),
    [SHAPE_REVOLUTION] = SHAPE(revolution, "a profile that turns around z"),
    [SHAPE_SPIKES] = SHAPE(spikes, "a plate with sharp pyramids"), [SHAPE_REEF_KNOT] = SHAPE(reef_knot, "two ribbons, tied loosely"), [SHAPE_BOWLINE] = SHAPE(bowline, "one ribbon, tied loosely"),
};
const settings_table table_shape = {SHAPE_TABLE("shape", shape_entries, "a generated mesh: a map of one of these keys")};

/* clang-format on */

/* ---- The key as a whole ---- */

/* Checks of several keys. */
static void check_shape(reader *r, const node *map, const scene_shape *shape)
{
    const node *radius = tree_get(r->t, map, "radius"), *tube = tree_get(r->t, map, "tube");
    const node *length = tree_get(r->t, map, "length");
    const double cell = fmin(shape->length / (double)shape->along, shape->width / (double)shape->across);
    if (shape->kind == SHAPE_TORUS && tube != NULL && radius != NULL && shape->tube >= shape->radius)
        fault_add(r->f, tube, "'tube' must be less than 'radius', %.10g: this torus would intersect itself",
                  shape->radius);
    if (shape->kind == SHAPE_SPIKES && radius != NULL && shape->radius >= cell / 2)
        fault_add(r->f, radius, "'radius' must be less than half the distance of the spikes, %.10g", cell / 2);
    if (shape->kind != SHAPE_REEF_KNOT && shape->kind != SHAPE_BOWLINE) return;
    const double least = shape->width * mesh_knot_length(shape->kind == SHAPE_BOWLINE ? BOWLINE : REEF_KNOT);
    if (length != NULL && shape->length < least)
        fault_add(r->f, length, "ribbons %.10g wide must be at least %.10g long for this knot", shape->width, least);
}

static void read_shape(reader *r, const node *n, void *into)
{
    scene_shape *shape = &((scene_mesh *)into)->shape;
    const char *words[32] = {NULL};
    if (!value_is_map(r, n, "a map of one shape, as {sphere: {radius: 1, parts: 4}}")) return;
    const node *form = value_only_key(r, n, "shape");
    if (form == NULL) return;
    for (size_t i = 0; i < table_shape.count; i++) words[i] = table_shape.entries[i].name;
    int kind = value_choice(r, tree_key(r->t, form), "shape", words);
    if (kind < 0) return;
    shape->kind = (scene_shape_kind)kind;
    if (settings_read_map(r, table_shape.entries[kind].table, form, shape)) check_shape(r, form, shape);
}

static void write_shape(writer *w, const void *from)
{
    const scene_shape *shape = &((const scene_mesh *)from)->shape;
    const setting *kind = &table_shape.entries[shape->kind];
    text_add(w->out, "\n      %s:", kind->name);
    write_lines(w, kind->table, shape, 8);
}

const setting_form form_shape = {read_shape, write_shape, true};

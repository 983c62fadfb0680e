/* The part of the scene language that is about meshes. */
#include <math.h>

#include "scene/language/language.h"

/* clang-format off */
#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define SHAPE_TABLE(text, list, words) {.name = text, .help = words, .size = sizeof(scene_shape), .entries = list, .count = COUNT(list)}

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
     .help = "rows shifted by half a cell and inner vertices moved at random, so that no direction is preferred"},
    {.name = "seed", .type = SETTING_INTEGER, .offset = offsetof(scene_shape, seed), .unit = "", .fallback = "0",
     .help = "of these random moves"},
};
static const settings_table table_rectangle = SHAPE_TABLE("rectangle", rectangle_entries, "a flat rectangle around the origin, looking along z");

static const setting disk_entries[] = {
    LENGTH("radius", radius, "of the disk"), CELLS("rings", rings, 1, "rings of triangles; 6 more triangles' sides in each"),
};
static const settings_table table_disk = SHAPE_TABLE("disk", disk_entries, "a flat disk around the origin, looking along z");

static const char *const side_shapes[] = {"[x, y, z]", "[[x, y, z], ...]", NULL};
static const char *const point_shapes[] = {"[[x, y, z], ...]", NULL};
static const setting ribbon_entries[] = {
    {.name = "points", .type = SETTING_SHAPE, .unit = "length", .choices = point_shapes,
     .help = "two or more, through which its middle runs smoothly"},
    {.name = "sides", .type = SETTING_SHAPE, .unit = "", .choices = side_shapes,
     .help = "the direction across the ribbon: one for all, or one a point; what of it is along the curve is left out"},
    LENGTH("width", width, "of the ribbon"),
    CELLS("along", along, 1, "cells along the ribbon"), CELLS("across", across, 1, "cells across"),
};
static const settings_table table_ribbon = SHAPE_TABLE("ribbon", ribbon_entries, "a ribbon along a curve");

static const setting sphere_entries[] = {
    LENGTH("radius", radius, "of the sphere; vertices lie on it"),
    PARTS("of each edge of the icosahedron that it is made from; 10 parts^2 + 2 vertices"),
};
static const settings_table table_sphere = SHAPE_TABLE("sphere", sphere_entries, "a sphere of nearly equal triangles");

static const setting globe_entries[] = {
    LENGTH("radius", radius, "of the sphere; vertices lie on it"),
    CELLS("around", around, 3, "meridians"), CELLS("rings", rings, 2, "bands between circles of latitude"),
};
static const settings_table table_globe = SHAPE_TABLE("globe", globe_entries, "a sphere of meridians and circles of latitude, poles on z");

static const setting torus_entries[] = {
    LENGTH("radius", radius, "from the centre to the middle of the tube"), LENGTH("tube", tube, "radius of the tube, less than the other"),
    CELLS("around", around, 3, "cells around the axis, z"), CELLS("across", across, 3, "cells around the tube"),
};
static const settings_table table_torus = SHAPE_TABLE("torus", torus_entries, "a torus around z");

static const char *const solid_words[] = {"tetrahedron", "cube", "octahedron", "dodecahedron", "icosahedron", NULL};
static const setting solid_entries[] = {
    {.name = "kind", .type = SETTING_CHOICE, .offset = offsetof(scene_shape, solid), .unit = "", .choices = solid_words,
     .help = "which"},
    LENGTH("radius", radius, "from the centre to the corners"),
    PARTS("of each edge; every triangle becomes parts^2"),
};
static const settings_table table_solid = SHAPE_TABLE("solid", solid_entries, "a platonic solid around the origin");

static const setting prism_entries[] = {
    LENGTH("width", width, "of the base of its triangles, along x"), LENGTH("height", height, "of its ridge over the base, along z"),
    LENGTH("length", length, "along y"), CELLS("along", along, 1, "cells along y"),
    PARTS("of each edge of all these triangles"),
};
static const settings_table table_prism = SHAPE_TABLE("prism", prism_entries, "a roof: an isosceles triangle drawn out along y, its base at z = 0");

static const setting tube_entries[] = {
    LENGTH("radius", radius, "of the tube"), LENGTH("length", length, "along z"),
    CELLS("around", around, 3, "cells around"), CELLS("along", along, 1, "cells along z"),
};
static const settings_table table_tube = SHAPE_TABLE("tube", tube_entries, "the side of a cylinder around z, open at both ends");

static const setting spikes_entries[] = {
    LENGTH("length", length, "of the plate, along x"), LENGTH("width", width, "of the plate, along y"),
    CELLS("along", along, 1, "spikes along x"), CELLS("across", across, 1, "spikes along y"),
    LENGTH("height", height, "of the spikes, along z"), LENGTH("radius", radius, "of the hexagons that they stand on"),
};
static const settings_table table_spikes = SHAPE_TABLE("spikes", spikes_entries, "a flat plate with pyramids of six triangles");

static const setting knot_entries[] = {
    LENGTH("length", length, "of each ribbon"), LENGTH("width", width, "of the ribbons"),
    CELLS("along", along, 1, "cells along a ribbon; its turns need 100 and more"), CELLS("across", across, 1, "cells across"),
};
static const settings_table table_reef_knot = SHAPE_TABLE("reef_knot", knot_entries, "two ribbons in a loose reef knot, their ends along -x and x");
static const settings_table table_bowline = SHAPE_TABLE("bowline", knot_entries, "a ribbon in a loose bowline, its standing end along y");

#define SHAPE(kind, words) {.name = #kind, .type = SETTING_TABLE, .unit = "", .table = &table_##kind, .help = words}
static const setting shape_entries[] = {
    [SHAPE_RECTANGLE] = SHAPE(rectangle, "flat, looking along z"), [SHAPE_DISK] = SHAPE(disk, "flat, looking along z"), [SHAPE_RIBBON] = SHAPE(ribbon, "along a curve"),
    [SHAPE_SPHERE] = SHAPE(sphere, "of nearly equal triangles"), [SHAPE_GLOBE] = SHAPE(globe, "of meridians and circles of latitude"), [SHAPE_TORUS] = SHAPE(torus, "around z"),
    [SHAPE_SOLID] = SHAPE(solid, "one of the platonic solids"), [SHAPE_PRISM] = SHAPE(prism, "a roof along y"), [SHAPE_TUBE] = SHAPE(tube, "an open cylinder around z"),
    [SHAPE_SPIKES] = SHAPE(spikes, "a plate with sharp pyramids"), [SHAPE_REEF_KNOT] = SHAPE(reef_knot, "two ribbons, tied loosely"), [SHAPE_BOWLINE] = SHAPE(bowline, "one ribbon, tied loosely"),
};
const settings_table table_shape = SHAPE_TABLE("shape", shape_entries, "a mesh made to measure: a map of one of these keys");

static const setting rotate_entries[] = {
    {.name = "axis", .type = SETTING_VECTOR, .offset = offsetof(scene_mesh, axis), .unit = "", .fallback = "[0, 0, 1]",
     .help = "through the origin; of any length but zero"},
    {.name = "angle", .type = SETTING_REAL, .offset = offsetof(scene_mesh, angle), .unit = "radians", .fallback = "0",
     .help = "counterclockwise, seen from where the axis points to"},
};
static const settings_table table_rotate = {"rotate", "a turn about an axis", sizeof(scene_mesh), rotate_entries, COUNT(rotate_entries)};

static const setting place_entries[] = {
    {.name = "scale", .type = SETTING_REAL, .offset = offsetof(scene_mesh, scale), .unit = "", .fallback = "1", .min = 0,
     .max = INFINITY, .above_min = true, .help = "first all coordinates are multiplied by this"},
    {.name = "rotate", .type = SETTING_TABLE, .unit = "", .table = &table_rotate, .help = "then the mesh is turned about an axis through the origin"},
    {.name = "at", .type = SETTING_VECTOR, .offset = offsetof(scene_mesh, at), .unit = "length", .fallback = "[0, 0, 0]",
     .help = "where the origin of the mesh comes to lie"},
};
static const settings_table table_place = {"place", "where a mesh is", sizeof(scene_mesh), place_entries, COUNT(place_entries)};

static const char *const shape_shapes[] = {"{rectangle: {...}}", "{disk: {...}}", "{ribbon: {...}}", "{sphere: {...}}",
                                           "{globe: {...}}", "{torus: {...}}", "{solid: {...}}", "{prism: {...}}",
                                           "{tube: {...}}", "{spikes: {...}}", "{reef_knot: {...}}", "{bowline: {...}}", NULL};
static const setting damping_entries[] = {
    {.name = "stretch", .type = SETTING_REAL, .offset = offsetof(scene_mesh, stretch_damping), .unit = "force time / length", .fallback = "0",
     .min = 0, .max = INFINITY, .help = "tension by the rate of strain, as stretch is by the strain"},
    {.name = "bend", .type = SETTING_REAL, .offset = offsetof(scene_mesh, bend_damping), .unit = "energy time", .fallback = "0", .min = 0,
     .max = INFINITY, .help = "moment by the rate of bending, as bend is by the bending"},
};
static const settings_table table_damping = {"damping", "proportional to stiffness", sizeof(scene_mesh), damping_entries, COUNT(damping_entries)};

static const setting yield_entries[] = {
    {.name = "angle", .type = SETTING_REAL, .offset = offsetof(scene_mesh, yield_angle), .unit = "radians", .fallback = "", .min = 0,
     .max = INFINITY, .above_min = true, .help = "by which an edge may bend from rest; beyond, its rest follows. Not given: elastic"},
    {.name = "hardening", .type = SETTING_REAL, .offset = offsetof(scene_mesh, hardening), .unit = "", .fallback = "0", .min = 0,
     .max = INFINITY, .help = "by which the yield angle grows with each radian of plastic bending"},
};
static const settings_table table_yield = {"yield", "plastic bending", sizeof(scene_mesh), yield_entries, COUNT(yield_entries)};

static const char *const repair_shapes[] = {"[weld, drop_unreferenced, orient, fill]", NULL};
static const char *const rest_words[] = {"mesh", "flat", NULL};
static const setting meshes_entries[] = {
    {.name = "name", .type = SETTING_TEXT, .offset = offsetof(scene_mesh, name), .unit = "", .help = "what messages call it"},
    {.name = "file", .type = SETTING_TEXT, .offset = offsetof(scene_mesh, file), .unit = "", .fallback = "",
     .help = "OBJ, STL, PLY, OFF or Gmsh MSH (2.2 and 4.1, text), by the ending; the path counts from the scene's folder"},
    {.name = "repair", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = repair_shapes,
     .help = "what may be changed of a file: vertices at one place become one; vertices without triangles go; triangles that look to the "
             "other side than most are turned; holes are closed. Of rigid meshes triangles are turned in any case"},
    {.name = "weld_within", .type = SETTING_REAL, .offset = offsetof(scene_mesh, weld_within), .unit = "length", .fallback = "0", .min = 0,
     .max = INFINITY, .help = "with `repair: [weld]`: vertices as near to each other as this, in the file before it is scaled, become one; 0: those at "
             "exactly one place"},
    {.name = "shape", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = shape_shapes, .table = &table_shape,
     .help = "instead of a file: made to measure"},
    {.name = "place", .type = SETTING_TABLE, .unit = "", .table = &table_place, .help = "where it is"},
    {.name = "species", .type = SETTING_SHAPE, .unit = "", .fallback = "", .help = "whose contacts it has; the first one where none is given"},
    {.name = "thickness", .type = SETTING_REAL, .offset = offsetof(scene_mesh, thickness), .unit = "length", .fallback = "", .min = 0,
     .max = INFINITY, .above_min = true, .help = "of the shell; a rigid mesh needs none in `hard`, and one that is not rigid is then only looked at by `carom check`"},
    {.name = "density", .type = SETTING_REAL, .offset = offsetof(scene_mesh, density), .unit = "mass / volume", .fallback = "1", .min = 0,
     .max = INFINITY, .above_min = true, .help = "a vertex has a third of the mass of its triangles: density * thickness * area"},
    {.name = "velocity", .type = SETTING_VECTOR, .offset = offsetof(scene_mesh, velocity), .unit = "speed", .fallback = "[0, 0, 0]",
     .help = "of all vertices at the start"},
    {.name = "rigid", .type = SETTING_BOOL, .offset = offsetof(scene_mesh, rigid), .unit = "", .fallback = "false",
     .help = "an obstacle: it stays where it is, or moves as a drive says"},
    {.name = "stretch", .type = SETTING_REAL, .offset = offsetof(scene_mesh, stretch), .unit = "force / length", .fallback = "0", .min = 0,
     .max = INFINITY, .help = "stiffness against stretching: Young's modulus times the thickness"},
    {.name = "poisson", .type = SETTING_REAL, .offset = offsetof(scene_mesh, poisson), .unit = "", .fallback = "0.3", .min = 0,
     .max = 0.5, .help = "Poisson's ratio, of stretching"},
    {.name = "bend", .type = SETTING_REAL, .offset = offsetof(scene_mesh, bend), .unit = "energy", .fallback = "0", .min = 0, .max = INFINITY,
     .help = "stiffness against bending: the energy of an edge e between triangles of areas A and B, bent by an angle a from rest, is bend "
             "a^2 3 e^2 / (A + B)"},
    {.name = "damping", .type = SETTING_TABLE, .unit = "", .table = &table_damping, .help = "proportional to stiffness"},
    {.name = "rest", .type = SETTING_CHOICE, .offset = offsetof(scene_mesh, rest), .unit = "", .fallback = "mesh", .choices = rest_words,
     .help = "angles at which edges are at rest: as the mesh has them, or flat"},
    {.name = "yield", .type = SETTING_TABLE, .unit = "", .table = &table_yield, .help = "plastic bending"},
};
const settings_table table_meshes = {"meshes", "a triangle mesh", sizeof(scene_mesh), meshes_entries, COUNT(meshes_entries)};

#include "scene/language/language.h"

#include <math.h>

/* clang-format off */
#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define TABLE(text, type, list, words) {.name = text, .help = words, .size = sizeof(type), .entries = list, .count = COUNT(list)}

const char *const boundary_words[] = {"periodic", "wall", "open", NULL};
const char *const place_words[] = {"fcc", "bcc", "sc", "square", "hexagonal", "random", "compress", NULL};
const char *const coming_engines[] = {"aggregation", "variational", NULL};

static const char *const size_shapes[] = {"[x, y, z]", "one number for all sides", NULL};
static const char *const boundary_shapes[] = {"periodic", "wall", "open", "[x, y, z] of these words", NULL};

static const setting box_entries[] = {
    {.name = "size", .type = SETTING_SHAPE, .unit = "length", .fallback = "", .choices = size_shapes,
     .help = "lengths of the sides; the box spans 0 to size. Either this or packing_fraction"},
    {.name = "packing_fraction", .type = SETTING_REAL, .offset = offsetof(scene_box, packing_fraction), .unit = "",
     .fallback = "", .min = 0, .max = 1, .above_min = true,
     .help = "share of the box that the particles fill; the size follows from it"},
    {.name = "aspect", .type = SETTING_VECTOR, .offset = offsetof(scene_box, aspect), .unit = "",
     .fallback = "[1, 1, 1]", .min = 0, .max = INFINITY, .above_min = true,
     .help = "ratios of the sides where packing_fraction gives the volume"},
    {.name = "boundary", .type = SETTING_SHAPE, .unit = "", .fallback = "periodic", .choices = boundary_shapes,
     .help = "what happens at the faces: come in again opposite, bounce, or leave"},
};
const settings_table table_box = TABLE("box", scene_box, box_entries, "the box that holds the particles");

static const char *const diameter_shapes[] = {"a number", "{uniform: [smallest, largest]}",
                                              "{normal: [mean, deviation], min: a, max: b}",
                                              "{lognormal: [mean, deviation], min: a, max: b}", NULL};
static const char *const semi_axes_shapes[] = {"[a, b] (2 dimensions)", "[a, b, b] (3 dimensions)", NULL};
static const setting species_entries[] = {
    {.name = "diameter", .type = SETTING_SHAPE, .unit = "length", .fallback = "", .choices = diameter_shapes,
     .help = "one size for all, or a distribution; draws outside [min, max] are repeated. Either this or radius"},
    {.name = "radius", .type = SETTING_SHAPE, .unit = "length", .fallback = "", .choices = diameter_shapes,
     .help = "half the diameter, in the same forms"},
    {.name = "semi_axes", .type = SETTING_SHAPE, .unit = "length", .fallback = "", .choices = semi_axes_shapes,
     .help = "instead of diameter: of an ellipse or an ellipsoid of revolution, the first along its axis (`hard`)"},
    {.name = "mass", .type = SETTING_REAL, .offset = offsetof(scene_species, mass), .unit = "mass", .fallback = "1",
     .min = 0, .max = INFINITY, .above_min = true, .help = "of each particle"},
    {.name = "density", .type = SETTING_REAL, .offset = offsetof(scene_species, density), .unit = "mass / volume",
     .fallback = "", .min = 0, .max = INFINITY, .above_min = true,
     .help = "instead of mass: mass = density * volume (area in 2 dimensions)"},
    {.name = "inertia", .type = SETTING_REAL, .offset = offsetof(scene_species, inertia), .unit = "", .fallback = "",
     .min = 0, .max = 1, .above_min = true,
     .help = "moment of inertia in units of mass * diameter^2 / 4, where particles turn (`hard`); of a solid sphere, 0.4, "
             "or disk, 0.5, where it is left out; of ellipsoids across their axis, the diameter the longest"},
};
const settings_table table_species = TABLE("species", scene_species, species_entries, "a kind of particle");

static const setting compress_entries[] = {
    {.name = "rate", .type = SETTING_REAL, .offset = offsetof(scene_particles, compress_rate), .unit = "",
     .fallback = "0.01", .min = 0, .max = INFINITY, .above_min = true,
     .help = "growth rate of the diameters relative to the thermal speed; slower packs denser"},
    {.name = "from", .type = SETTING_REAL, .offset = offsetof(scene_particles, compress_from), .unit = "",
     .fallback = "0.2", .min = 0, .max = 1, .above_min = true,
     .help = "packing fraction at which the compression starts"},
};
const settings_table table_compress =
    TABLE("compress", scene_particles, compress_entries, "grow the particles from random places (Lubachevsky-Stillinger)");

static const setting walk_entries[] = {
    {.name = "length", .type = SETTING_INTEGER, .offset = offsetof(scene_particles, walk_length), .unit = "",
     .min = 1, .max = INFINITY, .help = "particles in each walk"},
    {.name = "step", .type = SETTING_REAL, .offset = offsetof(scene_particles, walk_step), .unit = "length",
     .min = 0, .max = INFINITY, .above_min = true, .help = "from each particle to the next; they must not overlap"},
};
const settings_table table_walk =
    TABLE("walk", scene_particles, walk_entries, "random walks, one after another, that overlap nothing");

static const char *const name_of_mesh[] = {"NAME", NULL};
#define REGION(text, type_of, field, words) \
    {.name = text, .type = type_of, .offset = offsetof(scene_region, field), .unit = "length", .help = words}
#define REGION_RADIUS \
    {.name = "radius", .type = SETTING_REAL, .offset = offsetof(scene_region, radius), .unit = "length", .min = 0, \
     .max = INFINITY, .above_min = true, .help = "of the region"}
static const setting region_box_entries[] = {
    REGION("from", SETTING_VECTOR, from, "lowest coordinates"), REGION("to", SETTING_VECTOR, to, "highest coordinates"),
};
static const settings_table table_region_box = TABLE("box", scene_region, region_box_entries, "a box along the axes");
static const setting region_ball_entries[] = {REGION("centre", SETTING_VECTOR, from, "of the ball"), REGION_RADIUS};
static const settings_table table_region_ball = TABLE("ball", scene_region, region_ball_entries, "a ball, in 2 dimensions a disk");
static const setting region_cylinder_entries[] = {
    REGION("from", SETTING_VECTOR, from, "one end of the axis"), REGION("to", SETTING_VECTOR, to, "the other end"),
    REGION_RADIUS,
};
static const settings_table table_region_cylinder =
    TABLE("cylinder", scene_region, region_cylinder_entries, "a cylinder with flat ends (3 dimensions)");
static const setting region_entries[] = {
    {.name = "box", .type = SETTING_TABLE, .unit = "", .table = &table_region_box, .help = "a box along the axes"},
    {.name = "ball", .type = SETTING_TABLE, .unit = "", .table = &table_region_ball, .help = "a ball, in 2 dimensions a disk"},
    {.name = "cylinder", .type = SETTING_TABLE, .unit = "", .table = &table_region_cylinder,
     .help = "a cylinder with flat ends (3 dimensions)"},
};
const settings_table table_region = TABLE("region", scene_region, region_entries, "a part of the box: a map of one of these keys");
static const char *const region_shapes[] = {"{box: {from: [x, y, z], to: [x, y, z]}}", "{ball: {centre: [x, y, z], radius: R}}",
                                            "{cylinder: {from: [x, y, z], to: [x, y, z], radius: R}}", NULL};
static const setting random_entries[] = {
    {.name = "inside", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = name_of_mesh,
     .help = "a closed mesh that is around them all; left out: anywhere outside closed rigid meshes"},
    {.name = "outside", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = name_of_mesh,
     .help = "a closed mesh whose inside stays empty; that of rigid ones does in any case"},
    {.name = "region", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = region_shapes, .table = &table_region,
     .help = "a part of the box in which they lie, surfaces included; left out: the whole box"},
};
const settings_table table_random =
    TABLE("random", scene_particles, random_entries, "random places, one after another, that overlap nothing");

static const char *const frame_numbers[] = {"N", NULL};
static const setting place_entries[] = {
    {.name = "file", .type = SETTING_TEXT, .unit = "", .fallback = "",
     .help = "places from a file: extended XYZ, or H5MD as carom writes it, whose mesh vertices are left out"},
    {.name = "frame", .type = SETTING_SHAPE, .unit = "", .fallback = "-1", .choices = frame_numbers,
     .help = "beside `file`: which of its frames, from 0, or backwards from -1, the last"},
    {.name = "random", .type = SETTING_TABLE, .unit = "", .table = &table_random,
     .help = "random places, one after another, that overlap nothing"},
    {.name = "compress", .type = SETTING_TABLE, .unit = "", .table = &table_compress,
     .help = "grow the particles from random places (Lubachevsky-Stillinger)"},
    {.name = "walk", .type = SETTING_TABLE, .unit = "", .table = &table_walk,
     .help = "random walks, one after another, that overlap nothing: chains to be bonded"},
};
/* Its first two rows go together, the others are forms of their own. */
const settings_table table_place_file = {.name = "place", .help = "places from a file", .size = sizeof(scene_particles), .entries = place_entries, .count = 2};
static const settings_table table_place = TABLE("place", scene_particles, place_entries, "where the particles start");

static const char *const member_shapes[] = {"NAME", "{NAME: ratio, NAME: ratio, ...}", NULL};
static const char *const place_shapes[] = {"fcc, bcc, sc (3 dimensions)", "square, hexagonal (2 dimensions)",
                                           "random", "{random: {inside: MESH, outside: MESH, region: {...}}}", "compress", "{compress: {rate: 0.01, from: 0.2}}", "{walk: {length: 8, step: 1.05}}",
                                           "{file: PATH, frame: -1}", "{at: [[x, y, z], ...]}", NULL};
static const char *const velocity_shapes[] = {"zero", "{maxwell: temperature}", "{maxwell: {SPECIES: temperature, ...}}", "{uniform: [a, b]}",
                                              "{circle: speed}", "file", "{each: [vx, vy, vz]}",
                                              "{each: [[vx, vy, vz], ...]}", NULL};
static const char *const turning_shapes[] = {"zero", "{maxwell: temperature}", "file", "{each: w}", "{each: [w, ...]}",
                                             "{each: [wx, wy, wz]}", "{each: [[wx, wy, wz], ...]}", NULL};
static const char *const orientation_shapes[] = {"random", "file", "{along: [x, y, z]}", "{each: [[x, y, z], ...]}", NULL};
static const setting particles_entries[] = {
    {.name = "species", .type = SETTING_SHAPE, .unit = "", .choices = member_shapes,
     .help = "one species, or several in number ratios"},
    {.name = "count", .type = SETTING_INTEGER, .offset = offsetof(scene_particles, count), .unit = "", .fallback = "",
     .help = "how many particles; needed unless a file or a list gives the places"},
    {.name = "place", .type = SETTING_SHAPE, .unit = "length", .choices = place_shapes,
     .table = &table_place,
     .help = "a lattice that fills the box, random places, a compression, places from a file (extended XYZ or H5MD; "
             "its path counts from the scene's folder), or a list"},
    {.name = "velocity", .type = SETTING_SHAPE, .unit = "speed", .fallback = "zero", .choices = velocity_shapes,
     .help = "at rest; of a temperature; each component uniform in [a, b]; one speed in random directions; from the "
             "file of place; one vector for all or a list"},
    {.name = "zero_momentum", .type = SETTING_BOOL, .offset = offsetof(scene_particles, zero_momentum), .unit = "",
     .fallback = "false", .help = "take the centre-of-mass velocity of the particles of this entry away"},
    {.name = "angular_velocity", .type = SETTING_SHAPE, .unit = "1 / time", .fallback = "zero",
     .choices = turning_shapes,
     .help = "not turning; of a temperature; from the file of place, as with `velocity: file` where this is left out and the file has "
             "them; one for all or a list, numbers in 2 dimensions (`hard`)"},
    {.name = "orientation", .type = SETTING_SHAPE, .unit = "", .fallback = "random", .choices = orientation_shapes,
     .help = "of the axes of ellipsoids: any direction; from the file of place, as where this is left out and the file has them; one for "
             "all; a list (`hard`)"},
};
const settings_table table_particles = TABLE("particles", scene_particles, particles_entries, "a group of particles");

static const char *const between_shapes[] = {"[SPECIES, SPECIES]", "[SPECIES, wall]", "[SPECIES, PLANE]", "[SPECIES, CYLINDER]", NULL};
static const char *const restitution_shapes[] = {"a number in [0, 1]", "{viscoelastic: A}",
                                                 "{table: [[speed, e], ...]}", NULL};
static const char *const stick_shapes[] = {"always", "{below: speed}", NULL};
static const setting contact_entries[] = {
    {.name = "between", .type = SETTING_SHAPE, .unit = "", .choices = between_shapes,
     .help = "the two that touch; wall stands for all walls of the box"},
    {.name = "restitution", .type = SETTING_SHAPE, .unit = "", .fallback = "1", .choices = restitution_shapes,
     .help = "coefficient of normal restitution: constant, falling with the impact speed as for viscoelastic "
             "spheres, or interpolated in a table"},
    {.name = "stick", .type = SETTING_SHAPE, .unit = "", .fallback = "always", .choices = stick_shapes,
     .help = "whether the two stick for good when they touch, in `aggregation`: always, or at impact speeds below one "
             "(faster ones bounce)"},
    {.name = "friction", .type = SETTING_REAL, .offset = offsetof(restitution_law, friction), .unit = "",
     .fallback = "", .min = 0, .max = INFINITY,
     .help = "coefficient of Coulomb friction: in `variational` (left out: 0, smooth); in `hard` of rough spheres, where it "
             "limits what `tangential` does (left out: nothing does)"},
    {.name = "tangential", .type = SETTING_REAL, .offset = offsetof(restitution_law, tangential), .unit = "",
     .fallback = "-1", .min = -1, .max = 1,
     .help = "coefficient of tangential restitution of rough spheres (`hard`): what is left, turned round, of the speed at "
             "which the surfaces slide; -1: smooth, 1: perfectly rough"},
    {.name = "temperature", .type = SETTING_REAL, .offset = offsetof(restitution_law, temperature), .unit = "energy",
     .fallback = "", .min = 0, .max = INFINITY, .above_min = true,
     .help = "of a thermal wall, plane, cylinder or mesh (`hard`): what hits it comes off with a velocity of this temperature, drawn "
             "anew, instead of bouncing"},
};
const settings_table table_contact =
    TABLE("contacts", restitution_law, contact_entries, "how a pair bounces; pairs not listed are elastic");

static const setting plane_entries[] = {
    {.name = "name", .type = SETTING_TEXT, .offset = offsetof(scene_plane, name), .unit = "",
     .help = "what contacts call it"},
    {.name = "point", .type = SETTING_VECTOR, .offset = offsetof(scene_plane, point), .unit = "length",
     .help = "any point of the plane"},
    {.name = "normal", .type = SETTING_VECTOR, .offset = offsetof(scene_plane, normal), .unit = "",
     .help = "points to the side where particles are; any length but zero"},
};
const settings_table table_plane = TABLE("planes", scene_plane, plane_entries, "a fixed plane");

static const char *const axis_shapes[] = {"[x, y, z] (3 dimensions)", NULL};
static const char *const side_words[] = {"inside", "outside", NULL};
static const setting cylinder_entries[] = {
    {.name = "name", .type = SETTING_TEXT, .offset = offsetof(scene_cylinder, name), .unit = "",
     .help = "what contacts call it"},
    {.name = "through", .type = SETTING_VECTOR, .offset = offsetof(scene_cylinder, through), .unit = "length",
     .help = "any point of the axis; in 2 dimensions the centre"},
    {.name = "axis", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = axis_shapes,
     .help = "its direction (required in 3 dimensions); any length but zero"},
    {.name = "radius", .type = SETTING_REAL, .offset = offsetof(scene_cylinder, radius), .unit = "length", .min = 0,
     .max = INFINITY, .above_min = true, .help = "of the surface that particles touch"},
    {.name = "side", .type = SETTING_CHOICE, .offset = offsetof(scene_cylinder, side), .unit = "", .choices = side_words,
     .help = "where particles are"},
};
const settings_table table_cylinder =
    TABLE("cylinders", scene_cylinder, cylinder_entries, "a cylinder without ends; in 2 dimensions a circle");

static const setting range_entries[] = {
    {.name = "from", .type = SETTING_INTEGER, .offset = offsetof(read_range, from), .unit = "",
     .help = "number of the first particle; they count from 0, in the order of `particles`"},
    {.name = "to", .type = SETTING_INTEGER, .offset = offsetof(read_range, to), .unit = "",
     .help = "number of the last particle"},
};
const settings_table table_range = TABLE("range", read_range, range_entries, "particles that follow one another");

static const char *const numbers_shapes[] = {"[i, j, {from: FIRST, to: LAST}, ...]", "{from: FIRST, to: LAST}", NULL};
static const char *const pair_shapes[] = {"[[i, j], ...]", NULL};
static const char *const triple_shapes[] = {"[[i, j, k], ...]", NULL};
static const char *const chain_shapes[] = {"{from: FIRST, to: LAST}", NULL};
static const char *const length_shapes[] = {"a number", "placed", NULL};
#define PAIRS(text)                                                                                                    \
    {.name = "pairs", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = pair_shapes, .help = text},        \
    {.name = "chain", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = chain_shapes,                      \
     .help = "instead of pairs: each of these particles and the next"}

static const setting springs_entries[] = {
    {.name = "name", .type = SETTING_TEXT, .offset = offsetof(scene_springs, name), .unit = "",
     .help = "what messages call them"},
    PAIRS("particles at the two ends, by their numbers: from 0, in the order of `particles`"),
    {.name = "stiffness", .type = SETTING_REAL, .offset = offsetof(scene_springs, stiffness), .unit = "force / length",
     .min = 0, .max = INFINITY, .help = "energy: stiffness / 2 times the square of the stretch"},
    {.name = "damping", .type = SETTING_REAL, .offset = offsetof(scene_springs, damping), .unit = "force / speed",
     .fallback = "0", .min = 0, .max = INFINITY, .help = "of the speed at which the ends part"},
    {.name = "length", .type = SETTING_SHAPE, .unit = "length", .fallback = "placed", .choices = length_shapes,
     .help = "at rest; placed: each as long as it is at the start"},
};
const settings_table table_springs = TABLE("springs", scene_springs, springs_entries, "springs between pairs of particles");

static const setting hinges_entries[] = {
    {.name = "name", .type = SETTING_TEXT, .offset = offsetof(scene_hinges, name), .unit = "",
     .help = "what messages call them"},
    {.name = "triples", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = triple_shapes,
     .help = "particles by their numbers; the hinge is at the middle one"},
    {.name = "chain", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = chain_shapes,
     .help = "instead of triples: each of these particles and the next two"},
    {.name = "stiffness", .type = SETTING_REAL, .offset = offsetof(scene_hinges, stiffness), .unit = "energy / radian^2",
     .min = 0, .max = INFINITY, .help = "energy: stiffness / 2 times the square of the angle from rest"},
    {.name = "angle", .type = SETTING_SHAPE, .unit = "radians", .fallback = "placed", .choices = length_shapes,
     .help = "at rest, by which the way along the triple turns to the left, 0 for a straight one; placed: each as it is "
             "at the start"},
};
const settings_table table_hinges =
    TABLE("hinges", scene_hinges, hinges_entries, "angular springs at the middle of triples of particles (2 dimensions)");

static const setting segments_entries[] = {
    {.name = "name", .type = SETTING_TEXT, .offset = offsetof(scene_segments, name), .unit = "",
     .help = "what messages call them"},
    PAIRS("particles at the two ends, by their numbers"),
    {.name = "diameter", .type = SETTING_REAL, .offset = offsetof(scene_segments, diameter), .unit = "length",
     .min = 0, .max = INFINITY, .above_min = true, .help = "thickness; the ends are round"},
    {.name = "species", .type = SETTING_SHAPE, .unit = "", .help = "whose contacts they have"},
};
const settings_table table_segments = TABLE("segments", scene_segments, segments_entries,
                                            "rods between pairs of particles, which others touch; without mass, they move with their ends");

static const setting turn_entries[] = {
    {.name = "axis", .type = SETTING_VECTOR, .offset = offsetof(scene_motion, axis), .unit = "", .fallback = "",
     .help = "of any length but zero (required for meshes; a cylinder has its own)"},
    {.name = "through", .type = SETTING_VECTOR, .offset = offsetof(scene_motion, through), .unit = "length", .fallback = "",
     .help = "likewise: a point of the axis when this motion begins; from then on the axis moves with the velocity"},
    {.name = "rate", .type = SETTING_REAL, .offset = offsetof(scene_motion, rate), .unit = "1 / time",
     .help = "in radians, counterclockwise seen from where the axis points to"},
};
const settings_table table_turn = TABLE("turn", scene_motion, turn_entries, "a turn about an axis");
static const char *const turn_shapes[] = {"{axis: [x, y, z], through: [x, y, z], rate: RADIANS}", "{rate: RADIANS} (of a cylinder)", NULL};

static const setting oscillate_entries[] = {
    {.name = "by", .type = SETTING_VECTOR, .offset = offsetof(scene_motion, swing), .unit = "length",
     .help = "amplitude: by * (sin(2 pi frequency (t - time) + phase) - sin(phase)) is added to the place"},
    {.name = "frequency", .type = SETTING_REAL, .offset = offsetof(scene_motion, frequency), .unit = "1 / time", .min = 0,
     .max = INFINITY, .above_min = true, .help = "in cycles"},
    {.name = "phase", .type = SETTING_REAL, .offset = offsetof(scene_motion, phase), .unit = "radians", .fallback = "0",
     .help = "when this motion begins"},
};
const settings_table table_oscillate = TABLE("oscillate", scene_motion, oscillate_entries, "a harmonic motion");
static const char *const oscillate_shapes[] = {"{by: [x, y, z], frequency: CYCLES, phase: RADIANS}", NULL};

static const setting motion_entries[] = {
    {.name = "time", .type = SETTING_REAL, .offset = offsetof(scene_motion, time), .unit = "time", .fallback = "0",
     .min = 0, .max = INFINITY, .help = "from when on; grows from item to item"},
    {.name = "velocity", .type = SETTING_VECTOR, .offset = offsetof(scene_motion, velocity), .unit = "speed",
     .fallback = "[0, 0, 0]", .help = "until the next item's time"},
    {.name = "turn", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = turn_shapes, .table = &table_turn,
     .help = "of meshes: they also turn about an axis; of cylinders: about their own"},
    {.name = "oscillate", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = oscillate_shapes, .table = &table_oscillate,
     .help = "of planes, cylinders and rigid meshes: they also swing to and fro (`hard`)"},
};
const settings_table table_motion = TABLE("motion", scene_motion, motion_entries, "a piece of a motion");

static const setting path_entries[] = {
    {.name = "time", .type = SETTING_REAL, .offset = offsetof(scene_waypoint, time), .unit = "time",
     .min = 0, .max = INFINITY, .help = "when they are there; grows from item to item"},
    {.name = "by", .type = SETTING_VECTOR, .offset = offsetof(scene_waypoint, by), .unit = "length",
     .help = "how far from where they start"},
};
const settings_table table_path = TABLE("path", scene_waypoint, path_entries, "a place on a path");

static const setting within_entries[] = {
    {.name = "from", .type = SETTING_VECTOR, .offset = offsetof(scene_drive, lowest), .unit = "length",
     .help = "lowest coordinates; what lies on its faces is within"},
    {.name = "to", .type = SETTING_VECTOR, .offset = offsetof(scene_drive, highest), .unit = "length",
     .help = "highest coordinates"},
};
const settings_table table_within = TABLE("within", scene_drive, within_entries, "a box");
static const char *const within_shapes[] = {"{from: [x, y, z], to: [x, y, z]}", NULL};

static const char *const names_shapes[] = {"[NAME, ...]", NULL};
static const setting when_entries[] = {
    {.name = "slower", .type = SETTING_REAL, .offset = offsetof(scene_drive, start.slower), .unit = "speed", .min = 0,
     .max = INFINITY, .above_min = true, .help = "all of them are slower than that, at each look ..."},
    {.name = "for", .type = SETTING_REAL, .offset = offsetof(scene_drive, start.lasting), .unit = "time", .fallback = "0",
     .min = 0, .max = INFINITY, .help = "... over this time; 0: at one look. What starts at rest and falls is slow at first"},
    {.name = "every", .type = SETTING_REAL, .offset = offsetof(scene_drive, start.every), .unit = "time", .min = 0,
     .max = INFINITY, .above_min = true, .help = "between two looks, at multiples of it"},
    {.name = "meshes", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = names_shapes,
     .help = "names of the meshes whose vertices are looked at; not given: all that moves"},
};
const settings_table table_when = TABLE("when", scene_drive, when_entries, "what a motion waits for");
static const char *const when_shapes[] = {"{slower: SPEED, for: TIME, every: TIME, meshes: [NAME, ...]}", NULL};
static const setting start_entries[] = {
    {.name = "when", .type = SETTING_SHAPE, .unit = "", .choices = when_shapes, .table = &table_when,
     .help = "the motion begins once all is at rest"},
    {.name = "free", .type = SETTING_BOOL, .offset = offsetof(scene_drive, start.free), .unit = "", .fallback = "false",
     .help = "until then they move freely, and are held from then on; false: they are held all the time"},
};
const settings_table table_start = TABLE("start", scene_drive, start_entries, "when a motion begins");
static const char *const start_shapes[] = {"{when: {...}, free: true}", NULL};

static const setting drives_entries[] = {
    {.name = "name", .type = SETTING_TEXT, .offset = offsetof(scene_drive, name), .unit = "",
     .help = "what messages call it"},
    {.name = "particles", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = numbers_shapes,
     .help = "which particles are moved, by their numbers. Either this, plane, cylinder or mesh"},
    {.name = "plane", .type = SETTING_SHAPE, .unit = "", .fallback = "", .help = "name of the plane that is moved"},
    {.name = "cylinder", .type = SETTING_SHAPE, .unit = "", .fallback = "", .help = "name of the cylinder that is moved (`hard`)"},
    {.name = "mesh", .type = SETTING_SHAPE, .unit = "", .fallback = "", .help = "name of the mesh whose vertices are moved: all of them"},
    {.name = "vertices", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = numbers_shapes,
     .help = "only these vertices of the mesh, by their numbers from 0"},
    {.name = "within", .type = SETTING_SHAPE, .unit = "length", .fallback = "", .choices = within_shapes, .table = &table_within,
     .help = "only those vertices of the mesh that start in this box"},
    {.name = "motion", .type = SETTING_LIST, .unit = "", .fallback = "[]", .table = &table_motion,
     .help = "velocities, one after another; at rest before the first. Without it they stay where they are"},
    {.name = "path", .type = SETTING_LIST, .unit = "", .fallback = "[]", .table = &table_path,
     .help = "places instead of velocities: straight on from one to the next, from the start to the first; at rest after the last"},
    {.name = "start", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = start_shapes, .table = &table_start,
     .help = "times count from when this is so, and not from the start of the run (`variational`)"},
};
const settings_table table_drives =
    TABLE("drives", scene_drive, drives_entries, "particles, vertices of a mesh, a plane or a cylinder that nothing but the scene moves");

static const char *const spin_shapes[] = {"a number (2 dimensions)", "[x, y, z] (3 dimensions)", NULL};
static const setting bodies_entries[] = {
    {.name = "name", .type = SETTING_TEXT, .offset = offsetof(scene_body, name), .unit = "",
     .help = "what messages call it"},
    {.name = "particles", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = numbers_shapes,
     .help = "which particles keep their distances from now on, by their numbers; two at least"},
    {.name = "mesh", .type = SETTING_SHAPE, .unit = "", .fallback = "",
     .help = "instead of particles: the name of a closed mesh with a thickness. Mass, centre of mass and inertia are those of the solid inside"},
    {.name = "density", .type = SETTING_REAL, .offset = offsetof(scene_body, density), .unit = "mass / volume", .fallback = "", .min = 0,
     .max = INFINITY, .above_min = true, .help = "of the solid inside of the mesh; the thickness does not count"},
    {.name = "angular_velocity", .type = SETTING_SHAPE, .unit = "1 / time", .fallback = "0", .choices = spin_shapes,
     .help = "at the start, about the centre of mass, which has the particles' mean velocity, or that of the mesh"},
};
const settings_table table_bodies = TABLE("bodies", scene_body, bodies_entries, "a rigid body: of particles, or of a mesh");

static const setting fields_entries[] = {
    {.name = "gravity", .type = SETTING_VECTOR, .offset = offsetof(scene, gravity), .unit = "length / time^2",
     .fallback = "[0, 0, 0]", .help = "acceleration of every particle"},
};
static const settings_table table_fields = TABLE("fields", scene, fields_entries, "what acts everywhere");

static const setting until_entries[] = {
    {.name = "time", .type = SETTING_REAL, .offset = offsetof(scene, until.time), .unit = "time", .fallback = "",
     .min = 0, .max = INFINITY, .help = "simulated time"},
    {.name = "events", .type = SETTING_INTEGER, .offset = offsetof(scene, until.events), .unit = "", .fallback = "",
     .min = 1, .max = INFINITY, .help = "events of any kind"},
    {.name = "collisions", .type = SETTING_INTEGER, .offset = offsetof(scene, until.collisions), .unit = "",
     .fallback = "", .min = 1, .max = INFINITY, .help = "collisions between particles"},
    {.name = "clusters", .type = SETTING_INTEGER, .offset = offsetof(scene, until.clusters), .unit = "",
     .fallback = "", .min = 1, .max = INFINITY, .help = "clusters left; for engines that merge"},
    {.name = "pressure", .type = SETTING_REAL, .offset = offsetof(scene, until.pressure), .unit = "",
     .fallback = "", .min = 0, .max = INFINITY, .above_min = true, .help = "reduced pressure P V / (N T); for runs that compress"},
    {.name = "wall_time", .type = SETTING_REAL, .offset = offsetof(scene, until.wall_time), .unit = "seconds",
     .fallback = "", .min = 0, .max = INFINITY, .above_min = true, .help = "of the clock on the wall"},
};
const settings_table table_until =
    TABLE("until", scene, until_entries, "limits, at least one (time, events, ...); the first that is reached ends the run");

static const setting run_entries[] = {
    {.name = "until", .type = SETTING_TABLE, .unit = "", .table = &table_until,
     .help = "limits, at least one (time, events, ...); the first that is reached ends the run"},
};
static const settings_table table_run = TABLE("run", scene, run_entries, "how long to run");

static const setting observe_entries[] = {
    {.name = "what", .type = SETTING_SHAPE, .unit = "", .help = "the observable; its own settings stand beside it"},
    {.name = "name", .type = SETTING_TEXT, .offset = offsetof(scene_observe, name), .unit = "", .fallback = "",
     .help = "key in the results; by default the observable's name, numbered where repeated"},
    {.name = "every", .type = SETTING_REAL, .offset = offsetof(scene_observe, every), .unit = "time", .fallback = "",
     .min = 0, .max = INFINITY, .above_min = true,
     .help = "simulated time between samples; without it the observable samples by itself"},
    {.name = "every_collisions", .type = SETTING_INTEGER, .offset = offsetof(scene_observe, every_collisions),
     .unit = "", .fallback = "", .min = 1, .max = INFINITY, .help = "instead of every: collisions between samples"},
    {.name = "start", .type = SETTING_REAL, .offset = offsetof(scene_observe, start), .unit = "time",
     .fallback = "0", .min = 0, .max = INFINITY, .help = "no sample before this time"},
};
const settings_table table_observe = TABLE("observe", scene_observe, observe_entries, "a quantity to measure");

static const setting frames_entries[] = {
    {.name = "every", .type = SETTING_REAL, .offset = offsetof(scene, output.frames_every), .unit = "time",
     .fallback = "", .min = 0, .max = INFINITY, .above_min = true,
     .help = "simulated time between frames"},
    {.name = "every_collisions", .type = SETTING_INTEGER, .offset = offsetof(scene, output.frames_every_collisions),
     .unit = "", .fallback = "", .min = 1, .max = INFINITY, .help = "instead of every: collisions between frames"},
};
const settings_table table_frames = TABLE("frames", scene, frames_entries, "frames kept in the result file");

static const setting checkpoint_entries[] = {
    {.name = "every_wall", .type = SETTING_REAL, .offset = offsetof(scene, output.checkpoint_every_wall),
     .unit = "seconds", .fallback = "600", .min = 0, .max = INFINITY, .above_min = true,
     .help = "seconds of the clock on the wall between checkpoints"},
};
static const settings_table table_checkpoint =
    TABLE("checkpoint", scene, checkpoint_entries, "states from which --resume goes on");

static const setting output_entries[] = {
    {.name = "frames", .type = SETTING_TABLE, .unit = "", .table = &table_frames, .help = "frames kept in the result file"},
    {.name = "checkpoint", .type = SETTING_TABLE, .unit = "", .table = &table_checkpoint,
     .help = "states from which --resume goes on"},
    {.name = "compression", .type = SETTING_INTEGER, .offset = offsetof(scene, output.compression), .unit = "",
     .fallback = "0", .min = 0, .max = 9,
     .help = "level of deflate for positions, velocities and whatever else frames hold of each particle; 0: none"},
};
static const settings_table table_output = TABLE("output", scene, output_entries, "what is written on the way");

static const char *const up_words[] = {"gravity", "x", "y", "z", NULL};
static const char *const look_words[] = {"solid", "transparent", "edges", "hidden", NULL};
static const setting view_entries[] = {
    {.name = "azimuth", .type = SETTING_REAL, .offset = offsetof(scene, view.azimuth), .unit = "degrees",
     .fallback = "30", .min = -360, .max = 360,
     .help = "of the eye, about what is up; at 0 with elevation 0 and z up it looks along y (3 dimensions)"},
    {.name = "elevation", .type = SETTING_REAL, .offset = offsetof(scene, view.elevation), .unit = "degrees",
     .fallback = "22", .min = -90, .max = 90, .help = "of the eye: 90 looks straight down (3 dimensions)"},
    {.name = "zoom", .type = SETTING_REAL, .offset = offsetof(scene, view.zoom), .unit = "", .fallback = "1",
     .min = 0, .max = 1000, .above_min = true, .help = "at 1 all that is framed is in sight"},
    {.name = "target", .type = SETTING_VECTOR, .offset = offsetof(scene, view.target), .unit = "length",
     .fallback = "", .help = "what is in the middle of the picture; without it the middle of all there is"},
    {.name = "up", .type = SETTING_CHOICE, .offset = offsetof(scene, view.up), .unit = "", .fallback = "gravity",
     .choices = up_words, .help = "what is up in the picture: against gravity (z where there is none), or an axis (3 dimensions)"},
    {.name = "low", .type = SETTING_VECTOR, .offset = offsetof(scene, view.low), .unit = "length", .fallback = "",
     .help = "lowest corner of the box that fills the picture, with 'high'; without them the box, the meshes and the bulk "
             "of the bodies"},
    {.name = "high", .type = SETTING_VECTOR, .offset = offsetof(scene, view.high), .unit = "length", .fallback = "",
     .help = "highest corner of that box"},
    {.name = "meshes", .type = SETTING_CHOICE, .offset = offsetof(scene, view.meshes), .unit = "", .fallback = "solid",
     .choices = look_words, .help = "how meshes are drawn; edges are those where the surface bends by more than 35 degrees, "
                                    "and its borders (3 dimensions)"},
    {.name = "whole", .type = SETTING_BOOL, .offset = offsetof(scene, view.whole), .unit = "", .fallback = "false",
     .help = "draw molecules and clusters in one piece, outside the box where they cross a periodic boundary"},
};
const settings_table table_view = TABLE("view", scene, view_entries, "how pictures look at it");

static const char *const version_shapes[] = {"1", NULL};
static const char *const dimension_shapes[] = {"2", "3", NULL};
static const char *const empty_shapes[] = {"[]", NULL};

static const setting scene_entries[] = {
    {.name = "carom", .type = SETTING_SHAPE, .unit = "", .choices = version_shapes,
     .help = "version of the scene language"},
    {.name = "title", .type = SETTING_TEXT, .offset = offsetof(scene, title), .unit = "", .fallback = "",
     .help = "a line for people"},
    {.name = "engine", .type = SETTING_SHAPE, .unit = "", .help = "which engine runs the scene"},
    {.name = "dimension", .type = SETTING_SHAPE, .unit = "", .fallback = "3", .choices = dimension_shapes,
     .help = "of space"},
    {.name = "seed", .type = SETTING_INTEGER, .offset = offsetof(scene, seed), .unit = "", .fallback = "0",
     .help = "of all random numbers; the same seed gives the same run"},
    {.name = "box", .type = SETTING_TABLE, .offset = offsetof(scene, box), .unit = "", .table = &table_box,
     .help = "the box that holds the particles (required)"},
    {.name = "species", .type = SETTING_NAMED, .unit = "", .table = &table_species,
     .help = "the kinds of particles, by name"},
    {.name = "particles", .type = SETTING_LIST, .unit = "", .fallback = "[]", .table = &table_particles,
     .help = "the particles at the start; needed unless there are meshes"},
    {.name = "contacts", .type = SETTING_LIST, .unit = "", .fallback = "[]", .table = &table_contact,
     .help = "how pairs bounce; pairs not listed are elastic"},
    {.name = "planes", .type = SETTING_LIST, .unit = "", .fallback = "[]", .table = &table_plane, .help = "fixed planes"},
    {.name = "cylinders", .type = SETTING_LIST, .unit = "", .fallback = "[]", .table = &table_cylinder,
     .help = "fixed cylinders, or circles in 2 dimensions (`hard`)"},
    {.name = "walls", .type = SETTING_LIST, .unit = "", .fallback = "[]", .choices = empty_shapes,
     .help = "not available yet; box.boundary, planes and cylinders are"},
    {.name = "meshes", .type = SETTING_LIST, .unit = "", .fallback = "[]", .table = &table_meshes,
     .help = "triangle meshes (3 dimensions): obstacles (`hard`, `variational`) and shells (`variational`)"},
    {.name = "potentials", .type = SETTING_LIST, .unit = "", .fallback = "[]", .table = &table_potentials,
     .help = "steps of the energy of pairs beyond contact (`hard`)"},
    {.name = "bonds", .type = SETTING_LIST, .unit = "", .fallback = "[]", .table = &table_bonds,
     .help = "pairs of particles that stay together (`hard`)"},
    {.name = "springs", .type = SETTING_LIST, .unit = "", .fallback = "[]", .table = &table_springs,
     .help = "springs between pairs of particles (`variational`)"},
    {.name = "hinges", .type = SETTING_LIST, .unit = "", .fallback = "[]", .table = &table_hinges,
     .help = "angular springs between triples of particles (`variational`, 2 dimensions)"},
    {.name = "segments", .type = SETTING_LIST, .unit = "", .fallback = "[]", .table = &table_segments,
     .help = "rods between pairs of particles, which others touch (`variational`)"},
    {.name = "drives", .type = SETTING_LIST, .unit = "", .fallback = "[]", .table = &table_drives,
     .help = "planes, cylinders and rigid meshes that move as the scene says; in `variational` also particles and vertices, which may stay where they are"},
    {.name = "bodies", .type = SETTING_LIST, .unit = "", .fallback = "[]", .table = &table_bodies,
     .help = "rigid bodies: of particles, or of meshes (`variational`)"},
    {.name = "fields", .type = SETTING_TABLE, .unit = "", .table = &table_fields, .help = "what acts everywhere"},
    {.name = "run", .type = SETTING_TABLE, .unit = "", .table = &table_run, .help = "how long to run (required)"},
    {.name = "observe", .type = SETTING_LIST, .unit = "", .fallback = "[]", .table = &table_observe,
     .help = "what to measure"},
    {.name = "output", .type = SETTING_TABLE, .unit = "", .table = &table_output, .help = "what is written on the way"},
    {.name = "view", .type = SETTING_TABLE, .unit = "", .table = &table_view,
     .help = "from where `carom render` and `carom view` look at it"},
};
const settings_table table_scene = TABLE("scene", scene, scene_entries, "a scene");

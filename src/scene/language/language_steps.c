/* The part of the scene language that is about potentials in steps, and bonds. */
#include <math.h>

#include "scene/language/language.h"

/* clang-format off */
#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define TABLE(text, type, list, words) {.name = text, .help = words, .size = sizeof(type), .entries = list, .count = COUNT(list)}

#define FORM(member) offsetof(read_form, member)
static const setting square_well_entries[] = {
    {.name = "range", .type = SETTING_REAL, .offset = FORM(range), .unit = "contact distance", .min = 1, .max = 1e6,
     .above_min = true, .help = "distance at which the well ends"},
    {.name = "depth", .type = SETTING_REAL, .offset = FORM(depth), .unit = "energy", .min = 0, .max = INFINITY,
     .above_min = true, .help = "by which the energy of a pair inside is lower"},
};
static const settings_table table_square_well =
    TABLE("square_well", read_form, square_well_entries, "a well around the hard core");

static const setting square_shoulder_entries[] = {
    {.name = "range", .type = SETTING_REAL, .offset = FORM(range), .unit = "contact distance", .min = 1, .max = 1e6,
     .above_min = true, .help = "distance at which the shoulder ends"},
    {.name = "height", .type = SETTING_REAL, .offset = FORM(depth), .unit = "energy", .min = 0, .max = INFINITY,
     .above_min = true, .help = "by which the energy of a pair inside is higher"},
};
static const settings_table table_square_shoulder =
    TABLE("square_shoulder", read_form, square_shoulder_entries, "a shoulder around the hard core");

static const setting staircase_entries[] = {
    {.name = "range", .type = SETTING_REAL, .offset = FORM(range), .unit = "contact distance", .min = 1, .max = 1e6,
     .above_min = true, .help = "distance at which it begins"},
    {.name = "depth", .type = SETTING_REAL, .offset = FORM(depth), .unit = "energy",
     .help = "by which the energy is lower at contact; below 0: a staircase up"},
    {.name = "steps", .type = SETTING_INTEGER, .offset = FORM(steps), .unit = "", .min = 1, .max = 1000,
     .help = "equally wide and high"},
};
static const settings_table table_staircase =
    TABLE("staircase", read_form, staircase_entries, "a terraced ramp down to the hard core");

static const setting lennard_jones_entries[] = {
    {.name = "epsilon", .type = SETTING_REAL, .offset = FORM(depth), .unit = "energy", .min = 0, .max = INFINITY,
     .above_min = true, .help = "depth of the continuous potential 4 epsilon (r^-12 - r^-6), r in units of sigma"},
    {.name = "core", .type = SETTING_REAL, .offset = FORM(core), .unit = "sigma", .fallback = "0.8", .min = 0.1,
     .max = 1, .help = "the contact distance: closer is impossible"},
    {.name = "cutoff", .type = SETTING_REAL, .offset = FORM(cutoff), .unit = "sigma", .fallback = "2.5", .min = 1.2,
     .max = 100, .help = "distance at which it ends"},
    {.name = "steps", .type = SETTING_INTEGER, .offset = FORM(steps), .unit = "", .fallback = "20", .min = 2,
     .max = 1000, .help = "between core and cutoff; at each exp(-U / temperature) changes by as much"},
    {.name = "temperature", .type = SETTING_REAL, .offset = FORM(temperature), .unit = "energy", .fallback = "1",
     .min = 0, .max = INFINITY, .above_min = true,
     .help = "for which the steps are made: there they have the second virial coefficient of the smooth potential"},
};
static const settings_table table_lennard_jones =
    TABLE("lennard_jones", read_form, lennard_jones_entries, "the Lennard-Jones potential in steps");

static const setting bridge_entries[] = {
    {.name = "rupture", .type = SETTING_REAL, .offset = FORM(range), .unit = "contact distance", .min = 1, .max = 1e6,
     .above_min = true, .help = "distance at which it breaks"},
    {.name = "energy", .type = SETTING_REAL, .offset = FORM(depth), .unit = "energy", .min = 0, .max = INFINITY,
     .above_min = true, .help = "lost when it breaks; a pair that has less turns round"},
};
static const settings_table table_bridge =
    TABLE("bridge", read_form, bridge_entries, "a thin bridge of liquid, which forms at contact");

static const char *const step_shapes[] = {"[[distance, energy], ...]", NULL};
static const char *const species_shapes[] = {"[SPECIES, SPECIES]", NULL};
#define SHAPE_OF(form)                                                                                                 \
    {.name = #form, .type = SETTING_SHAPE, .unit = "", .fallback = "", .table = &table_##form
static const setting potentials_entries[] = {
    {.name = "between", .type = SETTING_SHAPE, .unit = "", .choices = species_shapes, .help = "the two that interact"},
    SHAPE_OF(square_well), .help = "a well around the hard core. One of these forms"},
    SHAPE_OF(square_shoulder), .help = "a shoulder around the hard core"},
    {.name = "steps", .type = SETTING_SHAPE, .unit = "contact distance, energy", .fallback = "", .choices = step_shapes,
     .help = "the energy of a pair closer than each distance, in any order; 0 beyond the largest"},
    SHAPE_OF(staircase), .help = "a terraced ramp down to the hard core"},
    SHAPE_OF(lennard_jones), .help = "the Lennard-Jones potential in steps"},
    SHAPE_OF(bridge), .help = "a thin bridge of liquid, which forms at contact"},
};
const settings_table table_potentials = TABLE("potentials", scene_potential, potentials_entries,
                                              "steps of the energy of a pair of particles; pairs not listed have none");

static const char *const pair_shapes[] = {"[[i, j], ...]", NULL};
static const char *const chain_shapes[] = {"{from: FIRST, to: LAST}", NULL};
static const setting bonds_entries[] = {
    {.name = "name", .type = SETTING_TEXT, .offset = offsetof(scene_bonds, name), .unit = "",
     .help = "what messages call them"},
    {.name = "pairs", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = pair_shapes,
     .help = "particles that are bonded, by their numbers: from 0, in the order of `particles`"},
    {.name = "chain", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = chain_shapes,
     .help = "instead of pairs: each of these particles and the next"},
    {.name = "length", .type = SETTING_INTEGER, .offset = offsetof(scene_bonds, length), .unit = "", .fallback = "",
     .min = 2, .max = INFINITY, .help = "particles in each piece that the chain is cut into; without it there is one"},
    {.name = "closed", .type = SETTING_BOOL, .offset = offsetof(scene_bonds, closed), .unit = "", .fallback = "false",
     .help = "rings: the last of each piece of the chain is bonded to its first"},
    {.name = "shortest", .type = SETTING_REAL, .offset = offsetof(scene_bonds, shortest), .unit = "length",
     .fallback = "0", .min = 0, .max = INFINITY,
     .help = "distance at which they bounce; it takes the place of the contact distance"},
    {.name = "longest", .type = SETTING_REAL, .offset = offsetof(scene_bonds, longest), .unit = "length", .min = 0,
     .max = INFINITY, .above_min = true, .help = "distance at which they are drawn back"},
};
const settings_table table_bonds = TABLE("bonds", scene_bonds, bonds_entries,
                                         "pairs that stay together for good, at free distances between two lengths");

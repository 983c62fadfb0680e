/* The keys `springs`, `hinges` and `segments`: connections of particles. */
#include <math.h>

#include "base/number.h"
#include "base/pi.h"
#include "scene/language/reader.h"

/* Both keys for the particles are missing. */
static void check_given(reader *r, const node *map, const char *key)
{
    if (tree_get(r->t, map, key) == NULL && tree_get(r->t, map, "chain") == NULL)
        fault_add(r->f, map, "missing key '%s' (or 'chain'): the particles", key);
}

/* ---- length and angle at rest ---- */

/* A rest length or rest angle: whether it is a number; otherwise it is that of the initial state. */
static bool read_rest(reader *r, const node *n, double placed, double *out)
{
    *out = placed;
    if (node_is(n, "placed")) return false;
    if (n->kind == NODE_SCALAR && n->plain) return value_number(r, n, out);
    value_refuse(r, n, "a number or placed");
    return false;
}

static void write_rest(writer *w, double value, bool placed)
{
    if (placed)
        text_add(w->out, "placed");
    else
        write_number(w, value);
}

static void read_length(reader *r, const node *n, void *into)
{
    double *length = &((scene_springs *)into)->length;
    if (read_rest(r, n, -1, length) && *length < 0)
        fault_add(r->f, n, "'length' must be at least 0, not %s", value_quote(r, n));
}

static void write_length(writer *w, const void *from)
{
    const double length = ((const scene_springs *)from)->length;
    write_rest(w, length, length < 0);
}

static void read_angle(reader *r, const node *n, void *into)
{
    double *angle = &((scene_hinges *)into)->angle;
    if (read_rest(r, n, NAN, angle) && fabs(*angle) > PI)
        fault_add(r->f, n, "'angle' must lie between -pi and pi, not %s", value_quote(r, n));
}

static void write_angle(writer *w, const void *from)
{
    const double angle = ((const scene_hinges *)from)->angle;
    write_rest(w, angle, isnan(angle));
}

static const setting_form form_length = {read_length, write_length, false};
static const setting_form form_angle = {read_angle, write_angle, false};

/* ---- springs ---- */

static void finish_spring(reader *r, const node *map, void *filled)
{
    read_list_name(r, map, r->s->springs, sizeof(scene_springs), filled, "springs");
    check_given(r, map, "pairs");
    const scene_springs *s = filled;
    const node *stiffness = tree_get(r->t, map, "stiffness");
    double given;
    const bool read = stiffness != NULL && stiffness->kind == NODE_SCALAR &&
                      number_read(stiffness->text, stiffness->length, &given, NULL) == NUMBER_OK;
    if (read && given == 0 && s->damping == 0)
        fault_add(r->f, tree_key(r->t, stiffness),
                  "springs with neither stiffness nor damping do nothing" HINT "give one of them");
}

const setting_list list_springs = {
    .wanted = "a list of springs", .count = offsetof(scene, springs_count), .silent = true};

/* clang-format off */
static const char *const pair_shapes[] = {"[[i, j], ...]", NULL};
static const char *const triple_shapes[] = {"[[i, j, k], ...]", NULL};
static const char *const chain_shapes[] = {"{from: FIRST, to: LAST}", NULL};
static const char *const length_shapes[] = {"a number", "placed", NULL};
#define PAIRS(text)                                                                                         \
    {.name = "pairs", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = pair_shapes, .form = &form_pairs,   \
     .written = is_pair_list, .help = text},                                                                           \
    {.name = "chain", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = chain_shapes,                      \
     .form = &form_pair_chain, .instead_of = "pairs", .written = is_pair_chain,                                        \
     .help = "instead of pairs: each of these particles and the next"}

static const setting springs_entries[] = {
    {.name = "name", .type = SETTING_TEXT, .offset = offsetof(scene_springs, name), .unit = "",
     .help = "name in messages"},
    PAIRS("particles at the two ends, by their numbers: from 0, in the order of `particles`"),
    {.name = "stiffness", .type = SETTING_REAL, .offset = offsetof(scene_springs, stiffness), .unit = "force / length",
     .min = 0, .max = INFINITY, .help = "energy: stiffness / 2 times the square of the extension"},
    {.name = "damping", .type = SETTING_REAL, .offset = offsetof(scene_springs, damping), .unit = "force / speed",
     .fallback = "0", .min = 0, .max = INFINITY, .help = "force per relative speed of the ends"},
    {.name = "length", .type = SETTING_SHAPE, .unit = "length", .fallback = "placed", .choices = length_shapes, .form = &form_length,
     .help = "rest length; placed: the initial length of each"},
};
const settings_table table_springs = {TABLE_OF("springs", scene_springs, springs_entries, "springs between pairs of particles"),
                                      .wanted = "a map with 'name', 'pairs' and 'stiffness'", .finish = finish_spring};
/* clang-format on */

/* ---- hinges ---- */

static void finish_hinge(reader *r, const node *map, void *filled)
{
    read_list_name(r, map, r->s->hinges, sizeof(scene_hinges), filled, "hinges");
    check_given(r, map, "triples");
}

static void check_plane(reader *r, const node *n)
{
    if (n != NULL && r->s->dimension != 2 && r->s->hinges_count > 0)
        fault_add(r->f, tree_key(r->t, n), "hinges turn in the plane: they need 'dimension: 2'");
}

const setting_list list_hinges = {
    .wanted = "a list of hinges", .count = offsetof(scene, hinges_count), .silent = true, .finish = check_plane};

/* clang-format off */
static const setting hinges_entries[] = {
    {.name = "name", .type = SETTING_TEXT, .offset = offsetof(scene_hinges, name), .unit = "",
     .help = "name in messages"},
    {.name = "triples", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = triple_shapes,
     .form = &form_triples, .written = is_triple_list,
     .help = "particles by their numbers; the hinge is at the middle one"},
    {.name = "chain", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = chain_shapes,
     .form = &form_triple_chain, .instead_of = "triples", .written = is_triple_chain,
     .help = "instead of triples: each of these particles and the next two"},
    {.name = "stiffness", .type = SETTING_REAL, .offset = offsetof(scene_hinges, stiffness), .unit = "energy / radian^2",
     .min = 0, .max = INFINITY, .help = "energy: stiffness / 2 times the square of the angle from rest"},
    {.name = "angle", .type = SETTING_SHAPE, .unit = "radians", .fallback = "placed", .choices = length_shapes,
     .form = &form_angle,
     .help = "rest angle, by which the path along the triple turns to the left, 0 for a straight one; placed: the "
             "initial angle of each"},
};
const settings_table table_hinges = {
    TABLE_OF("hinges", scene_hinges, hinges_entries, "angular springs at the middle of triples of particles (2 dimensions)"),
    .wanted = "a map with 'name', 'triples' and 'stiffness'", .finish = finish_hinge};
/* clang-format on */

/* ---- segments ---- */

static void finish_segment(reader *r, const node *map, void *filled)
{
    read_list_name(r, map, r->s->segments, sizeof(scene_segments), filled, "segments");
    check_given(r, map, "pairs");
}

const setting_list list_segments = {
    .wanted = "a list of segments", .count = offsetof(scene, segments_count), .silent = true};

/* clang-format off */
static const setting segments_entries[] = {
    {.name = "name", .type = SETTING_TEXT, .offset = offsetof(scene_segments, name), .unit = "",
     .help = "name in messages"},
    PAIRS("particles at the two ends, by their numbers"),
    {.name = "diameter", .type = SETTING_REAL, .offset = offsetof(scene_segments, diameter), .unit = "length",
     .min = 0, .max = INFINITY, .above_min = true, .help = "thickness; the ends are hemispheres"},
    {.name = "species", .type = SETTING_SHAPE, .offset = offsetof(scene_segments, species), .unit = "", .form = &form_species, .help = "species that determines their contacts"},
};
const settings_table table_segments = {
    TABLE_OF("segments", scene_segments, segments_entries, "rods between pairs of particles, with contacts; they have no mass and move with their ends"),
    .wanted = "a map with 'name', 'pairs', 'diameter' and 'species'", .finish = finish_segment};

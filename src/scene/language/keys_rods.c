/* The key `rods`: elastic rods through particles. */
#include <math.h>

#include "scene/language/reader.h"

static void read_twist(reader *r, const node *n, void *into)
{
    double *twist = &((scene_rod *)into)->twist;
    const bool free = node_is(n, "free");
    *twist = free ? NAN : 0;
    if (free) return;
    if (n->kind != NODE_SCALAR || !n->plain)
        value_refuse(r, n, "a number or free");
    else if (value_number(r, n, twist) && !(fabs(*twist) < 1e9))
        fault_add(r->f, n, "'twist' must be less than 1e9 radians");
}

static void write_twist(writer *w, const void *from)
{
    const double twist = ((const scene_rod *)from)->twist;
    if (isnan(twist))
        text_add(w->out, "free");
    else
        write_number(w, twist);
}

static const setting_form form_twist = {read_twist, write_twist, false};

WRITTEN_IF(has_width, scene_rod, one->width > 0)
WRITTEN_IF(is_curved, scene_rod, one->rest != ROD_STRAIGHT)
WRITTEN_IF(rotates, scene_rod, one->twist_rate != 0)
WRITTEN_IF(rotation_ends, scene_rod, one->twist_until > 0)

/* An edge from a particle to itself has no direction. */
static void check_edges(reader *r, const node *particles, const scene_rod *rod)
{
    const uint32_t *at = rod->particles;
    size_t k = 1;
    while (k < rod->count && at[k] != at[k - 1]) k++;
    if (k < rod->count)
        fault_add(r->f, numbers_item(r, particles, k),
                  "particle %lu is listed twice, one after the other" HINT "list it once", (unsigned long)at[k]);
    else if (rod->closed && at[0] == at[rod->count - 1])
        fault_add(r->f, numbers_item(r, particles, rod->count - 1),
                  "particle %lu is listed twice" HINT "leave it out at the end: `closed` joins the last to the first",
                  (unsigned long)at[0]);
}

static void check_width(reader *r, const node *map, const scene_rod *rod)
{
    const node *width = tree_get(r->t, map, "width"), *along = tree_get(r->t, map, "width_along");
    if (width != NULL && rod->width > 0 && along == NULL)
        fault_add(r->f, tree_key(r->t, width),
                  "'width' has no direction" HINT "give 'width_along', a vector across the first edge");
    else if (along != NULL && width == NULL)
        fault_add(r->f, tree_key(r->t, along),
                  "'width_along' does nothing without 'width'" HINT "give both, or neither");
    else if (along != NULL && along->kind == NODE_LIST && rod->along[0] == 0 && rod->along[1] == 0 &&
             rod->along[2] == 0)
        fault_add(r->f, along, "a vector of length zero has no direction");
}

static void finish_rod(reader *r, const node *map, void *filled)
{
    read_list_name(r, map, r->s->rods, sizeof(scene_rod), filled, "rods");
    const scene_rod *rod = filled;
    const node *particles = tree_get(r->t, map, "particles"), *rate = tree_get(r->t, map, "twist_rate");
    const node *until = tree_get(r->t, map, "twist_until");
    if (rod->count > 0 && rod->count < (rod->closed ? 4 : 3))
        fault_add(r->f, tree_key(r->t, particles),
                  "a rod needs at least three particles, a closed one four" HINT "for fewer use `springs`");
    else if (rod->count > 0)
        check_edges(r, particles, rod);
    check_width(r, map, rod);
    if (rate != NULL && rod->twist_rate != 0 && rod->closed)
        fault_add(r->f, tree_key(r->t, rate),
                  "a closed rod has no end that rotates" HINT "give its 'twist' at the start");
    else if (rate != NULL && rod->twist_rate != 0 && isnan(rod->twist))
        fault_add(r->f, tree_key(r->t, rate),
                  "the ends of this rod rotate freely" HINT "give its 'twist' at the start, 0 for none");
    if (until != NULL && rod->twist_until > 0 && rod->twist_rate == 0)
        fault_add(r->f, tree_key(r->t, until),
                  "'twist_until' does nothing without 'twist_rate'" HINT "give both, or neither");
}

static void check_space(reader *r, const node *n)
{
    if (n != NULL && r->s->dimension != 3 && r->s->rods_count > 0)
        fault_add(r->f, tree_key(r->t, n),
                  "rods twist in space: they need 'dimension: 3'" HINT "in the plane use `springs` and `hinges`");
}

const setting_list list_rods = {
    .wanted = "a list of rods", .count = offsetof(scene, rods_count), .silent = true, .finish = check_space};

/* clang-format off */
static const char *const rest_words[] = {"straight", "start", NULL};
static const char *const twist_shapes[] = {"a number", "free", NULL};
#define ROD(member) offsetof(scene_rod, member)
static const setting rods_entries[] = {
    {.name = "name", .type = SETTING_TEXT, .offset = ROD(name), .unit = "", .help = "name in messages"},
    {.name = "particles", .type = SETTING_SHAPE, .unit = "", .choices = numbers_shapes, .form = &form_numbers,
     .help = "through which it leads, by their numbers, in this order; at least three, in a closed one four. They have its mass, and its length at rest is that of the start"},
    {.name = "closed", .type = SETTING_BOOL, .offset = ROD(closed), .unit = "", .fallback = "false",
     .help = "whether its end is joined to its beginning, as in a ring"},
    {.name = "young", .type = SETTING_REAL, .offset = ROD(young), .unit = "force / area", .min = 0, .max = INFINITY,
     .above_min = true, .help = "Young's modulus"},
    {.name = "poisson", .type = SETTING_REAL, .offset = ROD(poisson), .unit = "", .fallback = "0.3", .min = -1, .max = 0.5,
     .above_min = true, .help = "Poisson's ratio, which with young determines the torsional stiffness"},
    {.name = "diameter", .type = SETTING_REAL, .offset = ROD(diameter), .unit = "length", .min = 0, .max = INFINITY,
     .above_min = true, .help = "of its elastic cross section, a circle without `width`; that of contacts is in `segments`"},
    {.name = "width", .type = SETTING_REAL, .offset = ROD(width), .unit = "length", .fallback = "", .min = 0, .max = INFINITY, .above_min = true,
     .written = has_width, .help = "of a ribbon: the cross section is an ellipse with the axes width and `diameter`"},
    {.name = "width_along", .type = SETTING_VECTOR, .offset = ROD(along), .unit = "", .fallback = "", .written = has_width,
     .help = "direction of the width at the first edge; its part along the edge does not count. Without twist the width follows the rod from there without rotation about it"},
    {.name = "rest", .type = SETTING_CHOICE, .offset = ROD(rest), .unit = "", .fallback = "straight", .choices = rest_words, .written = is_curved,
     .help = "shape without stress, except for `twist`: straight, or that of the start"},
    {.name = "damping", .type = SETTING_REAL, .offset = ROD(damping), .unit = "time", .fallback = "0", .min = 0, .max = INFINITY,
     .help = "viscosity over modulus: a vibration of angular frequency w decays as exp(-damping w^2 t / 2)"},
    {.name = "twist", .type = SETTING_SHAPE, .unit = "radians", .fallback = "free", .choices = twist_shapes, .form = &form_twist,
     .help = "angle by which its end is twisted against its beginning at the start; both are held against rotation about the rod. free: ends whose edge no drive clamps rotate freely"},
    {.name = "twist_rate", .type = SETTING_REAL, .offset = ROD(twist_rate), .unit = "1 / time", .fallback = "0", .written = rotates,
     .help = "rate at which the end rotates about the rod, in radians, in the sense of twist"},
    {.name = "twist_until", .type = SETTING_REAL, .offset = ROD(twist_until), .unit = "time", .fallback = "0", .min = 0,
     .max = INFINITY, .written = rotation_ends, .help = "time at which this rotation ends; 0: with the run"},
};
const settings_table table_rods = {TABLE_OF("rods", scene_rod, rods_entries, "elastic rods through particles"),
                                   .wanted = "a map with 'name', 'particles', 'young' and 'diameter'", .finish = finish_rod};
/* clang-format on */

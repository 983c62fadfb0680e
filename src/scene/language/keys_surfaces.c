/* The keys `planes` and `cylinders`: surfaces beside the walls of the box. */
#include <math.h>
#include <string.h>

#include "scene/language/reader.h"

static double square(const double v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

bool read_unit(double v[3])
{
    double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    if (!(largest > 0)) return false;
    if (fabs(square(v) - 1) <= 0x1p-50) return true;
    for (int i = 0; i < 3; i++) v[i] /= largest; /* so that no square under- or overflows */
    double length = sqrt(square(v));
    for (int i = 0; i < 3; i++) v[i] /= length;
    return true;
}

/* ---- planes ---- */

static void check_plane_name(reader *r, const node *n, const scene_plane *plane)
{
    size_t length = strlen(plane->name);
    if (!read_is_name(r, n, plane->name, length)) return;
    if (read_find_species(r, plane->name, length) != UINT32_MAX)
        fault_add(r->f, n, "the name '%s' is taken by a species", plane->name);
    for (const scene_plane *p = r->s->planes; p < plane; p++)
        if (p->name != NULL && strcmp(p->name, plane->name) == 0)
            fault_add(r->f, n, "the name '%s' is taken by another plane", plane->name);
}

static void finish_plane(reader *r, const node *map, void *filled)
{
    scene_plane *plane = filled;
    const node *normal = tree_get(r->t, map, "normal");
    if (plane->name != NULL) check_plane_name(r, tree_get(r->t, map, "name"), plane);
    if (normal == NULL || normal->kind != NODE_LIST || normal->length != (uint32_t)r->s->dimension) return;
    if (!read_unit(plane->normal)) fault_add(r->f, normal, "'normal' must not be zero");
}

const setting_list list_planes = {
    .wanted = "a list of planes", .count = offsetof(scene, plane_count), .things = "planes"};

/* clang-format off */
static const setting plane_entries[] = {
    {.name = "name", .type = SETTING_TEXT, .offset = offsetof(scene_plane, name), .unit = "",
     .help = "name that contacts refer to"},
    {.name = "point", .type = SETTING_VECTOR, .offset = offsetof(scene_plane, point), .unit = "length",
     .help = "any point of the plane"},
    {.name = "normal", .type = SETTING_VECTOR, .offset = offsetof(scene_plane, normal), .unit = "",
     .help = "points to the side where particles are; any length but zero"},
};
const settings_table table_planes = {TABLE_OF("planes", scene_plane, plane_entries, "a fixed plane"),
                                     .wanted = "a map with 'name', 'point' and 'normal'", .finish = finish_plane};
/* clang-format on */

/* ---- cylinders ---- */

static void check_cylinder_name(reader *r, const node *n, const scene_cylinder *cylinder)
{
    const size_t length = strlen(cylinder->name);
    if (!read_is_name(r, n, cylinder->name, length)) return;
    if (read_find_species(r, cylinder->name, length) != UINT32_MAX)
        fault_add(r->f, n, "the name '%s' is taken by a species", cylinder->name);
    for (size_t i = 0; i < r->s->plane_count; i++)
        if (r->s->planes[i].name != NULL && strcmp(r->s->planes[i].name, cylinder->name) == 0)
            fault_add(r->f, n, "the name '%s' is taken by a plane", cylinder->name);
    for (const scene_cylinder *c = r->s->cylinders; c < cylinder; c++)
        if (c->name != NULL && strcmp(c->name, cylinder->name) == 0)
            fault_add(r->f, n, "the name '%s' is taken by another cylinder", cylinder->name);
}

static void read_axis(reader *r, const node *n, void *into)
{
    scene_cylinder *cylinder = into;
    if (r->s->dimension == 2)
        fault_add(r->f, tree_key(r->t, n), "in two dimensions a cylinder is a circle: leave 'axis' out");
    else if (value_vector(r, n, cylinder->axis) && !read_unit(cylinder->axis))
        fault_add(r->f, n, "'axis' must not be zero");
}

static void write_axis(writer *w, const void *from)
{
    write_vector(w, ((const scene_cylinder *)from)->axis);
}

static bool has_axis(const scene *s, const void *from)
{
    (void)from;
    return s->dimension == 3;
}

static const setting_form form_axis = {read_axis, write_axis, false};

static void finish_cylinder(reader *r, const node *map, void *filled)
{
    const scene_cylinder *cylinder = filled;
    if (cylinder->name != NULL) check_cylinder_name(r, tree_get(r->t, map, "name"), cylinder);
    if (r->s->dimension == 3 && tree_get(r->t, map, "axis") == NULL)
        settings_missing(r, map, "", settings_find(&table_cylinders, "axis"));
}

const setting_list list_cylinders = {
    .wanted = "a list of cylinders", .count = offsetof(scene, cylinder_count), .things = "cylinders", .silent = true};

/* clang-format off */
static const char *const axis_shapes[] = {"[x, y, z] (3 dimensions)", NULL};
static const char *const side_words[] = {"inside", "outside", NULL};
static const setting cylinder_entries[] = {
    {.name = "name", .type = SETTING_TEXT, .offset = offsetof(scene_cylinder, name), .unit = "",
     .help = "name that contacts refer to"},
    {.name = "through", .type = SETTING_VECTOR, .offset = offsetof(scene_cylinder, through), .unit = "length",
     .help = "any point of the axis; in 2 dimensions the centre"},
    {.name = "axis", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = axis_shapes,
     .form = &form_axis, .written = has_axis,
     .help = "its direction (required in 3 dimensions); any length but zero"},
    {.name = "radius", .type = SETTING_REAL, .offset = offsetof(scene_cylinder, radius), .unit = "length", .min = 0,
     .max = INFINITY, .above_min = true, .help = "of the surface that particles touch"},
    {.name = "side", .type = SETTING_CHOICE, .offset = offsetof(scene_cylinder, side), .unit = "", .choices = side_words,
     .help = "where particles are"},
};
const settings_table table_cylinders = {
    TABLE_OF("cylinders", scene_cylinder, cylinder_entries, "a cylinder without ends; in 2 dimensions a circle"),
    .wanted = "a map with 'name', 'through', 'axis', 'radius' and 'side'", .finish = finish_cylinder};

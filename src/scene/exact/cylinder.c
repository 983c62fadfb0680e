/* Cylinders as boundaries (2D: circles): keys, distances, pictures. */
#include <math.h>

#include "base/pi.h"
#include "base/vec.h"
#include "scene/exact.h"
#include "scene/language/reader.h"

/* ---- keys -------------------------------------------------------------------------------------------------------- */

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

static void finish(reader *r, const node *map, void *filled)
{
    read_exact_name(r, map, EXACT_CYLINDER, filled);
    if (r->s->dimension == 3 && tree_get(r->t, map, "axis") == NULL)
        settings_missing(r, map, "", settings_find(&table_cylinders, "axis"));
}

/* clang-format off */
static const char *const axis_shapes[] = {"[x, y, z] (3 dimensions)", NULL};
static const char *const side_words[] = {"inside", "outside", NULL};
static const setting entries[] = {
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
    TABLE_OF("cylinders", scene_cylinder, entries, "a cylinder without ends; in 2 dimensions a circle"),
    .wanted = "a map with 'name', 'through', 'axis', 'radius' and 'side'", .finish = finish};
/* clang-format on */

/* ---- distances --------------------------------------------------------------------------------------------------- */

/* A cylinder has images along each periodic axis except its own. */
static bool crosses(const void *one, int dimension, int axis)
{
    const double *a = ((const scene_cylinder *)one)->axis;
    return dimension == 2 || a[(axis + 1) % 3] != 0 || a[(axis + 2) % 3] != 0;
}

static double height(const void *one, const double *moved, const double r[3])
{
    const scene_cylinder *c = one;
    double arm[3], along = 0, square = 0;
    for (int k = 0; k < 3; k++) {
        arm[k] = r[k] - c->through[k] - (moved != NULL ? moved[k] : 0);
        along += arm[k] * c->axis[k];
    }
    for (int k = 0; k < 3; k++) {
        const double across = arm[k] - along * c->axis[k];
        square += across * across;
    }
    return c->side == SIDE_INSIDE ? c->radius - sqrt(square) : sqrt(square) - c->radius;
}

/* ---- drawing: rings and lines along the axis, and strips between these ------------------------------------------- */

enum { PARTS = 96, LINES = 8 };

/* Its present position, and two unit vectors normal to the axis: in two dimensions x and y. */
typedef struct stand {
    const scene_cylinder *c;
    double through[3], a[3], b[3];
} stand;

static void stand_at(stand *p, const scene_cylinder *c, const double *moved)
{
    const double *n = c->axis;
    double *a = p->a, *b = p->b;
    int least = 0;
    p->c = c;
    for (int k = 0; k < 3; k++) p->through[k] = c->through[k] + (moved != NULL ? moved[k] : 0);
    for (int k = 1; k < 3; k++)
        if (fabs(n[k]) < fabs(n[least])) least = k;
    for (int k = 0; k < 3; k++) a[k] = (k == least) - n[least] * n[k];
    const double length = sqrt(dot3(a, a));
    for (int k = 0; k < 3; k++) a[k] /= length;
    cross3(n, a, b);
    if (!(dot3(n, n) > 0)) b[0] = 0, b[1] = 1, b[2] = 0;
}

/* The point of its surface at an angle and a height along the axis, and the normal towards the bodies. */
static void point_of(const stand *p, double angle, double at, double x[3], double normal[3])
{
    const scene_cylinder *c = p->c;
    for (int k = 0; k < 3; k++) {
        const double out = cos(angle) * p->a[k] + sin(angle) * p->b[k];
        x[k] = p->through[k] + at * c->axis[k] + c->radius * out;
        normal[k] = c->side == SIDE_INSIDE ? -out : out;
    }
}

static double angle_of(int part)
{
    return 2 * PI * part / PARTS;
}

/* The part of it along the axis within the region of a picture. */
static void ends_of(const stand *p, const outline *to, double ends[2])
{
    ends[0] = INFINITY;
    ends[1] = -INFINITY;
    for (int corner = 0; corner < 8; corner++) {
        double at = 0;
        for (int k = 0; k < 3; k++) at += p->c->axis[k] * ((corner >> k & 1 ? to->high : to->low)[k] - p->through[k]);
        ends[0] = fmin(ends[0], at);
        ends[1] = fmax(ends[1], at);
    }
}

static void draw_strip(const stand *p, int part, const double ends[2], const outline *to)
{
    double corners[4][3], middle[3], normal[3];
    for (int n = 0; n < 4; n++) point_of(p, angle_of(part + (n == 1 || n == 2)), ends[n >= 2], corners[n], normal);
    point_of(p, angle_of(part) + angle_of(1) / 2, (ends[0] + ends[1]) / 2, middle, normal);
    to->facet(to->to, corners, middle, normal);
}

static void draw(const void *one, const double *moved, const outline *to)
{
    const bool flat = to->dimension == 2;
    double ends[2] = {0, 0}, a[3], b[3], normal[3];
    stand p;
    stand_at(&p, one, moved);
    if (!flat) ends_of(&p, to, ends);
    for (int part = 0; part < PARTS; part++) {
        if (!flat) draw_strip(&p, part, ends, to);
        for (int end = 0; end < (flat ? 1 : 2); end++) {
            point_of(&p, angle_of(part), ends[end], a, normal);
            point_of(&p, angle_of(part + 1), ends[end], b, normal);
            to->line(to->to, a, b);
        }
        if (flat || part % (PARTS / LINES) != 0) continue;
        point_of(&p, angle_of(part), ends[0], a, normal);
        point_of(&p, angle_of(part), ends[1], b, normal);
        to->line(to->to, a, b);
    }
}

static void extent(const void *one, const double *moved, const double middle[3], outline_extent *found)
{
    const scene_cylinder *c = one;
    double through[3], along = 0;
    for (int k = 0; k < 3; k++) {
        through[k] = c->through[k] + (moved != NULL ? moved[k] : 0);
        along += c->axis[k] * (middle[k] - through[k]);
    }
    for (int k = 0; k < 3; k++) {
        found->centre[k] = through[k] + along * c->axis[k];
        found->reach[k] = c->radius * sqrt(1 - c->axis[k] * c->axis[k]);
    }
    found->size = c->radius;
}

extern const exact_kind exact_cylinder;
const exact_kind exact_cylinder = {.name = "cylinder",
                                   .names = "cylinders",
                                   .table = &table_cylinders,
                                   .turns = true,
                                   .crosses = crosses,
                                   .crossing = "does not run along",
                                   .crossing_key = "axis",
                                   .height = height,
                                   .draw = draw,
                                   .extent = extent};

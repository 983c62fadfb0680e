/* The key `box`. */
#include <math.h>

#include "scene/language/reader.h"

/* ---- size ---- */

static bool check_side(reader *r, const node *n, double side)
{
    if (side > 0) return true;
    fault_add(r->f, n, "a side of the box must be greater than 0, not %s", value_quote(r, n));
    return false;
}

static void read_size(reader *r, const node *n, void *into)
{
    scene_box *box = into;
    int dimension = r->s->dimension;
    double side;
    if (n->kind == NODE_SCALAR) {
        if (!value_number(r, n, &side) || !check_side(r, n, side)) return;
        for (int i = 0; i < dimension; i++) box->size[i] = side;
        return;
    }
    if (!value_vector(r, n, box->size)) return;
    int i = 0;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        check_side(r, item, box->size[i++]);
}

static void write_size(writer *w, const void *from)
{
    write_vector(w, ((const scene_box *)from)->size);
}

static const setting_form form_size = {read_size, write_size, false};

/* ---- boundary ---- */

static const char *const boundary_words[] = {"periodic", "wall", "open", NULL};

static void read_boundary(reader *r, const node *n, void *into)
{
    scene_box *box = into;
    int dimension = r->s->dimension;
    if (n->kind != NODE_LIST) {
        int word = value_choice(r, n, "boundary", boundary_words);
        for (int i = 0; i < dimension && word >= 0; i++) box->boundary[i] = (scene_boundary)word;
        return;
    }
    if (n->length != (uint32_t)dimension) {
        fault_add(r->f, n, "expected a boundary for each of %d axes, found %u", dimension, n->length);
        return;
    }
    int i = 0;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item)) {
        int word = value_choice(r, item, "boundary", boundary_words);
        if (word >= 0) box->boundary[i] = (scene_boundary)word;
        i++;
    }
}

static void write_boundary(writer *w, const void *from)
{
    const scene_box *box = from;
    for (int i = 0; i < w->s->dimension; i++)
        text_add(w->out, "%s%s", i > 0 ? ", " : "[", boundary_words[box->boundary[i]]);
    text_add(w->out, "]");
}

static const setting_form form_boundary = {read_boundary, write_boundary, false};

/* ---- The box as a whole ---- */

/* All particles have one size, so that the densest packing is known. */
static bool is_monodisperse(const scene *s)
{
    for (size_t i = 0; i < s->species_count; i++)
        if (s->species[i].diameter.law != SIZE_CONSTANT || s->species[i].diameter.a != s->species[0].diameter.a)
            return false;
    return s->species_count > 0;
}

static void check_packing(reader *r, const node *n)
{
    double densest = scene_densest_packing(r->s->dimension);
    if (n->kind == NODE_SCALAR && r->s->box.packing_fraction == 1)
        fault_add(r->f, n, "'packing_fraction' must be less than 1");
    else if (r->s->box.packing_fraction > densest && is_monodisperse(r->s))
        fault_add(r->f, n, "packing fraction %s is above the densest packing possible, %.4f for equal %s",
                  value_quote(r, n), densest, r->s->dimension == 3 ? "spheres" : "disks");
}

static void finish_box(reader *r, const node *n, void *into)
{
    scene_box *box = into;
    const node *size = tree_get(r->t, n, "size"), *packing = tree_get(r->t, n, "packing_fraction");
    const node *aspect = tree_get(r->t, n, "aspect");
    if (r->s->dimension == 2) {
        box->size[2] = box->aspect[2] = 1;
        box->boundary[2] = BOUNDARY_PERIODIC;
    }
    if (n == NULL) {
        fault_add(r->f, r->where, "missing key 'box': %s", table_box.help);
        return;
    }
    if (size == NULL && packing == NULL)
        fault_add(r->f, n, "missing key 'size' (or 'packing_fraction'): the size of the box");
    if (size != NULL && aspect != NULL)
        fault_add(r->f, tree_key(r->t, aspect),
                  "'aspect' is used with 'packing_fraction' only: remove it, as 'size' gives all sides");
    if (packing != NULL) check_packing(r, packing);
}

WRITTEN_IF(has_size, scene_box, !(one->packing_fraction > 0))

static bool has_packing(const scene *s, const void *from)
{
    return !has_size(s, from);
}

/* clang-format off */
static const char *const size_shapes[] = {"[x, y, z]", "one number for all sides", NULL};
static const char *const boundary_shapes[] = {"periodic", "wall", "open", "[x, y, z] of these words", NULL};

static const setting box_entries[] = {
    {.name = "size", .type = SETTING_SHAPE, .unit = "length", .fallback = "", .choices = size_shapes,
     .form = &form_size, .written = has_size,
     .help = "lengths of the sides; the box spans 0 to size. Either this or packing_fraction"},
    {.name = "packing_fraction", .type = SETTING_REAL, .offset = offsetof(scene_box, packing_fraction), .unit = "",
     .fallback = "", .min = 0, .max = 1, .above_min = true,
     .instead_of = "size", .written = has_packing,
     .help = "share of the box that the particles fill; the size follows from it"},
    {.name = "aspect", .type = SETTING_VECTOR, .offset = offsetof(scene_box, aspect), .unit = "",
     .fallback = "[1, 1, 1]", .min = 0, .max = INFINITY, .above_min = true, .written = has_packing,
     .help = "ratios of the sides, with packing_fraction"},
    {.name = "boundary", .type = SETTING_SHAPE, .unit = "", .fallback = "periodic", .choices = boundary_shapes, .form = &form_boundary,
     .help = "at the faces, particles re-enter at the opposite face, are reflected, or leave"},
};
const settings_table table_box = {TABLE_OF("box", scene_box, box_entries, "the box that holds the particles"), .finish = finish_box};

#include "scene/language/reader.h"

static bool check_side(reader *r, const node *n, double side)
{
    if (side > 0) return true;
    fault_add(r->f, n, "a side of the box must be greater than 0, not %s", value_quote(r, n));
    return false;
}

static void read_size(reader *r, const node *n, scene_box *box)
{
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

static void read_boundary(reader *r, const node *n, scene_box *box)
{
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

/* One size for all, so that the densest packing is known. */
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

/* The box's table has been read; here come the forms of its own. The species are known already. */
void read_box(reader *r, const node *n)
{
    scene_box *box = &r->s->box;
    if (n == NULL || n->kind != NODE_MAP) return;
    const node *size = tree_get(r->t, n, "size"), *packing = tree_get(r->t, n, "packing_fraction");
    const node *boundary = tree_get(r->t, n, "boundary"), *aspect = tree_get(r->t, n, "aspect");
    if (size == NULL && packing == NULL)
        fault_add(r->f, n, "missing key 'size' (or 'packing_fraction'): how large the box is");
    if (size != NULL && packing != NULL)
        fault_add(r->f, tree_key(r->t, packing), "'size' and 'packing_fraction' exclude each other; give one");
    if (size != NULL && aspect != NULL)
        fault_add(r->f, tree_key(r->t, aspect), "'aspect' goes with 'packing_fraction'; 'size' says it all");
    if (size != NULL) read_size(r, size, box);
    if (packing != NULL) check_packing(r, packing);
    if (boundary != NULL) read_boundary(r, boundary, box);
    if (r->s->dimension == 2) {
        box->size[2] = box->aspect[2] = 1;
        box->boundary[2] = BOUNDARY_PERIODIC;
    }
}

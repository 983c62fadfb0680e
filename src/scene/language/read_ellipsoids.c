/* Ellipsoids: their shape, the way they point, and what does not go with them. */
#include <math.h>
#include <string.h>

#include "scene/language/reader.h"

/* Longer than this times its width nothing is computed with. */
#define MOST_SLENDER 1000.0

static void check_engine(reader *r, const node *key)
{
    if (!r->engine_known) return;
    const char *engine = r->vocabulary->engines[r->s->engine]->name;
    if (strcmp(engine, "hard") != 0)
        fault_add(r->f, key, "the engine `%s` has no ellipsoids; leave '%s' out, or use `engine: hard`", engine,
                  value_quote(r, key));
}

void read_semi_axes(reader *r, const node *map, scene_species *species)
{
    const node *n = tree_get(r->t, map, "semi_axes"), *diameter = tree_get(r->t, map, "diameter");
    const node *other = diameter != NULL ? diameter : tree_get(r->t, map, "radius");
    double semi[3];
    r->s->rough = r->s->ellipsoids = true;
    check_engine(r, tree_key(r->t, n));
    if (other != NULL)
        fault_add(r->f, tree_key(r->t, other), "'%s' and 'semi_axes' exclude each other; give one",
                  value_quote(r, tree_key(r->t, other)));
    if (!value_numbers(r, n, (size_t)r->s->dimension, semi)) return;
    const double longest = fmax(semi[0], semi[1]), shortest = fmin(semi[0], semi[1]);
    if (!(shortest > 0)) {
        fault_add(r->f, n, "'semi_axes' must be greater than 0");
    } else if (r->s->dimension == 3 && semi[1] != semi[2]) {
        fault_add(r->f, n, "the last two of 'semi_axes' must be equal: [a, b, b], a along the axis of revolution");
    } else if (longest > MOST_SLENDER * shortest) {
        fault_add(r->f, n, "'semi_axes': one is more than 1000 times the other");
    } else {
        species->semi_axes[0] = semi[0];
        species->semi_axes[1] = semi[1];
        species->diameter = (scene_size){.law = SIZE_CONSTANT, .a = 2 * longest};
    }
}

static bool is_direction(reader *r, const node *n, const double v[3])
{
    double square = 0;
    for (int k = 0; k < r->s->dimension; k++) square += v[k] * v[k];
    if (square > 1e-200 && square < 1e200) return true;
    fault_add(r->f, n, "a direction must not be of length zero (or beyond 1e100)");
    return false;
}

void read_orientation(reader *r, const node *n, scene_particles *p)
{
    static const char *const kinds[] = {"along", "each", NULL};
    p->orientation_given = n != NULL;
    if (n == NULL && p->place == PLACE_FILE) p->orientation = ORIENTATION_FILE;
    if (n == NULL) return;
    check_engine(r, tree_key(r->t, n));
    if (node_is(n, "random")) return;
    if (node_is(n, "file")) {
        p->orientation = ORIENTATION_FILE;
        if (p->place != PLACE_FILE) fault_add(r->f, n, "'orientation: file' needs 'place: {file: PATH}'");
        return;
    }
    if (n->kind != NODE_MAP) {
        value_refuse(r, n, "random, file, {along: [...]} or {each: [[...], ...]}");
        return;
    }
    const node *form = value_only_key(r, n, "orientation");
    if (form == NULL) return;
    const int kind = value_choice(r, tree_key(r->t, form), "orientation", kinds);
    if (kind == 0) {
        p->axes = read_new(r, 1, sizeof *p->axes);
        if (p->axes == NULL || !value_vector(r, form, p->axes[0]) || !is_direction(r, form, p->axes[0])) return;
        p->orientation = ORIENTATION_ALONG;
        p->axes_count = 1;
    } else if (kind == 1) {
        size_t count = 0;
        p->axes = value_vectors(r, form, &count);
        if (p->axes == NULL) return;
        p->orientation = ORIENTATION_EACH;
        p->axes_count = count;
        for (size_t k = 0; k < count; k++)
            if (!is_direction(r, form, p->axes[k])) return;
        if (p->count > 0 && count != p->count)
            fault_add(r->f, form, "'each' lists %zu directions for %llu particles; give one for each", count,
                      (unsigned long long)p->count);
    }
}

static void refuse(reader *r, const node *key)
{
    fault_add(r->f, key, "'%s' does not go with ellipsoids (species with 'semi_axes'); leave it out",
              value_quote(r, key));
}

void read_ellipsoids(reader *r, const node *root)
{
    static const char *const others[] = {"meshes", "cylinders", "potentials", "bonds", "drives", NULL};
    if (!r->s->ellipsoids) {
        const node *list = tree_get(r->t, root, "particles");
        const node *item = list != NULL && list->kind == NODE_LIST ? tree_first(r->t, list) : NULL;
        for (; item != NULL; item = tree_next(r->t, item)) {
            const node *n = item->kind == NODE_MAP ? tree_get(r->t, item, "orientation") : NULL;
            if (n != NULL && !node_is(n, "random"))
                fault_add(r->f, tree_key(r->t, n),
                          "'orientation' is one of ellipsoids, and no species has 'semi_axes'");
        }
        return;
    }
    for (int k = 0; others[k] != NULL; k++) {
        const node *n = tree_get(r->t, root, others[k]);
        if (n != NULL && n->length > 0) refuse(r, tree_key(r->t, n));
    }
    const node *list = tree_get(r->t, root, "particles");
    const node *item = list != NULL && list->kind == NODE_LIST ? tree_first(r->t, list) : NULL;
    for (size_t k = 0; item != NULL && k < r->s->particles_count; item = tree_next(r->t, item), k++)
        if (r->s->particles[k].place == PLACE_COMPRESS && item->kind == NODE_MAP)
            fault_add(r->f, tree_get(r->t, item, "place"),
                      "place: compress grows spheres; place ellipsoids at random, or on a lattice with one orientation "
                      "along an axis of the box, which is stretched as they are");
    const node *contacts = tree_get(r->t, root, "contacts");
    item = contacts != NULL && contacts->kind == NODE_LIST ? tree_first(r->t, contacts) : NULL;
    for (; item != NULL; item = tree_next(r->t, item)) {
        const node *rough = item->kind == NODE_MAP ? tree_get(r->t, item, "tangential") : NULL;
        const node *rubs = item->kind == NODE_MAP ? tree_get(r->t, item, "friction") : NULL;
        const node *hot = item->kind == NODE_MAP ? tree_get(r->t, item, "temperature") : NULL;
        if (rough != NULL && !node_is(rough, "-1")) refuse(r, tree_key(r->t, rough));
        if (rubs != NULL && !node_is(rubs, "0")) refuse(r, tree_key(r->t, rubs));
        if (hot != NULL) refuse(r, tree_key(r->t, hot));
    }
}

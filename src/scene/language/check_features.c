/* Elements that the engine does not support, and combinations that are not permitted. */
#include "geometry/shape.h"
#include "scene/language/reader.h"

const char *read_engine_instead(const reader *r, unsigned feature)
{
    const scene_vocabulary *v = r->vocabulary;
    if (!r->engine_known || v->features == NULL || (v->features[r->s->engine] & feature)) return NULL;
    for (size_t i = 0; i < v->engine_count; i++)
        if (v->features[i] & feature) return v->engines[i]->name;
    return NULL;
}

void read_needs(reader *r, const node *key, unsigned feature, const char *what)
{
    const char *instead = key != NULL ? read_engine_instead(r, feature) : NULL;
    if (instead != NULL)
        fault_add(r->f, key, "the engine `%s` has no %s" HINT "leave '%s' out, or use `engine: %s`",
                  r->vocabulary->engines[r->s->engine]->name, what, value_quote(r, key), instead);
}

bool read_needs_rough(reader *r, const node *key)
{
    read_needs(r, key, ENGINE_ROUGH, "rough spheres");
    return true;
}

static void refuse(reader *r, const node *key)
{
    fault_add(r->f, key, "'%s' cannot be combined with %s (species with '%s'): leave it out", value_quote(r, key),
              scene_particle_shape(r->s)->plural, scene_particle_shape(r->s)->key);
}

void read_shapes(reader *r, const node *root)
{
#define KEY(one, many, ONE, words) #many,
    static const char *const others[] = {"meshes", EXACT_KINDS(KEY) "potentials", "bonds", "drives", NULL};
    if (!r->s->shaped) {
        const node *list = tree_get(r->t, root, "particles");
        const node *item = list != NULL && list->kind == NODE_LIST ? tree_first(r->t, list) : NULL;
        for (; item != NULL; item = tree_next(r->t, item)) {
            const node *n = item->kind == NODE_MAP ? tree_get(r->t, item, "orientation") : NULL;
            const bool clump = item->kind == NODE_MAP && tree_get(r->t, item, "clump") != NULL;
            if (n != NULL && !clump && !node_is(n, "random") && !node_is(n, "fixed"))
                fault_add(r->f, tree_key(r->t, n), "'orientation' is for %s, and no species has '%s': leave it out",
                          scene_particle_shape(r->s)->plural, scene_particle_shape(r->s)->key);
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
            fault_add(r->f, tree_get(r->t, item, "place"), "place: compress grows spheres; place %s at random%s",
                      scene_particle_shape(r->s)->plural,
                      scene_particle_shape(r->s)->stretched
                          ? ", or on a lattice with one orientation along an axis of the box, "
                            "which is stretched as they are"
                          : ", or on a lattice of the spheres around them");
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

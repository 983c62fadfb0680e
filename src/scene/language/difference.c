/* Comparison of two resolved scenes. */
#include <string.h>

#include "base/memory.h"
#include "scene/language/tree.h"
#include "scene/scene.h"

typedef struct pair {
    const tree *a, *b;
    bool all;    /* no differences are permitted */
    bool events; /* none of output.events */
    error *e;
    carom_status status;
} pair;

static char *path_of(pair *p, const char *step, size_t length, const char *below)
{
    char *path = memory_format("%.*s%s%s", (int)length, step, below[0] != '\0' ? "." : "", below);
    if (path == NULL) p->status = error_memory(p->e, "a path", length);
    return path;
}

/* Keys that may differ between a run and its continuation; `top`: the key of the scene that contains `key`. */
static bool is_free(const pair *p, const node *key, int depth, const node *top)
{
    if (p->all) return false;
    if (depth == 0) return node_is(key, "view");
    return depth == 1 && top != NULL &&
           ((node_is(top, "run") && node_is(key, "until")) ||
            (node_is(top, "output") && !(p->events && node_is(key, "events"))));
}

/* The path of the first difference below two nodes, "" if the nodes themselves differ; NULL: equal. Freed by the
 * caller. */
static char *compare(pair *p, const node *a, const node *b, int depth, const node *top);

static char *compare_maps(pair *p, const node *a, const node *b, int depth, const node *top)
{
    for (const node *n = tree_first(p->a, a); n != NULL; n = tree_next(p->a, n)) {
        const node *key = tree_key(p->a, n), *other = tree_find(p->b, b, key->text, key->length);
        if (is_free(p, key, depth, top)) continue;
        if (other == NULL) return path_of(p, key->text, key->length, "");
        char *below = compare(p, n, other, depth + 1, depth == 0 ? key : NULL);
        if (below == NULL) continue;
        char *path = path_of(p, key->text, key->length, below);
        memory_free(below);
        return path;
    }
    for (const node *n = tree_first(p->b, b); n != NULL; n = tree_next(p->b, n)) {
        const node *key = tree_key(p->b, n);
        if (is_free(p, key, depth, top) || tree_find(p->a, a, key->text, key->length) != NULL) continue;
        return path_of(p, key->text, key->length, "");
    }
    return NULL;
}

static char *compare_lists(pair *p, const node *a, const node *b, int depth)
{
    if (a->length != b->length) return path_of(p, "", 0, "");
    const node *n = tree_first(p->a, a), *other = tree_first(p->b, b);
    for (size_t i = 0; n != NULL; i++) {
        char *below = compare(p, n, other, depth + 1, NULL);
        if (below != NULL) {
            char *path = memory_format("%zu%s%s", i, below[0] != '\0' ? "." : "", below);
            memory_free(below);
            if (path == NULL) p->status = error_memory(p->e, "a path", 1);
            return path;
        }
        n = tree_next(p->a, n);
        other = tree_next(p->b, other);
    }
    return NULL;
}

static char *compare(pair *p, const node *a, const node *b, int depth, const node *top)
{
    if (a->kind != b->kind) return path_of(p, "", 0, "");
    if (a->kind == NODE_MAP) return compare_maps(p, a, b, depth, top);
    if (a->kind == NODE_LIST) return compare_lists(p, a, b, depth);
    if (a->length != b->length || memcmp(a->text, b->text, a->length) != 0) return path_of(p, "", 0, "");
    return NULL;
}

static carom_status read_resolved(tree *t, const char *name, const char *text, uint32_t *root, error *e)
{
    faults f;
    TRY(tree_create(t, e));
    if (!faults_create(&f)) return error_memory(e, "a scene", sizeof f);
    tree_source source = {.name = name, .text = text, .length = strlen(text), .has_lines = true};
    carom_status status = CAROM_OK;
    *root = 0;
    if (tree_add_source(t, source) < 0)
        status = error_memory(e, "a scene", sizeof source);
    else
        *root = yaml_read(t, &f, 0, 0);
    if (status == CAROM_OK) status = faults_report(&f, t, *root, e);
    faults_free(&f);
    return status;
}

static carom_status difference(const char *stored_resolved, const char *resolved, bool all, bool events, char **key,
                               error *e)
{
    tree a = {0}, b = {0};
    uint32_t root_a = 0, root_b = 0;
    *key = NULL;
    error_clear(e);
    if (strcmp(stored_resolved, resolved) == 0) return CAROM_OK;
    carom_status status = read_resolved(&a, "(the stored scene)", stored_resolved, &root_a, e);
    if (status == CAROM_OK) status = read_resolved(&b, "(the scene)", resolved, &root_b, e);
    if (status == CAROM_OK) {
        pair p = {&a, &b, all, events, e, CAROM_OK};
        *key = compare(&p, tree_node(&a, root_a), tree_node(&b, root_b), 0, NULL);
        status = p.status;
    }
    tree_free(&a);
    tree_free(&b);
    return status;
}

carom_status scene_difference(const char *stored_resolved, const char *resolved, char **key, error *e)
{
    return difference(stored_resolved, resolved, false, false, key, e);
}

carom_status scene_difference_of_file(const char *stored_resolved, const char *resolved, char **key, error *e)
{
    return difference(stored_resolved, resolved, false, true, key, e);
}

carom_status scene_text_difference(const char *stored, const char *text, char **key, error *e)
{
    return difference(stored, text, true, true, key, e);
}

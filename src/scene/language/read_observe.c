#include <stdio.h>
#include <string.h>

#include "scene/language/reader.h"
#include "scene/language/suggest.h"

enum { MOST_OBSERVABLES = 1000 };

static const settings_table *find_observable(reader *r, const node *n, uint32_t *index)
{
    const scene_vocabulary *v = r->vocabulary;
    if (n->kind != NODE_SCALAR || n->length == 0) {
        value_refuse(r, n, "the name of an observable");
        return NULL;
    }
    suggest near = suggest_begin(n->text, n->length);
    for (size_t i = 0; i < v->observable_count; i++) {
        *index = (uint32_t)i;
        if (node_is(n, v->observables[i]->name)) return v->observables[i];
        suggest_try(&near, v->observables[i]->name);
    }
    if (near.best != NULL)
        fault_add(r->f, n, "unknown observable '%s'; did you mean '%s'?", value_quote(r, n), near.best);
    else
        fault_add(r->f, n, "unknown observable '%s'; 'carom help observables' lists them", value_quote(r, n));
    return NULL;
}

static bool is_taken(const scene *s, const char *name, const scene_observe *own)
{
    for (size_t i = 0; i < s->observe_count; i++)
        if (&s->observe[i] != own && s->observe[i].name != NULL && strcmp(s->observe[i].name, name) == 0) return true;
    return false;
}

static void read_one(reader *r, const node *n, scene_observe *o)
{
    if (!value_is_map(r, n, "a map with 'what'")) return;
    const node *what = tree_get(r->t, n, "what"), *name = tree_get(r->t, n, "name");
    const node *every = tree_get(r->t, n, "every"), *collisions = tree_get(r->t, n, "every_collisions");
    const settings_table *table = what != NULL ? find_observable(r, what, &o->what) : NULL;
    if (what == NULL || table != NULL) settings_check_keys(r, n, &table_observe, table);
    settings_read(r, &table_observe, n, n, o);
    if (every != NULL && collisions != NULL)
        fault_add(r->f, tree_key(r->t, collisions), "'every' and 'every_collisions' exclude each other; give one");
    if (name == NULL || (o->name != NULL && !read_is_name(r, name, o->name, strlen(o->name)))) o->name = NULL;
    if (o->name != NULL && is_taken(r->s, o->name, o))
        fault_add(r->f, name, "the name '%s' is taken by another observable", o->name);
    if (table == NULL) return;
    o->settings = read_new(r, 1, table->size);
    if (o->settings != NULL) settings_read(r, table, n, n, o->settings);
}

/* The observable's name, with a number where it is taken. */
static void choose_name(reader *r, scene_observe *o)
{
    const char *base = r->vocabulary->observables[o->what]->name;
    size_t size = strlen(base) + 24;
    char *name = read_new(r, size, 1);
    if (name == NULL) return;
    snprintf(name, size, "%s", base);
    for (unsigned i = 2; is_taken(r->s, name, o); i++) snprintf(name, size, "%s_%u", base, i);
    o->name = name;
}

void read_observe(reader *r, const node *n)
{
    scene *s = r->s;
    if (n == NULL || !value_is_list(r, n, "a list of observables")) return;
    if (n->length > MOST_OBSERVABLES) {
        fault_add(r->f, n, "more than %d observables", MOST_OBSERVABLES);
        return;
    }
    s->observe = read_new(r, n->length, sizeof *s->observe);
    if (s->observe == NULL) return;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        read_one(r, item, &s->observe[s->observe_count++]);
    for (size_t i = 0; i < s->observe_count; i++)
        if (s->observe[i].name == NULL && s->observe[i].settings != NULL) choose_name(r, &s->observe[i]);
}

/* The key `observe`. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/language/reader.h"
#include "scene/language/suggest.h"

enum { MOST_OBSERVABLES = 1000 };
#define NOT_KNOWN UINT32_MAX

/* ---- what ---- */

static void read_what(reader *r, const node *n, void *into)
{
    const scene_vocabulary *v = r->vocabulary;
    scene_observe *o = into;
    if (n->kind != NODE_SCALAR || n->length == 0) {
        value_refuse(r, n, "the name of an observable");
        return;
    }
    suggest near = suggest_begin(n->text, n->length);
    for (size_t i = 0; i < v->observable_count; i++) {
        o->what = (uint32_t)i;
        if (node_is(n, v->observables[i]->name)) return;
        suggest_try(&near, v->observables[i]->name);
    }
    if (near.best != NULL)
        fault_add(r->f, n, "unknown observable '%s'" HINT "did you mean '%s'?", value_quote(r, n), near.best);
    else
        fault_add(r->f, n, "unknown observable '%s'" HINT "'carom help observables' lists them", value_quote(r, n));
    o->what = NOT_KNOWN;
}

static void write_what(writer *w, const void *from)
{
    text_add(w->out, "%s", w->vocabulary->observables[((const scene_observe *)from)->what]->name);
}

static const setting_form form_what = {read_what, write_what, false};

/* ---- name ---- */

static bool is_taken(const scene *s, const char *name, const scene_observe *own)
{
    for (size_t i = 0; i < s->observe_count; i++)
        if (&s->observe[i] != own && s->observe[i].name != NULL && strcmp(s->observe[i].name, name) == 0) return true;
    return false;
}

/* The name of the observable, with a number if the name is taken. */
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

static void begin_observe(reader *r, void *filled)
{
    (void)r;
    ((scene_observe *)filled)->what = NOT_KNOWN;
}

static void finish_observe(reader *r, const node *map, void *filled)
{
    scene_observe *o = filled;
    const node *name = tree_get(r->t, map, "name");
    if (name == NULL || (o->name != NULL && !read_is_name(r, name, o->name, strlen(o->name)))) o->name = NULL;
    if (o->name != NULL && is_taken(r->s, o->name, o))
        fault_add(r->f, name, "the name '%s' is taken by another observable", o->name);
}

/* ---- items: the settings of an observable are beside the common ones --------------------------------------------- */

static void read_item(reader *r, const node *n, scene_observe *o)
{
    begin_observe(r, o);
    if (!value_is_map(r, n, table_observe.wanted)) return;
    settings_read(r, &table_observe, n, n, o);
    const settings_table *table = o->what != NOT_KNOWN ? r->vocabulary->observables[o->what] : NULL;
    if (table != NULL || tree_get(r->t, n, "what") == NULL) settings_check_keys(r, n, &table_observe, table);
    if (table == NULL) return;
    o->settings = read_new(r, 1, table->size);
    if (o->settings != NULL) settings_read(r, table, n, n, o->settings);
}

static void read_items(reader *r, const node *n)
{
    scene *s = r->s;
    if (n == NULL) return;
    s->observe = read_new(r, n->length, sizeof *s->observe);
    if (s->observe == NULL) return;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        read_item(r, item, &s->observe[s->observe_count++]);
    for (size_t i = 0; i < s->observe_count; i++)
        if (s->observe[i].name == NULL && s->observe[i].settings != NULL) choose_name(r, &s->observe[i]);
}

static void write_items(writer *w)
{
    const scene *s = w->s;
    text_add(w->out, s->observe_count > 0 ? "observe:" : "observe: []");
    for (size_t i = 0; i < s->observe_count; i++) {
        write_dashed(w, &table_observe, &s->observe[i]);
        write_lines(w, w->vocabulary->observables[s->observe[i].what], s->observe[i].settings, 4);
    }
    text_add(w->out, "\n");
}

const setting_list list_observe = {.wanted = "a list of observables",
                                   .most = MOST_OBSERVABLES,
                                   .things = "observables",
                                   .read = read_items,
                                   .write = write_items};

/* clang-format off */
static const setting observe_entries[] = {
    {.name = "what", .type = SETTING_SHAPE, .unit = "", .form = &form_what, .help = "the observable; its settings are keys of the same item"},
    {.name = "name", .type = SETTING_TEXT, .offset = offsetof(scene_observe, name), .unit = "", .fallback = "",
     .help = "key in the results; by default the name of the observable, numbered if repeated"},
    {.name = "every", .type = SETTING_REAL, .offset = offsetof(scene_observe, every), .unit = "time", .fallback = "",
     .min = 0, .max = INFINITY, .above_min = true,
     .help = "simulated time between samples; without it the observable determines its samples"},
    {.name = "every_collisions", .type = SETTING_INTEGER, .offset = offsetof(scene_observe, every_collisions),
     .unit = "", .fallback = "", .min = 1, .max = INFINITY, .instead_of = "every", .help = "instead of every: collisions between samples"},
    {.name = "start", .type = SETTING_REAL, .offset = offsetof(scene_observe, start), .unit = "time",
     .fallback = "0", .min = 0, .max = INFINITY, .help = "no sample before this time"},
};
const settings_table table_observe = {TABLE_OF("observe", scene_observe, observe_entries, "a quantity to measure"), .lines = true,
                                      .wanted = "a map with 'what'", .begin = begin_observe, .finish = finish_observe};

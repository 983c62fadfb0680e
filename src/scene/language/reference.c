/* The scene language as text: help for a terminal, and the reference in Markdown. Both traverse the settings tables. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "scene/language/reader.h"
#include "scene/language/reference.h"
#include "scene/language/suggest.h"

enum { PATH_SIZE = 160, NAME_COLUMN = 26, LINE_WIDTH = 100 };

/* The words of the keys for engines and observables come from the vocabulary. */
static const settings_table *const *named_tables(const scene_vocabulary *v, const char *path, size_t *count)
{
    bool engine = strcmp(path, "engine") == 0, what = strcmp(path, "observe.what") == 0;
    *count = engine ? v->engine_count : what ? v->observable_count : 0;
    return engine ? v->engines : v->observables;
}

static void add_words(text_buffer *out, const scene_vocabulary *v, const char *path, const setting *s,
                      const char *quote, const char *gap)
{
    size_t count, written = 0;
    const settings_table *const *tables = named_tables(v, path, &count);
    for (size_t i = 0; i < count; i++)
        text_add(out, "%s%s%s%s", written++ > 0 ? gap : "", quote, tables[i]->name, quote);
    for (const char *const *word = s->choices; word != NULL && *word != NULL; word++)
        text_add(out, "%s%s%s%s", written++ > 0 ? gap : "", quote, *word, quote);
}

static void add_kind(text_buffer *out, const scene_vocabulary *v, const char *path, const setting *s, const char *quote,
                     const char *gap)
{
    static const char *const kinds[] = {
        [SETTING_BOOL] = "true or false", [SETTING_INTEGER] = "whole number", [SETTING_REAL] = "number",
        [SETTING_TEXT] = "text",          [SETTING_VECTOR] = "[x, y, z]",     [SETTING_TABLE] = "map",
        [SETTING_LIST] = "list",          [SETTING_NAMED] = "map by name"};
    if (s->type == SETTING_CHOICE || s->type == SETTING_SHAPE)
        add_words(out, v, path, s, quote, gap);
    else
        text_add(out, "%s", kinds[s->type]);
    if (s->unit != NULL && s->unit[0] != '\0') text_add(out, " (%s)", s->unit);
}

static void add_range(text_buffer *out, const setting *s)
{
    if (!(s->min < s->max)) return;
    if (isfinite(s->min)) {
        text_add(out, s->above_min ? ", greater than " : ", at least ");
        text_add_number(out, s->min);
    }
    if (isfinite(s->max)) {
        text_add(out, ", at most ");
        text_add_number(out, s->max);
    }
}

static const char *default_words(const setting *s)
{
    if (s->type == SETTING_TABLE) return "";
    if (s->fallback == NULL) return "required";
    return s->fallback[0] == '\0' ? "optional" : NULL;
}

/* "prefix.name"; cut at an excessive length. */
static void join(char out[PATH_SIZE], const char *prefix, const char *name)
{
    size_t first = strlen(prefix), second = strlen(name), dot = first > 0;
    if (first > PATH_SIZE / 2) first = PATH_SIZE / 2;
    if (second > PATH_SIZE / 2 - 2) second = PATH_SIZE / 2 - 2;
    memcpy(out, prefix, first);
    if (dot) out[first] = '.';
    memcpy(out + first + dot, name, second);
    out[first + dot + second] = '\0';
}

/* ---- Walking ---- */

typedef struct walk walk;
struct walk {
    const scene_vocabulary *vocabulary;
    text_buffer *out;
    const char *key; /* help: the requested key; NULL: all */
    bool anywhere;   /* help: the key may be at any depth */
    size_t matches;
    size_t shown_depth; /* help: depth of the present match, plus one; 0: none */
    suggest near;
    void (*visit)(walk *w, const char *path, size_t depth, const setting *s);
    scene_key_visit found; /* search */
    void *user;
};

static void walk_table(walk *w, const char *prefix, size_t depth, const settings_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        char path[PATH_SIZE];
        const setting *s = &table->entries[i];
        join(path, prefix, s->name);
        w->visit(w, path, depth, s);
        if (s->table != NULL) walk_table(w, path, depth + 1, s->table);
    }
}

/* A table that is not an entry of another is shown like one. */
static void walk_root(walk *w, const settings_table *table)
{
    setting s = {.name = table->name, .type = SETTING_TABLE, .table = table, .unit = "", .help = table->help};
    w->visit(w, table->name, 0, &s);
    walk_table(w, table->name, 1, table);
}

/* ---- Help ---- */

static bool matches(const walk *w, const char *path)
{
    if (w->key == NULL) return true;
    size_t key = strlen(w->key), length = strlen(path);
    if (strcmp(path, w->key) == 0) return true;
    return w->anywhere && length > key && path[length - key - 1] == '.' && strcmp(path + length - key, w->key) == 0;
}

/* Adds words; begins a new line, indented to the second column, when the line is full. */
static void add_wrapped(text_buffer *out, const char *words)
{
    size_t column = NAME_COLUMN + 1;
    while (*words != '\0') {
        size_t n = strcspn(words, " ");
        if (column > NAME_COLUMN + 1 && column + n > LINE_WIDTH) {
            text_add(out, "\n%*s", NAME_COLUMN + 1, "");
            column = NAME_COLUMN + 1;
        } else if (column > NAME_COLUMN + 1) {
            text_add(out, " ");
        }
        text_add_bytes(out, words, n);
        column += n + 1;
        words += n + (words[n] == ' ');
    }
    text_add(out, "\n");
}

static void show(walk *w, const char *path, const char *name, size_t indent, const setting *s)
{
    int width = NAME_COLUMN - (int)indent;
    text_add(w->out, "%*s%-*s ", (int)indent, "", width, name);
    if ((int)strlen(name) > width) text_add(w->out, "\n%*s ", NAME_COLUMN, "");
    add_wrapped(w->out, s->help);
    if (s->type == SETTING_TABLE) return;
    const char *words = default_words(s);
    text_buffer value = {0};
    add_kind(&value, w->vocabulary, path, s, "", " | ");
    add_range(&value, s);
    text_add(&value, "%s%s%s", value.length > 0 ? "; " : "", words != NULL ? "" : "default ",
             words != NULL ? words : s->fallback);
    text_add(w->out, "%*s ", NAME_COLUMN, "");
    if (value.failed)
        w->out->failed = true;
    else
        add_wrapped(w->out, value.data);
    text_free(&value);
}

static void visit_help(walk *w, const char *path, size_t depth, const setting *s)
{
    suggest_try(&w->near, s->name);
    if (w->shown_depth > 0 && depth >= w->shown_depth) {
        show(w, path, s->name, 2 * (depth + 1 - w->shown_depth), s);
        return;
    }
    w->shown_depth = 0;
    if (!matches(w, path)) return;
    if (w->matches++ > 0 && w->key != NULL) text_add(w->out, "\n");
    show(w, path, path, 0, s);
    w->shown_depth = depth + 1;
}

static void walk_language(walk *w, bool observables_only)
{
    if (!observables_only) {
        walk_table(w, "", 0, &table_scene);
        for (size_t i = 0; i < w->vocabulary->engine_count; i++) walk_root(w, w->vocabulary->engines[i]);
    }
    for (size_t i = 0; i < w->vocabulary->observable_count && (w->key != NULL || observables_only); i++)
        walk_root(w, w->vocabulary->observables[i]);
}

/* Removes those parts of a path that the tables do not contain: indices, and the names of species. */
static void normalise_key(char *out, size_t size, const char *key)
{
    size_t length = 0;
    bool after_species = false;
    out[0] = '\0';
    while (*key != '\0') {
        size_t n = strcspn(key, ".");
        bool index = n > 0 && strspn(key, "0123456789") == n;
        char step[64];
        snprintf(step, sizeof step, "%.*s", (int)n, key);
        bool name = after_species;
        for (size_t i = 0; i < table_species.count; i++)
            name = name && strcmp(table_species.entries[i].name, step) != 0;
        after_species = length == 0 && strcmp(step, "species") == 0;
        if (!index && !name && length < size)
            length += (size_t)snprintf(out + length, size - length, "%s%s", length > 0 ? "." : "", step);
        key += n + (key[n] == '.');
    }
}

static carom_status finish(text_buffer *out, char **result, error *e)
{
    if (out->failed) {
        text_free(out);
        return error_memory(e, "a help text", out->length);
    }
    *result = out->data;
    return CAROM_OK;
}

carom_status scene_help(char **out, const char *key, const scene_vocabulary *vocabulary, error *e)
{
    text_buffer text = {0};
    char path[PATH_SIZE] = "";
    *out = NULL;
    if (key != NULL) normalise_key(path, sizeof path, key);
    bool all = key == NULL || strcmp(key, "scene") == 0, observables = !all && strcmp(path, "observables") == 0;
    walk w = {.vocabulary = vocabulary, .out = &text, .key = all || observables ? NULL : path, .visit = visit_help};
    const char *last = strrchr(path, '.') != NULL ? strrchr(path, '.') + 1 : path;
    w.near = suggest_begin(last, strlen(last));
    walk_language(&w, observables);
    if (w.matches == 0) {
        w.anywhere = true;
        walk_language(&w, false);
    }
    if (w.matches > 0 || text.failed) return finish(&text, out, e);
    text_free(&text);
    suggest_try(&w.near, "scene");
    suggest_try(&w.near, "observables");
    if (w.near.best != NULL)
        return error_set(e, CAROM_USAGE, "error: unknown key '%s'; did you mean '%s'?", key, w.near.best);
    return error_set(e, CAROM_USAGE, "error: unknown key '%s'; 'carom help scene' lists them all", key);
}

/* ---- Search ---- */

static void visit_key(walk *w, const char *path, size_t depth, const setting *s)
{
    (void)depth;
    w->found(path, s, w->user);
}

void scene_each_key(const scene_vocabulary *vocabulary, scene_key_visit visit, void *user)
{
    walk w = {.vocabulary = vocabulary, .key = "", .visit = visit_key, .found = visit, .user = user};
    walk_language(&w, false);
}

/* ---- Keys of a map ---- */

/* `one`: the path of the requested map, "" for the scene. */
typedef struct key_list {
    text_buffer *out;
    const char *of;
    size_t count;
} key_list;

static void add_json_text(text_buffer *out, const char *text)
{
    text_add_json(out, text, strlen(text));
}

static void list_key(const char *path, const setting *s, void *user)
{
    key_list *keys = user;
    const char *dot = strrchr(path, '.');
    const size_t parent = dot != NULL ? (size_t)(dot - path) : 0;
    if (strlen(keys->of) != parent || strncmp(keys->of, path, parent) != 0) return;
    text_add(keys->out,
             keys->count++ > 0 ? ",\n {\"name\": \"%s\", \"help\": " : "[{\"name\": \"%s\", \"help\": ", s->name);
    add_json_text(keys->out, s->help);
    text_add(keys->out, ", \"unit\": ");
    add_json_text(keys->out, s->unit != NULL ? s->unit : "");
    text_add(keys->out, ", \"default\": ");
    if (default_words(s) != NULL)
        text_add(keys->out, "null");
    else
        add_json_text(keys->out, s->fallback);
    const bool map = s->type == SETTING_TABLE || s->type == SETTING_NAMED;
    text_add(keys->out, ", \"kind\": \"%s\"}", map ? "map" : s->type == SETTING_LIST ? "list" : "value");
}

carom_status scene_keys_json(char **out, const char *path, const scene_vocabulary *vocabulary, error *e)
{
    text_buffer text = {0};
    char of[PATH_SIZE];
    *out = NULL;
    normalise_key(of, sizeof of, path);
    key_list keys = {.out = &text, .of = of};
    walk w = {.vocabulary = vocabulary, .key = "", .visit = visit_key, .found = list_key, .user = &keys};
    walk_table(&w, "", 0, &table_scene);
    for (size_t i = 0; i < vocabulary->engine_count; i++) walk_root(&w, vocabulary->engines[i]);
    if (keys.count == 0) return error_set(e, CAROM_USAGE, "error: no keys below '%s'", path);
    text_add(&text, "]");
    return finish(&text, out, e);
}

/* ---- Markdown ---- */

static void add_row(walk *w, const char *path, size_t depth, const setting *s)
{
    const char *words = default_words(s);
    (void)depth;
    text_add(w->out, "| `%s` | ", s->name);
    add_kind(w->out, w->vocabulary, path, s, "`", ", ");
    add_range(w->out, s);
    if (words != NULL)
        text_add(w->out, " | %s", words);
    else
        text_add(w->out, " | `%s`", s->fallback);
    text_add(w->out, " | %s |\n", s->help);
}

static char upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static void add_section(walk *w, const char *path, const char *level, const settings_table *table)
{
    text_add(w->out, "\n%s `%s`\n\n%c%s.\n", level, path, upper(table->help[0]), table->help + 1);
    if (table->count == 0) return;
    text_add(w->out, "\n| key | value | default | meaning |\n|---|---|---|---|\n");
    for (size_t i = 0; i < table->count; i++) {
        char below[PATH_SIZE];
        join(below, path, table->entries[i].name);
        add_row(w, below, 0, &table->entries[i]);
    }
    for (size_t i = 0; i < table->count; i++) {
        char below[PATH_SIZE];
        join(below, path, table->entries[i].name);
        if (table->entries[i].table != NULL) add_section(w, below, level, table->entries[i].table);
    }
}

static const char introduction[] =
    "# Scene reference\n\n"
    "A scene is a YAML file: one document, a map of the keys below. Units are the user's own. Numbers are decimal\n"
    "(`2`, `.5`, `1e3`), truth values are `true` and `false`, everything else is text. Anchors, aliases, tags and "
    "merge\n"
    "keys are not part of the language. In 2 dimensions a vector has two numbers. `carom check SCENE` reports all "
    "faults\n"
    "of a scene at once; `--set key.path=value` overrides a key (items of lists by index, from 0).\n\n"
    "Magnitudes have [limits](#limits).\n\n"
    "This page is generated from the tables of the scene reader (`carom help scene`).\n\n"
    "| key | value | default | meaning |\n|---|---|---|---|\n";

carom_status scene_reference(char **out, const scene_vocabulary *vocabulary, error *e)
{
    text_buffer text = {0};
    walk w = {.vocabulary = vocabulary, .out = &text};
    *out = NULL;
    text_add(&text, "%s", introduction);
    for (size_t i = 0; i < table_scene.count; i++) add_row(&w, table_scene.entries[i].name, 0, &table_scene.entries[i]);
    text_add(&text, "| an engine's name | map | optional | its settings; those of other engines are checked too, so "
                    "that `engine` can be changed alone |\n");
    for (size_t i = 0; i < table_scene.count; i++)
        if (table_scene.entries[i].table != NULL)
            add_section(&w, table_scene.entries[i].name, "##", table_scene.entries[i].table);
    text_add(&text, "\n## Engines\n");
    for (size_t i = 0; i < vocabulary->engine_count; i++)
        add_section(&w, vocabulary->engines[i]->name, "###", vocabulary->engines[i]);
    text_add(&text, "\n## Observables\n\nTheir settings are keys of an item of `observe`, beside `what`.\n");
    for (size_t i = 0; i < vocabulary->observable_count; i++)
        add_section(&w, vocabulary->observables[i]->name, "###", vocabulary->observables[i]);
    scale_reference(&text);
    return finish(&text, out, e);
}

/* Structs filled from maps as their tables say. */
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "scene/language/reader.h"
#include "scene/language/suggest.h"

const setting *settings_find(const settings_table *table, const char *name)
{
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->entries[i].name, name) == 0) return &table->entries[i];
    return NULL;
}

static const setting *find_key(const settings_table *table, const node *key)
{
    for (size_t i = 0; table != NULL && i < table->count; i++)
        if (node_is(key, table->entries[i].name)) return &table->entries[i];
    return NULL;
}

static void suggest_entries(suggest *near, const settings_table *table)
{
    for (size_t i = 0; table != NULL && i < table->count; i++) suggest_try(near, table->entries[i].name);
}

/* Engines' names are keys of a scene too. */
static bool is_engine_key(const reader *r, const settings_table *table, const node *key)
{
    if (table != &table_scene) return false;
    for (size_t i = 0; i < r->vocabulary->engine_count; i++)
        if (node_is(key, r->vocabulary->engines[i]->name)) return true;
    for (size_t i = 0; coming_engines[i] != NULL; i++)
        if (node_is(key, coming_engines[i])) return true;
    return false;
}

static size_t list_entries(char *out, size_t size, size_t length, const settings_table *table)
{
    for (size_t i = 0; table != NULL && i < table->count && length < size; i++)
        length += (size_t)snprintf(out + length, size - length, "%s%s", length > 0 ? ", " : "", table->entries[i].name);
    return length;
}

static void refuse_key(reader *r, const node *key, const settings_table *table, const settings_table *also)
{
    suggest near = suggest_begin(key->text, key->length);
    suggest_entries(&near, table);
    suggest_entries(&near, also);
    if (table == &table_scene)
        for (size_t i = 0; i < r->vocabulary->engine_count; i++) suggest_try(&near, r->vocabulary->engines[i]->name);
    if (near.best != NULL) {
        fault_add(r->f, key, "unknown key '%s'; did you mean '%s'?", value_quote(r, key), near.best);
        return;
    }
    char known[400] = "none";
    size_t length = list_entries(known, sizeof known, 0, table);
    list_entries(known, sizeof known, length, also);
    fault_add(r->f, key, "unknown key '%s'; known here: %s", value_quote(r, key), known);
}

void settings_check_keys(reader *r, const node *map, const settings_table *table, const settings_table *also)
{
    for (const node *n = tree_first(r->t, map); n != NULL; n = tree_next(r->t, n)) {
        const node *key = tree_key(r->t, n);
        if (find_key(table, key) == NULL && find_key(also, key) == NULL && !is_engine_key(r, table, key))
            refuse_key(r, key, table, also);
    }
}

void settings_missing(reader *r, const node *where, const char *prefix, const setting *s)
{
    if (where->kind != NODE_BROKEN) fault_add(r->f, where, "missing key '%s%s': %s", prefix, s->name, s->help);
}

static void read_vector_setting(reader *r, const setting *s, const node *n, double out[3])
{
    if (!value_vector(r, n, out)) return;
    const node *item = tree_first(r->t, n);
    double ignored;
    for (; item != NULL; item = tree_next(r->t, item)) value_number_in(r, item, s, &ignored);
}

static void read_entry(reader *r, const setting *s, const node *n, void *field)
{
    int choice;
    char *text;
    switch (s->type) {
    case SETTING_BOOL:
        value_bool(r, n, field);
        break;
    case SETTING_INTEGER:
        value_count_in(r, n, s, field);
        break;
    case SETTING_REAL:
        value_number_in(r, n, s, field);
        break;
    case SETTING_TEXT:
        text = value_text(r, n);
        if (text != NULL) *(char **)field = text;
        break;
    case SETTING_CHOICE:
        choice = value_choice(r, n, s->name, s->choices);
        if (choice >= 0) *(int *)field = choice;
        break;
    case SETTING_VECTOR:
        read_vector_setting(r, s, n, field);
        break;
    default:
        break; /* TABLE is read by settings_read, the others by hand */
    }
}

/* "[a, b, c]", of which a scene in 2 dimensions takes two. */
static void read_default_vector(const char *text, int dimension, double *out)
{
    for (int i = 0; i < dimension; i++) {
        text += strspn(text, "[, ");
        size_t length = strcspn(text, ", ]");
        number_read(text, length, &out[i], NULL);
        text += length;
    }
}

/* Defaults come from our own tables and need no YAML. */
static void read_default(reader *r, const setting *s, void *field)
{
    size_t length = strlen(s->fallback);
    if (length == 0) {
        if (s->type == SETTING_TEXT) *(char **)field = read_new(r, 1, 1);
        return;
    }
    if (s->type == SETTING_VECTOR) {
        read_default_vector(s->fallback, r->s->dimension, field);
        return;
    }
    node plain = {.text = s->fallback, .length = (uint32_t)length, .kind = NODE_SCALAR, .plain = true};
    read_entry(r, s, &plain, field);
}

static void read_table(reader *r, const settings_table *table, const node *map, const node *where, const char *prefix,
                       void *out);

static void read_nested(reader *r, const setting *s, const node *n, const node *where, const char *prefix, void *field)
{
    if (n != NULL && !value_is_map(r, n, "a map")) return;
    char below[128];
    snprintf(below, sizeof below, "%s%s.", prefix, s->name);
    if (n != NULL) settings_check_keys(r, n, s->table, NULL);
    read_table(r, s->table, n, n != NULL ? n : where, n != NULL ? "" : below, field);
}

static void read_table(reader *r, const settings_table *table, const node *map, const node *where, const char *prefix,
                       void *out)
{
    for (size_t i = 0; i < table->count; i++) {
        const setting *s = &table->entries[i];
        const node *n = tree_get(r->t, map, s->name);
        void *field = (char *)out + s->offset;
        if (s->type == SETTING_TABLE)
            read_nested(r, s, n, where, prefix, field);
        else if (n == NULL && s->fallback == NULL)
            settings_missing(r, where, prefix, s);
        else if (s->type > SETTING_TABLE)
            continue;
        else if (n == NULL)
            read_default(r, s, field);
        else
            read_entry(r, s, n, field);
    }
}

void settings_read(reader *r, const settings_table *table, const node *map, const node *where, void *out)
{
    char prefix[64] = "";
    if (map == NULL) snprintf(prefix, sizeof prefix, "%s.", table->name);
    read_table(r, table, map, where, prefix, out);
}

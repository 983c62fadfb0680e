/* Structs filled from maps according to tables. */
#include <math.h>
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

/* The names of engines are keys of a scene too. */
static bool is_engine_key(const reader *r, const settings_table *table, const node *key)
{
    for (size_t i = 0; table == &table_scene && i < r->vocabulary->engine_count; i++)
        if (node_is(key, r->vocabulary->engines[i]->name)) return true;
    return false;
}

static size_t list_entries(char *out, size_t size, size_t length, const settings_table *table)
{
    for (size_t i = 0; table != NULL && i < table->count && length < size; i++)
        if (!table->entries[i].unlisted)
            length +=
                (size_t)snprintf(out + length, size - length, "%s%s", length > 0 ? ", " : "", table->entries[i].name);
    return length;
}

/* The engine whose settings include this key of the scene: that of the scene, or else the first. NULL: none. */
static const char *engine_with(const reader *r, const node *map, const node *key)
{
    const scene_vocabulary *v = r->vocabulary;
    const node *chosen = tree_get(r->t, map, "engine");
    const char *found = NULL;
    for (size_t i = v->engine_count; i-- > 0;) {
        const char *name = v->engines[i]->name;
        if (find_key(v->engines[i], key) == NULL) continue;
        if (chosen != NULL && node_is(chosen, name)) return name;
        found = name;
    }
    return found;
}

/* The map of the scene, as `box` or `fields`, with this key. NULL: none. */
static const char *section_with(const node *key)
{
    for (size_t i = 0; i < table_scene.count; i++)
        if (table_scene.entries[i].type == SETTING_TABLE && find_key(table_scene.entries[i].table, key) != NULL)
            return table_scene.entries[i].name;
    return NULL;
}

/* A key of the scene that belongs into one of its maps. false: no map has it. The key of another engine is not meant if
 * there is one for all engines. */
static bool refuse_misplaced(reader *r, const node *map, const node *key)
{
    const char *section = section_with(key), *engine = engine_with(r, map, key), *name = value_quote(r, key);
    const node *chosen = tree_get(r->t, map, "engine");
    if (section != NULL && engine != NULL && chosen != NULL && node_is(chosen, engine))
        fault_add(r->f, key, "unknown key '%s'" HINT "did you mean '%s.%s' or '%s.%s'?", name, section, name, engine,
                  name);
    else if (section != NULL)
        fault_add(r->f, key, "unknown key '%s'" HINT "did you mean '%s.%s'?", name, section, name);
    else if (engine != NULL)
        fault_add(r->f, key, "unknown key '%s'" HINT "it is a key of an engine: '%s.%s'", name, engine, name);
    return section != NULL || engine != NULL;
}

static void refuse_key(reader *r, const node *map, const node *key, const settings_table *table,
                       const settings_table *also)
{
    if (table == &table_scene && refuse_misplaced(r, map, key)) return;
    suggest near = suggest_begin(key->text, key->length);
    suggest_entries(&near, table);
    suggest_entries(&near, also);
    if (table == &table_scene)
        for (size_t i = 0; i < r->vocabulary->engine_count; i++) suggest_try(&near, r->vocabulary->engines[i]->name);
    if (near.best != NULL) {
        fault_add(r->f, key, "unknown key '%s'" HINT "did you mean '%s'?", value_quote(r, key), near.best);
        return;
    }
    char known[400] = "none";
    size_t length = list_entries(known, sizeof known, 0, table);
    length = list_entries(known, sizeof known, length, also);
    for (size_t i = 0; table == &table_scene && i < r->vocabulary->engine_count && length < sizeof known; i++)
        length += (size_t)snprintf(known + length, sizeof known - length, ", %s", r->vocabulary->engines[i]->name);
    fault_add(r->f, key, "unknown key '%s'" HINT "known here: %s", value_quote(r, key), known);
}

void settings_check_keys(reader *r, const node *map, const settings_table *table, const settings_table *also)
{
    for (const node *n = tree_first(r->t, map); n != NULL; n = tree_next(r->t, n)) {
        const node *key = tree_key(r->t, n);
        if (find_key(table, key) == NULL && find_key(also, key) == NULL && !is_engine_key(r, table, key))
            refuse_key(r, map, key, table, also);
    }
}

void settings_missing(reader *r, const node *where, const char *prefix, const setting *s)
{
    if (where->kind != NODE_BROKEN) fault_add(r->f, where, "missing key '%s%s': %s", prefix, s->name, s->help);
}

static void read_vector_setting(reader *r, const setting *s, const node *n, double out[3])
{
    if (!value_vector(r, n, out)) {
        out[0] = out[1] = out[2] = NAN; /* checks of its length find no second fault */
        return;
    }
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
        r->s->rough = r->s->rough || (s->rotates && *(const bool *)field);
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
        break; /* maps and lists */
    }
}

/* "[a, b, c]"; a scene in two dimensions uses two of them. */
static void read_default_vector(const char *text, int dimension, double *out)
{
    for (int i = 0; i < dimension; i++) {
        text += strspn(text, "[, ");
        size_t length = strcspn(text, ", ]");
        number_read(text, length, &out[i], NULL);
        text += length;
    }
}

static void read_form(reader *r, const setting *s, const node *n, void *into)
{
    r->row = s;
    s->form->read(r, n, into);
}

/* Defaults are from these tables, without YAML. */
static void read_default(reader *r, const setting *s, void *into)
{
    size_t length = strlen(s->fallback);
    void *field = (char *)into + s->offset;
    node plain = {.text = s->fallback, .length = (uint32_t)length, .kind = NODE_SCALAR, .plain = true};
    if (s->type == SETTING_LIST) return; /* it is empty */
    if (length == 0) {
        if (s->type == SETTING_TEXT && s->form == NULL) *(char **)field = read_new(r, 1, 1);
    } else if (s->form != NULL) {
        read_form(r, s, &plain, into);
    } else if (s->type == SETTING_VECTOR) {
        read_default_vector(s->fallback, r->s->dimension, field);
    } else {
        read_entry(r, s, &plain, field);
    }
}

void settings_defaults(reader *r, const settings_table *table, void *into)
{
    for (size_t i = 0; i < table->count; i++) {
        const setting *s = &table->entries[i];
        if (s->type != SETTING_TABLE && s->list == NULL && s->fallback != NULL) read_default(r, s, into);
    }
}

static void read_table(reader *r, const settings_table *table, const node *map, const node *where, const char *prefix,
                       void *into);

static void begin(reader *r, const settings_table *table, void *into)
{
    if (table->begin != NULL) table->begin(r, into);
}

static void read_nested(reader *r, const setting *s, const node *n, const node *where, const char *prefix, void *field)
{
    begin(r, s->table, field);
    if (n != NULL && !value_is_map(r, n, "a map")) return;
    char below[128];
    snprintf(below, sizeof below, "%s%s.", prefix, s->name);
    if (n != NULL) settings_check_keys(r, n, s->table, NULL);
    read_table(r, s->table, n, n != NULL ? n : where, n != NULL ? "" : below, field);
}

/* Reports the presence of the key that excludes this one. */
static bool is_excluded(reader *r, const setting *s, const node *n, const node *map)
{
    if (n == NULL || s->instead_of == NULL || tree_get(r->t, map, s->instead_of) == NULL) return false;
    fault_add(r->f, tree_key(r->t, n), "'%s' and '%s' exclude each other" HINT "give one", s->instead_of, s->name);
    return true;
}

static void read_row(reader *r, const setting *s, const node *map, const node *where, const char *prefix, void *into)
{
    const node *n = tree_get(r->t, map, s->name);
    r->map = map;
    if (s->type == SETTING_TABLE)
        read_nested(r, s, n, where, prefix, (char *)into + s->offset);
    else if (n == NULL && s->fallback == NULL)
        settings_missing(r, where, prefix, s);
    else if (is_excluded(r, s, n, map))
        return;
    else if (s->list != NULL)
        settings_read_list(r, s, n, into);
    else if (n == NULL)
        read_default(r, s, into);
    else if (s->form != NULL)
        read_form(r, s, n, into);
    else
        read_entry(r, s, n, (char *)into + s->offset);
}

static void read_table(reader *r, const settings_table *table, const node *map, const node *where, const char *prefix,
                       void *into)
{
    enum { FIRST_STAGE = 2 };
    for (int stage = FIRST_STAGE; stage >= 0; stage--)
        for (size_t i = 0; i < table->count; i++)
            if (table->entries[i].early == stage) read_row(r, &table->entries[i], map, where, prefix, into);
    r->where = where;
    if (table->finish != NULL) table->finish(r, map, into);
}

void settings_read(reader *r, const settings_table *table, const node *map, const node *where, void *into)
{
    char prefix[64] = "";
    if (map == NULL) snprintf(prefix, sizeof prefix, "%s.", table->name);
    begin(r, table, into);
    read_table(r, table, map, where, prefix, into);
}

bool settings_read_map(reader *r, const settings_table *table, const node *n, void *into)
{
    begin(r, table, into);
    if (!value_is_map(r, n, table->wanted != NULL ? table->wanted : "a map")) return false;
    settings_check_keys(r, n, table, NULL);
    read_table(r, table, n, n, "", into);
    return true;
}

/* ---- Values that differ from their defaults ---- */

static bool is_default(const setting *s, const void *field)
{
    double number = NAN;
    number_read(s->fallback, strlen(s->fallback), &number, NULL);
    switch (s->type) {
    case SETTING_BOOL:
        return strcmp(s->fallback, *(const bool *)field ? "true" : "false") == 0;
    case SETTING_INTEGER:
        return (double)*(const uint64_t *)field == number;
    case SETTING_REAL:
        return *(const double *)field == number;
    case SETTING_CHOICE:
        return strcmp(s->fallback, s->choices[*(const int *)field]) == 0;
    default:
        return true;
    }
}

const setting *settings_first_changed(const settings_table *table, const void *filled, char *path, size_t size)
{
    for (size_t i = 0; i < table->count; i++) {
        const setting *s = &table->entries[i], *found = s;
        const char *field = (const char *)filled + s->offset;
        const int length = snprintf(path, size, "%s", s->name);
        if (s->type == SETTING_TABLE && (size_t)length + 1 < size) {
            path[length] = '.';
            found = settings_first_changed(s->table, field, path + length + 1, size - (size_t)length - 1);
        } else if (is_default(s, field)) {
            found = NULL;
        }
        if (found != NULL) return found;
    }
    return NULL;
}

bool settings_changed(const settings_table *table, const void *filled, const char *name)
{
    const setting *s = settings_find(table, name);
    return s != NULL && !is_default(s, (const char *)filled + s->offset);
}

/* ---- Lists ---- */

static void read_items(reader *r, const setting *s, const node *n, void *holder)
{
    const setting_list *list = s->list;
    const size_t size = s->table->size;
    size_t *count = (size_t *)(void *)((char *)holder + list->count);
    char *items = read_new(r, n->length, size);
    memcpy((char *)holder + s->offset, &items, sizeof items);
    const node *item = items != NULL ? tree_first(r->t, n) : NULL;
    for (; item != NULL; item = tree_next(r->t, item)) {
        void *one = items + size * (*count)++;
        if (s->type == SETTING_NAMED) read_item_name(r, tree_key(r->t, item), one);
        settings_read_map(r, s->table, item, one);
    }
}

void settings_read_list(reader *r, const setting *s, const node *n, void *holder)
{
    const setting_list *list = s->list;
    const uint32_t most = list->most > 0 ? list->most : LIST_MOST;
    bool good = n != NULL;
    if (good) good = s->type == SETTING_NAMED ? value_is_map(r, n, list->wanted) : value_is_list(r, n, list->wanted);
    if (good && n->length > most) {
        fault_add(r->f, n, "more than %u %s", most, list->things != NULL ? list->things : "items in this list");
        good = false;
    }
    if (list->read != NULL)
        list->read(r, good ? n : NULL);
    else if (good)
        read_items(r, s, n, holder);
    if (list->finish != NULL) list->finish(r, n);
}

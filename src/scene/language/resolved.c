/* The resolved scene: all defaults written out, in a canonical form. Two texts are equal if the scenes are equal. */
#include <string.h>

#include "base/text.h"
#include "scene/language/reader.h"

void write_number(writer *w, double value)
{
    text_add_number(w->out, value);
}

void write_key_number(writer *w, const char *key, double value)
{
    text_add(w->out, "%s", key);
    text_add_number(w->out, value);
}

static bool is_plain_word(const char *word)
{
    char c = word[0];
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_')) return false;
    for (; (c = *word) != '\0'; word++)
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("_-./", c) != NULL))
            return false;
    return true;
}

void write_text(writer *w, const char *value)
{
    if (is_plain_word(value)) {
        text_add(w->out, "%s", value);
        return;
    }
    text_add(w->out, "\"");
    for (; *value != '\0'; value++) {
        if (*value == '\n')
            text_add(w->out, "\\n");
        else if (*value == '\t')
            text_add(w->out, "\\t");
        else
            text_add(w->out, "%s%c", *value == '"' || *value == '\\' ? "\\" : "", *value);
    }
    text_add(w->out, "\"");
}

void write_numbers(writer *w, const double *values, size_t count)
{
    text_add_bytes(w->out, "[", 1);
    for (size_t i = 0; i < count; i++) {
        if (i > 0) text_add_bytes(w->out, ", ", 2);
        text_add_number(w->out, values[i]);
    }
    text_add_bytes(w->out, "]", 1);
}

void write_vectors(writer *w, double (*vectors)[3], size_t count, int dimension)
{
    text_add(w->out, "[");
    for (size_t i = 0; i < count; i++) {
        if (i > 0) text_add_bytes(w->out, ",\n      ", 8);
        write_numbers(w, vectors[i], (size_t)dimension);
    }
    text_add(w->out, "]");
}

void write_vector(writer *w, const double v[3])
{
    write_numbers(w, v, (size_t)w->s->dimension);
}

void write_path(writer *w, const char *path)
{
    size_t length = w->folder != NULL ? strlen(w->folder) : 0;
    if (length > 0 && strncmp(path, w->folder, length) == 0) {
        if (w->folder[length - 1] == '/')
            path += length;
        else if (path[length] == '/')
            path += length + 1;
    }
    write_text(w, path);
}

/* ---- Rows ---- */

bool write_never(const scene *s, const void *from)
{
    (void)s;
    (void)from;
    return false;
}

/* Absent in the scene: the table has no default and the field is zero. */
static bool is_absent(const setting *s, const void *field, int dimension)
{
    static const double zero[3];
    if (s->fallback == NULL || s->fallback[0] != '\0') return false;
    switch (s->type) {
    case SETTING_INTEGER:
        return *(const uint64_t *)field == 0;
    case SETTING_REAL:
        return *(const double *)field == 0;
    case SETTING_TEXT:
        return *(char *const *)field == NULL || (*(char *const *)field)[0] == '\0';
    case SETTING_VECTOR:
        return memcmp(field, zero, (size_t)dimension * sizeof(double)) == 0;
    default:
        return false;
    }
}

static bool is_written(const writer *w, const setting *s, const void *from)
{
    if (s->written != NULL) return s->written(w->s, from);
    if (s->form != NULL) return s->form->write != NULL;
    return !is_absent(s, (const char *)from + s->offset, w->s->dimension);
}

static void write_list(writer *w, const setting *s, const void *from);

static void write_value(writer *w, const setting *s, const void *from)
{
    const void *field = (const char *)from + s->offset;
    if (s->form != NULL) {
        w->row = s;
        s->form->write(w, from);
        return;
    }
    switch (s->type) {
    case SETTING_BOOL:
        text_add(w->out, "%s", *(const bool *)field ? "true" : "false");
        break;
    case SETTING_INTEGER:
        text_add(w->out, "%llu", (unsigned long long)*(const uint64_t *)field);
        break;
    case SETTING_REAL:
        write_number(w, *(const double *)field);
        break;
    case SETTING_TEXT:
        write_text(w, *(char *const *)field);
        break;
    case SETTING_CHOICE:
        write_text(w, s->choices[*(const int *)field]);
        break;
    case SETTING_LIST:
        write_list(w, s, from);
        break;
    default:
        write_vector(w, field);
    }
}

/* ---- Maps and lists ---- */

void write_map(writer *w, const settings_table *table, const void *from)
{
    const char *gap = "{";
    for (size_t i = 0; i < table->count; i++) {
        const setting *s = &table->entries[i];
        if (!is_written(w, s, from)) continue;
        text_add(w->out, "%s%s: ", gap, s->name);
        write_value(w, s, from);
        gap = ", ";
    }
    text_add(w->out, "%s}", gap[0] == '{' ? gap : "");
}

/* A list in an item, on one line. */
static void write_list(writer *w, const setting *s, const void *from)
{
    const size_t count = *(const size_t *)(const void *)((const char *)from + s->list->count);
    const char *items;
    memcpy(&items, (const char *)from + s->offset, sizeof items);
    text_add(w->out, "[");
    for (size_t k = 0; k < count; k++) {
        text_add(w->out, "%s", k > 0 ? ", " : "");
        write_map(w, s->table, items + k * s->table->size);
    }
    text_add(w->out, "]");
}

size_t write_lines(writer *w, const settings_table *table, const void *from, int indent)
{
    size_t lines = 0;
    for (size_t i = 0; i < table->count; i++) {
        const setting *s = &table->entries[i];
        if (s->type == SETTING_TABLE ? s->written != NULL && !s->written(w->s, from) : !is_written(w, s, from))
            continue;
        lines++;
        text_add(w->out, "\n%*s%s:", indent, "", s->name);
        if (s->type == SETTING_TABLE) {
            if (write_lines(w, s->table, (const char *)from + s->offset, indent + 2) == 0) text_add(w->out, " {}");
            continue;
        }
        if (s->form == NULL || !s->form->own_lines) text_add(w->out, " ");
        write_value(w, s, from);
    }
    return lines;
}

/* ---- The scene ---- */

void write_dashed(writer *w, const settings_table *table, const void *from)
{
    const size_t first = w->out->length + sizeof "\n  " - 1;
    write_lines(w, table, from, 4);
    if (!w->out->failed) w->out->data[first] = '-';
}

static void write_item(writer *w, const setting *s, const void *item)
{
    if (s->table->lines) {
        write_dashed(w, s->table, item);
        return;
    }
    text_add(w->out, "\n  - ");
    write_map(w, s->table, item);
}

static void write_items(writer *w, const setting *s)
{
    const size_t count = *(const size_t *)(const void *)((const char *)w->s + s->list->count);
    const char *items;
    memcpy(&items, (const char *)w->s + s->offset, sizeof items);
    if (count == 0 && s->list->silent) return;
    text_add(w->out, count > 0 ? "%s:" : "%s: []", s->name);
    for (size_t k = 0; k < count; k++) {
        const char *one = items + k * s->table->size;
        if (s->type == SETTING_NAMED) {
            text_add(w->out, "\n  %s: ", *(char *const *)(const void *)one);
            write_map(w, s->table, one);
        } else {
            write_item(w, s, one);
        }
    }
    text_add(w->out, "\n");
}

static void write_table(writer *w, const settings_table *table, const void *from)
{
    text_add(w->out, "%s:", table->name);
    if (write_lines(w, table, from, 2) == 0) text_add(w->out, " {}");
    text_add(w->out, "\n");
}

static void write_key(writer *w, const setting *s)
{
    if (s->list != NULL && s->list->write != NULL) {
        s->list->write(w);
    } else if (s->list != NULL) {
        write_items(w, s);
    } else if (s->type == SETTING_TABLE) {
        if (s->written == NULL || s->written(w->s, w->s)) write_table(w, s->table, (const char *)w->s + s->offset);
    } else {
        text_add(w->out, "%s: ", s->name);
        write_value(w, s, w->s);
        text_add(w->out, "\n");
    }
}

char *resolved_write(const scene *s, const scene_vocabulary *vocabulary, const char *folder, arena *memory)
{
    text_buffer out = {0};
    writer w = {.out = &out, .s = s, .vocabulary = vocabulary, .folder = folder};
    for (size_t i = 0; i < table_scene.count; i++) write_key(&w, &table_scene.entries[i]);
    write_table(&w, vocabulary->engines[s->engine], s->engine_settings);
    char *result = out.failed ? NULL : arena_text(memory, out.data, out.length);
    text_free(&out);
    return result;
}

/* ---- optional maps ----------------------------------------------------------------------------------------------- */

static void read_form_map(reader *r, const node *n, void *into)
{
    settings_read_map(r, r->row->table, n, (char *)into + r->row->offset);
}

static void write_form_map(writer *w, const void *from)
{
    write_map(w, w->row->table, (const char *)from + w->row->offset);
}

const setting_form form_map = {read_form_map, write_form_map, false};

/* Faults are collected during the reading of a scene and printed together: place, message, source line, caret. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/language/tree.h"

enum { QUOTE_LONGEST = 48, LINE_SHOWN = 100 };

static const char no_words[] = "(no memory left for more messages)";

bool faults_create(faults *f)
{
    *f = (faults){.only_sets = true, .memory = arena_create()};
    return f->memory != NULL;
}

void faults_free(faults *f)
{
    free(f->list);
    arena_free(f->memory);
    *f = (faults){0};
}

static void keep(faults *f, fault one, const char *format, va_list args)
{
    if (f->count >= FAULTS_KEPT) {
        f->count++;
        return;
    }
    if (f->list == NULL) f->list = calloc(FAULTS_KEPT, sizeof *f->list);
    if (f->list == NULL) {
        f->no_memory = FAULTS_KEPT * sizeof *f->list;
        return;
    }
    char text[512];
    if (vsnprintf(text, sizeof text, format, args) < 0) text[0] = '\0';
    const size_t before = (size_t)(error_split(text, sizeof text) - text);
    one.text = arena_text(f->memory, text, strlen(text));
    if (one.text == NULL) one.text = no_words;
    one.hint = one.text + (before < strlen(one.text) ? before : strlen(one.text));
    one.order = f->count;
    if (one.source == 0) f->only_sets = false;
    f->list[f->count++] = one;
}

void fault_add(faults *f, const node *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    keep(f, (fault){.source = at->source, .line = at->line, .column = at->column, .at = at}, format, args);
    va_end(args);
}

void fault_add_place(faults *f, uint16_t source, uint32_t line, uint32_t column, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    keep(f, (fault){.source = source, .line = line, .column = column}, format, args);
    va_end(args);
}

void fault_add_hidden(faults *f, uint16_t source, uint32_t line, uint32_t column, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    keep(f, (fault){.source = source, .hidden = true, .line = line, .column = column}, format, args);
    va_end(args);
}

static bool is_inside_character(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

const char *faults_quote(faults *f, const char *text, size_t length)
{
    if (f->count >= FAULTS_KEPT) return "";
    size_t shown = length;
    if (length > QUOTE_LONGEST)
        for (shown = QUOTE_LONGEST; shown > 0 && is_inside_character(text[shown]);) shown--;
    char *quote = arena_new(f->memory, shown + 4, 1);
    if (quote == NULL) return no_words;
    for (size_t i = 0; i < shown; i++) quote[i] = (unsigned char)text[i] < ' ' || text[i] == 0x7f ? '?' : text[i];
    if (shown < length) memcpy(quote + shown, "...", 3);
    return quote;
}

static int compare(const void *left, const void *right)
{
    const fault *a = left, *b = right;
    if (a->source != b->source) return a->source < b->source ? -1 : 1;
    if (a->line != b->line) return a->line < b->line ? -1 : 1;
    if (a->column != b->column) return a->column < b->column ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static const char *next_character(const char *c, const char *end)
{
    const char *next = c + 1;
    while (next < end && is_inside_character(*next) && next - c < 4) next++;
    return next;
}

static bool ends_line(const char *c, const char *end)
{
    return c == end || *c == '\n' || *c == '\r';
}

/* Moves forward to a line and column, or to the end of the text; from the start of the text if they are before the
 * present position. */
static void go_to(text_place *p, const tree_source *s, uint32_t line, uint32_t column)
{
    const char *end = s->text + s->length;
    if (p->at == NULL || line < p->line || (line == p->line && column < p->column)) *p = (text_place){s->text, 1, 1};
    for (; p->line < line && p->at < end; p->line++, p->column = 1) {
        while (!ends_line(p->at, end)) p->at++;
        if (p->at < end) p->at += *p->at == '\r' && p->at + 1 < end && p->at[1] == '\n' ? 2 : 1;
    }
    for (; p->column < column && !ends_line(p->at, end); p->column++) p->at = next_character(p->at, end);
}

/* Long lines are cut to the surroundings of the column. */
char *place_excerpt(const tree_source *s, uint32_t line, uint32_t column, text_place *from, arena *memory)
{
    static const char indent[] = "    ";
    char caret[4 * LINE_SHOWN + 1], shown[4 * LINE_SHOWN];
    const char *end = s->text + s->length;
    uint32_t first = column > LINE_SHOWN * 3 / 4 ? column - LINE_SHOWN / 2 : 1;
    size_t at = 0, below = 0;
    go_to(from, s, line, first);
    const char *c = from->at;
    for (uint32_t i = first; !ends_line(c, end) && i < first + LINE_SHOWN; i++) {
        const char *next = next_character(c, end);
        memcpy(shown + at, c, (size_t)(next - c));
        at += (size_t)(next - c);
        if (i < column) caret[below++] = *c == '\t' ? '\t' : ' ';
        c = next;
    }
    caret[below] = '^';
    const size_t size = 2 * sizeof indent + at + below + 1;
    char *excerpt = arena_new(memory, size, 1);
    if (excerpt != NULL)
        snprintf(excerpt, size, "%s%.*s\n%s%.*s", indent, (int)at, shown, indent, (int)below + 1, caret);
    return excerpt;
}

char *place_text(const tree_source *s, uint32_t line, uint32_t column, arena *memory)
{
    const size_t size = strlen(s->name) + 24; /* room for two numbers of ten digits and two colons */
    char *text = arena_new(memory, size, 1);
    if (text == NULL) return NULL;
    if (s->has_lines)
        snprintf(text, size, "%s:%u:%u", s->name, line, column);
    else
        snprintf(text, size, "%s", s->name);
    return text;
}

/* ---- Paths of the nodes with faults ---- */

enum { PATH_LONGEST = 512 };

typedef struct key_search {
    const tree *t;
    faults *f;
    fault *sought[FAULTS_KEPT]; /* by the address of their nodes */
    size_t count;
    char path[PATH_LONGEST];
} key_search;

static int compare_nodes(const void *left, const void *right)
{
    const uintptr_t a = (uintptr_t)(*(fault *const *)left)->at, b = (uintptr_t)(*(fault *const *)right)->at;
    return a < b ? -1 : a > b;
}

static void name_node(key_search *s, const node *at, size_t length)
{
    size_t low = 0, high = s->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if ((uintptr_t)s->sought[middle]->at < (uintptr_t)at)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == s->count || s->sought[low]->at != at) return;
    const char *path = arena_text(s->f->memory, s->path, length);
    for (; low < s->count && s->sought[low]->at == at; low++) s->sought[low]->key = path;
}

/* `length`: of the path of the parent. Longer paths end where the room does. */
static void search_below(key_search *s, const node *parent, size_t length)
{
    size_t index = 0;
    for (const node *n = tree_first(s->t, parent); n != NULL; n = tree_next(s->t, n), index++) {
        const node *key = parent->kind == NODE_MAP ? tree_key(s->t, n) : NULL;
        const size_t room = sizeof s->path - length;
        const char *dot = length > 0 ? "." : "";
        const int wanted = key != NULL ? snprintf(s->path + length, room, "%s%.*s", dot, (int)key->length, key->text)
                                       : snprintf(s->path + length, room, "%s%zu", dot, index);
        const size_t end = wanted < 0 ? length : (size_t)wanted < room ? length + (size_t)wanted : sizeof s->path - 1;
        if (key != NULL) name_node(s, key, end);
        name_node(s, n, end);
        if (n->kind == NODE_LIST || n->kind == NODE_MAP) search_below(s, n, end);
    }
}

/* Faults of overrides that have no node are at their path. */
static void find_keys(faults *f, size_t kept, const tree *t, uint32_t root)
{
    key_search *s = calloc(1, sizeof *s);
    if (s == NULL) return;
    s->t = t;
    s->f = f;
    for (size_t i = 0; i < kept; i++)
        if (f->list[i].at != NULL) s->sought[s->count++] = &f->list[i];
    qsort(s->sought, s->count, sizeof s->sought[0], compare_nodes);
    if (root != 0 && s->count > 0) search_below(s, tree_node(t, root), 0);
    free(s);
    for (size_t i = 0; i < kept; i++) {
        const tree_source *from = &t->sources[f->list[i].source];
        if (f->list[i].key != NULL || f->list[i].source == 0) continue;
        const char *equals = memchr(from->text, '=', from->length);
        f->list[i].key = arena_text(f->memory, from->text, equals != NULL ? (size_t)(equals - from->text) : 0);
    }
}

static bool same_place(const fault *a, const fault *b)
{
    return a->source == b->source && a->line == b->line && a->column == b->column;
}

/* next: the fault shown after this one, NULL at the end; successive faults at one place show the line once. */
static void report_one(const faults *f, const fault *one, const fault *next, const tree *t, carom_status status,
                       error *e)
{
    const tree_source *s = &t->sources[one->source];
    const char *place = place_text(s, one->line, one->column, f->memory);
    error_add(e, status, "%s: error: %s", place != NULL ? place : s->name, one->text);
    if (one->hidden || (next != NULL && same_place(one, next))) return;
    text_place from = {0};
    const char *excerpt = place_excerpt(s, one->line, one->column, &from, f->memory);
    if (excerpt != NULL) error_add(e, status, "%s", excerpt);
}

static void note(const fault *one, const tree *t, error *e)
{
    const tree_source *s = &t->sources[one->source];
    const error_place at = {.text = s->name,
                            .file_length = strlen(s->name),
                            .line = s->has_lines ? one->line : 0,
                            .column = s->has_lines ? one->column : 0,
                            .key = one->key};
    error_note(e, at, one->text, one->hint);
}

carom_status faults_report(faults *f, const tree *t, uint32_t root, error *e)
{
    if (f->no_memory > 0) return error_memory(e, "reading the scene", f->no_memory);
    if (f->count == 0) return CAROM_OK;
    carom_status status = f->only_sets ? CAROM_USAGE : CAROM_BAD_DATA;
    size_t kept = f->count < FAULTS_KEPT ? f->count : FAULTS_KEPT;
    qsort(f->list, kept, sizeof *f->list, compare);
    find_keys(f, kept, t, root);
    error_clear(e);
    size_t shown = kept < FAULTS_SHOWN ? kept : FAULTS_SHOWN;
    for (size_t i = 0; i < shown; i++) report_one(f, &f->list[i], i + 1 < shown ? &f->list[i + 1] : NULL, t, status, e);
    for (size_t i = 0; i < kept; i++) note(&f->list[i], t, e);
    if (f->count > FAULTS_SHOWN) error_add(e, status, "... and %zu more", f->count - FAULTS_SHOWN);
    return status;
}

/* Single values: numbers, words, vectors, and messages for invalid ones. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "scene/language/reader.h"
#include "scene/language/suggest.h"

void *read_new(reader *r, size_t count, size_t size)
{
    void *block = arena_new(r->memory, count, size);
    if (block == NULL) r->f->no_memory = count > SIZE_MAX / size ? SIZE_MAX : count * size;
    return block;
}

const char *value_quote(reader *r, const node *n)
{
    return n->kind == NODE_SCALAR ? faults_quote(r->f, n->text, n->length) : "";
}

void value_refuse(reader *r, const node *n, const char *wanted)
{
    double number;
    if (n->kind == NODE_BROKEN) return;
    if (n->kind == NODE_LIST)
        fault_add(r->f, n, "expected %s, found a list", wanted);
    else if (n->kind == NODE_MAP)
        fault_add(r->f, n, "expected %s, found a map", wanted);
    else if (!n->plain)
        fault_add(r->f, n, "expected %s, found quoted text '%s'", wanted, value_quote(r, n));
    else if (n->length == 0)
        fault_add(r->f, n, "expected %s, found nothing", wanted);
    else if (number_read(n->text, n->length, &number, NULL) == NUMBER_OK)
        fault_add(r->f, n, "expected %s, found the number %s", wanted, value_quote(r, n));
    else
        fault_add(r->f, n, "expected %s, found text '%s'", wanted, value_quote(r, n));
}

void value_refuse_empty(reader *r, const node *n)
{
    fault_add(r->f, n, "this list is empty" HINT "give it at least one entry");
}

static void refuse_number(reader *r, const node *n, number_fault why, size_t used, const char *wanted)
{
    const char *text = value_quote(r, n);
    switch (why) {
    case NUMBER_JUNK:
        fault_add(r->f, n, "expected %s, found '%s': '%s' is left over%s", wanted, text,
                  faults_quote(r->f, n->text + used, n->length - used),
                  n->text[used] == ',' ? " (the decimal point is a point)" : "");
        break;
    case NUMBER_HEX:
        fault_add(r->f, n, "expected %s in decimal, found '%s'", wanted, text);
        break;
    case NUMBER_NOT_FINITE:
        fault_add(r->f, n, "expected %s that is finite, found '%s'", wanted, text);
        break;
    case NUMBER_TOO_LARGE:
        fault_add(r->f, n, "%s is too large" HINT "numbers end at 1.8e308: choose other units", text);
        break;
    case NUMBER_TOO_SMALL:
        fault_add(r->f, n, "%s is too small; it would be rounded to zero", text);
        break;
    case NUMBER_TOO_LONG:
        fault_add(r->f, n, "a number of %u characters is too long", n->length);
        break;
    case NUMBER_NEGATIVE:
    case NUMBER_FRACTION:
        fault_add(r->f, n, "expected %s, found %s", wanted, text);
        break;
    default:
        value_refuse(r, n, wanted);
    }
}

static bool is_plain(const node *n)
{
    return n->kind == NODE_SCALAR && n->plain;
}

bool value_number(reader *r, const node *n, double *out)
{
    size_t used = 0;
    double value;
    number_fault why = is_plain(n) ? number_read(n->text, n->length, &value, &used) : NUMBER_NONE;
    if (why != NUMBER_OK) {
        refuse_number(r, n, why, used, "a number");
        return false;
    }
    *out = value;
    return true;
}

static void refuse_range(reader *r, const node *n, const setting *s)
{
    char low[NUMBER_SIZE], high[NUMBER_SIZE];
    const char *text = value_quote(r, n), *than = s->above_min ? "greater than" : "at least";
    number_write(low, s->min);
    number_write(high, s->max);
    if (isinf(s->max))
        fault_add(r->f, n, "'%s' must be %s %s, not %s", s->name, than, low, text);
    else if (isinf(s->min))
        fault_add(r->f, n, "'%s' must be at most %s, not %s", s->name, high, text);
    else
        fault_add(r->f, n, "'%s' must be %s %s and at most %s, not %s", s->name, than, low, high, text);
}

static bool in_range(const setting *s, double value)
{
    if (!(s->min < s->max)) return true;
    return (s->above_min ? value > s->min : value >= s->min) && value <= s->max;
}

bool value_number_in(reader *r, const node *n, const setting *range, double *out)
{
    double value;
    if (!value_number(r, n, &value)) return false;
    if (!in_range(range, value)) {
        refuse_range(r, n, range);
        return false;
    }
    *out = value;
    return true;
}

bool value_count(reader *r, const node *n, uint64_t *out)
{
    size_t used = 0;
    uint64_t value;
    number_fault why = is_plain(n) ? number_read_count(n->text, n->length, &value, &used) : NUMBER_NONE;
    if (why == NUMBER_TOO_LARGE) {
        fault_add(r->f, n, "%s is too large" HINT "whole numbers end at 18446744073709551615", value_quote(r, n));
        return false;
    }
    if (why != NUMBER_OK) {
        const bool negative = is_plain(n) && n->length > 0 && n->text[0] == '-';
        refuse_number(r, n, why, used, negative ? "a whole number that is not negative" : "a whole number");
        return false;
    }
    *out = value;
    return true;
}

bool value_count_in(reader *r, const node *n, const setting *range, uint64_t *out)
{
    uint64_t value;
    if (!value_count(r, n, &value)) return false;
    if (!in_range(range, (double)value)) {
        refuse_range(r, n, range);
        return false;
    }
    *out = value;
    return true;
}

bool value_bool(reader *r, const node *n, bool *out)
{
    bool yes = is_plain(n) && node_is(n, "true"), no = is_plain(n) && node_is(n, "false");
    if (yes || no)
        *out = yes;
    else
        value_refuse(r, n, "true or false");
    return yes || no;
}

char *value_text(reader *r, const node *n)
{
    if (n->kind != NODE_SCALAR) {
        value_refuse(r, n, "text");
        return NULL;
    }
    for (uint32_t i = 0; i < n->length; i++) {
        unsigned char c = (unsigned char)n->text[i];
        if ((c >= ' ' && c != 0x7f) || c == '\n' || c == '\t') continue;
        fault_add(r->f, n, "this text holds the control character 0x%02X", c);
        return NULL;
    }
    char *text = arena_text(r->memory, n->text, n->length);
    if (text == NULL) r->f->no_memory = n->length;
    return text;
}

const node *value_only_key(reader *r, const node *map, const char *what)
{
    if (map->length == 1) return tree_first(r->t, map);
    fault_add(r->f, map, "expected one key in this map, the kind of %s; found %u", what, map->length);
    return NULL;
}

char *value_path(reader *r, const node *n)
{
    char *path = value_text(r, n);
    if (path != NULL && path[0] == '\0') fault_add(r->f, n, "expected the path of a file, found nothing");
    if (path == NULL || r->folder == NULL || r->folder[0] == '\0' || path[0] == '/') return path;
    size_t folder = strlen(r->folder), length = strlen(path);
    bool slash = r->folder[folder - 1] != '/';
    char *whole = read_new(r, folder + slash + length + 1, 1);
    if (whole == NULL) return NULL;
    memcpy(whole, r->folder, folder);
    if (slash) whole[folder] = '/';
    memcpy(whole + folder + slash, path, length);
    return whole;
}

bool value_is_list(reader *r, const node *n, const char *wanted)
{
    if (n->kind != NODE_LIST) value_refuse(r, n, wanted);
    return n->kind == NODE_LIST;
}

bool value_is_map(reader *r, const node *n, const char *wanted)
{
    if (n->kind != NODE_MAP) value_refuse(r, n, wanted);
    return n->kind == NODE_MAP;
}

bool value_numbers(reader *r, const node *n, size_t count, double *out)
{
    if (n->kind != NODE_LIST || n->length != count) {
        char wanted[48], found[32];
        snprintf(wanted, sizeof wanted, "a list of %zu numbers", count);
        snprintf(found, sizeof found, "%u", n->length);
        if (n->kind == NODE_LIST)
            fault_add(r->f, n, "expected %s, found %s", wanted, n->length == 0 ? "none" : found);
        else
            value_refuse(r, n, wanted);
        return false;
    }
    bool good = true;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        good = value_number(r, item, out++) && good;
    return good;
}

bool value_vector(reader *r, const node *n, double out[3])
{
    out[2] = 0;
    return value_numbers(r, n, (size_t)r->s->dimension, out);
}

double (*value_vectors(reader *r, const node *n, size_t *count))[3]
{
    *count = 0;
    if (!value_is_list(r, n, "a list of vectors")) return NULL;
    if (n->length == 0) {
        value_refuse_empty(r, n);
        return NULL;
    }
    double(*vectors)[3] = read_new(r, n->length, sizeof *vectors);
    if (vectors == NULL) return NULL;
    bool good = true;
    size_t i = 0;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        good = value_vector(r, item, vectors[i++]) && good;
    *count = i;
    return good ? vectors : NULL;
}

/* "one, two, three" in at most `size` bytes. */
static void list_words(char *out, size_t size, const char *const *words)
{
    size_t length = 0;
    out[0] = '\0';
    for (; *words != NULL && length < size; words++)
        length += (size_t)snprintf(out + length, size - length, "%s%s", length > 0 ? ", " : "", *words);
}

int value_choice(reader *r, const node *n, const char *what, const char *const *words)
{
    char all[256];
    if (n->kind != NODE_SCALAR || n->length == 0) {
        list_words(all, sizeof all, words);
        char wanted[300];
        snprintf(wanted, sizeof wanted, "one of %s", all);
        value_refuse(r, n, wanted);
        return -1;
    }
    suggest near = suggest_begin(n->text, n->length);
    for (int i = 0; words[i] != NULL; i++) {
        if (node_is(n, words[i])) return i;
        suggest_try(&near, words[i]);
    }
    list_words(all, sizeof all, words);
    if (near.best != NULL)
        fault_add(r->f, n, "unknown %s '%s'" HINT "did you mean '%s'?", what, value_quote(r, n), near.best);
    else
        fault_add(r->f, n, "unknown %s '%s'" HINT "known: %s", what, value_quote(r, n), all);
    return -1;
}

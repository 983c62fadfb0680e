/* Particle numbers: keys whose value is a list of numbers, pairs, triples, or a chain. */
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "scene/language/reader.h"
#include "scene/tuples.h"

/* Consecutive particles, both ends included. */
typedef struct range {
    uint64_t from, to;
} range;

static const setting range_entries[] = {
    {.name = "from",
     .type = SETTING_INTEGER,
     .offset = offsetof(range, from),
     .help = "number of the first particle; they count from 0, in the order of `particles`"},
    {.name = "to", .type = SETTING_INTEGER, .offset = offsetof(range, to), .help = "number of the last particle"},
};
static const settings_table table_range = {
    TABLE_OF("range", range, range_entries, "particles that follow one another")};

/* The common first fields of the structs of such keys. */
typedef struct numbered {
    char *name;
    uint32_t *numbers; /* `count` numbers, pairs or triples of them */
    size_t count;
} numbered;
#define IS_NUMBERED(type, member)                                                                                      \
    _Static_assert(offsetof(type, member) == offsetof(numbered, numbers), "begins otherwise");                         \
    _Static_assert(offsetof(type, count) == offsetof(numbered, count), "begins otherwise")
IS_NUMBERED(scene_springs, pairs);
IS_NUMBERED(scene_hinges, triples);
IS_NUMBERED(scene_segments, pairs);
IS_NUMBERED(scene_bonds, pairs);
IS_NUMBERED(scene_rod, particles);
IS_NUMBERED(scene_drive, particles);
IS_NUMBERED(scene_load, vertices);
IS_NUMBERED(scene_body, particles);
IS_NUMBERED(scene_events, particles);

static void set_numbers(void *into, uint32_t *numbers, size_t count)
{
    memcpy((char *)into + offsetof(numbered, numbers), &numbers, sizeof numbers);
    *(size_t *)(void *)((char *)into + offsetof(numbered, count)) = numbers != NULL ? count : 0;
}

static const uint32_t *numbers_of(const void *from, size_t *count)
{
    const uint32_t *numbers;
    memcpy(&numbers, (const char *)from + offsetof(numbered, numbers), sizeof numbers);
    *count = *(const size_t *)(const void *)((const char *)from + offsetof(numbered, count));
    return numbers;
}

/* ---- One particle, ranges, lists ---- */

static bool read_particle(reader *r, const node *n, uint32_t *out)
{
    uint64_t number;
    if (n->kind == NODE_SCALAR && n->plain && number_read_count(n->text, n->length, &number, NULL) == NUMBER_TOO_LARGE)
        number = UINT64_MAX;
    else if (!value_count(r, n, &number))
        return false;
    if (r->particles <= UINT32_MAX && number >= r->particles)
        fault_add(r->f, n, "no particle %s: there are %llu, numbered from 0", value_quote(r, n),
                  (unsigned long long)r->particles);
    else if (number >= UINT32_MAX)
        fault_add(r->f, n, "no particle %s: there can be no more than %lu", value_quote(r, n),
                  (unsigned long)UINT32_MAX - 1);
    else
        *out = (uint32_t)number;
    return number < UINT32_MAX && (r->particles > UINT32_MAX || number < r->particles);
}

static bool read_range(reader *r, const node *n, range *out)
{
    uint32_t from, to;
    const node *first = tree_get(r->t, n, "from"), *last = tree_get(r->t, n, "to");
    if (!value_is_map(r, n, "a map of from and to")) return false;
    settings_check_keys(r, n, &table_range, NULL);
    if (first == NULL) settings_missing(r, n, "", settings_find(&table_range, "from"));
    if (last == NULL) settings_missing(r, n, "", settings_find(&table_range, "to"));
    bool good = first != NULL && read_particle(r, first, &from);
    if (last == NULL || !read_particle(r, last, &to) || !good) return false;
    if (to < from) {
        fault_add(r->f, last, "'to' must not be below 'from'");
        return false;
    }
    *out = (range){from, to};
    return true;
}

/* Counts the numbers of an item, and appends them if there is a list. */
static bool add_item(reader *r, const node *n, uint32_t *list, size_t *count)
{
    range span;
    uint32_t one;
    if (n->kind == NODE_SCALAR) {
        if (!read_particle(r, n, &one)) return false;
        span = (range){one, one};
    } else if (n->kind == NODE_LIST) {
        value_refuse(r, n, "a particle or {from: FIRST, to: LAST}");
        return false;
    } else if (!read_range(r, n, &span)) {
        return false;
    }
    for (uint64_t i = span.from; list != NULL && i <= span.to; i++) list[*count + (i - span.from)] = (uint32_t)i;
    *count += span.to - span.from + 1;
    return true;
}

static bool add_all(reader *r, const node *n, uint32_t *list, size_t *count)
{
    bool good = true;
    *count = 0;
    if (n->kind != NODE_LIST) return add_item(r, n, list, count);
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        good = add_item(r, item, list, count) && good;
    return good;
}

static uint32_t *read_list(reader *r, const node *n, size_t *count)
{
    size_t total = 0;
    *count = 0;
    if (n->kind == NODE_SCALAR) value_refuse(r, n, "a list of particles or {from: FIRST, to: LAST}");
    if (n->kind != NODE_LIST && n->kind != NODE_MAP) return NULL;
    if (n->kind == NODE_LIST && n->length == 0) value_refuse_empty(r, n);
    const size_t before = r->f->count;
    if (!add_all(r, n, NULL, &total) || total == 0 || r->f->count > before) return NULL;
    if (!memory_can_hold(total * sizeof(uint32_t))) {
        r->f->no_memory = total * sizeof(uint32_t);
        return NULL;
    }
    uint32_t *list = read_new(r, total, sizeof *list);
    if (list != NULL) add_all(r, n, list, count);
    return list;
}

const node *numbers_item(reader *r, const node *n, size_t index)
{
    size_t count = 0;
    const node *item = n->kind == NODE_LIST ? tree_first(r->t, n) : n;
    while (add_item(r, item, NULL, &count) && count <= index) item = tree_next(r->t, item);
    return item;
}

static void read_numbers(reader *r, const node *n, void *into)
{
    size_t count;
    uint32_t *numbers = read_list(r, n, &count);
    set_numbers(into, numbers, count);
}

/* Consecutive numbers are written as a range. */
static void write_numbers_of(writer *w, const void *from)
{
    size_t count;
    const uint32_t *numbers = numbers_of(from, &count);
    bool follow = count > 1;
    for (size_t i = 0; i < count && follow; i++) follow = numbers[i] == numbers[0] + i;
    if (follow) {
        text_add(w->out, "{from: %lu, to: %lu}", (unsigned long)numbers[0], (unsigned long)numbers[count - 1]);
        return;
    }
    for (size_t i = 0; i < count; i++) text_add(w->out, "%s%lu", i > 0 ? ", " : "[", (unsigned long)numbers[i]);
    text_add(w->out, "]");
}

const setting_form form_numbers = {read_numbers, write_numbers_of, false};

/* ---- Pairs, triples and chains ---- */

/* `width` different particles that form a tuple. */
static bool read_tuple(reader *r, const node *n, size_t width, uint32_t *out)
{
    if (n->kind != NODE_LIST) {
        value_refuse(r, n, width == 2 ? "[i, j], two particles" : "[i, j, k], three particles");
        return false;
    }
    if (n->length != width) {
        fault_add(r->f, n, "expected %zu particles, found %u", width, n->length);
        return false;
    }
    bool good = true;
    size_t i = 0;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        good = read_particle(r, item, &out[i++]) && good;
    for (i = 1; i < width && good; i++)
        for (size_t j = 0; j < i && good; j++) {
            good = out[i] != out[j];
            if (!good)
                fault_add(r->f, n, "particle %lu is connected to itself: give different particles",
                          (unsigned long)out[i]);
        }
    return good;
}

static uint32_t *new_tuples(reader *r, size_t count, size_t width)
{
    if (memory_can_hold(count * width * sizeof(uint32_t))) return read_new(r, count, width * sizeof(uint32_t));
    r->f->no_memory = count * width * sizeof(uint32_t);
    return NULL;
}

/* The first tuple that repeats one before it. */
static bool check_repeated(reader *r, const node *n, size_t width, const uint32_t *numbers)
{
    const size_t count = n->length;
    tuple *all = NEW_ARRAY(count, tuple);
    if (all == NULL) {
        r->f->no_memory = count * sizeof *all;
        return false;
    }
    for (size_t i = 0; i < count; i++) all[i] = tuple_of(&numbers[i * width], width, i);
    tuples_sort(all, count);
    size_t found = count;
    for (size_t i = 1; i < count; i++)
        if (tuples_equal(&all[i - 1], &all[i]) && all[i].place < found) found = all[i].place;
    memory_free(all);
    if (found == count) return true;
    const node *item = tree_first(r->t, n);
    for (size_t i = 0; i < found; i++) item = tree_next(r->t, item);
    fault_add(r->f, item, "this %s is listed twice" HINT "list it once, in either order",
              width == 2 ? "pair" : "triple");
    return false;
}

static uint32_t *read_listed(reader *r, const node *n, size_t width, size_t *count)
{
    if (!value_is_list(r, n, width == 2 ? "a list of pairs" : "a list of triples")) return NULL;
    if (n->length == 0) value_refuse_empty(r, n);
    uint32_t *tuples = n->length > 0 ? new_tuples(r, n->length, width) : NULL;
    if (tuples == NULL) return NULL;
    bool good = true;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        good = read_tuple(r, item, width, tuples + width * (*count)++) && good;
    return good && check_repeated(r, n, width, tuples) ? tuples : NULL;
}

static uint32_t *read_chain(reader *r, const node *n, size_t width, size_t *count)
{
    range span;
    if (!read_range(r, n, &span)) return NULL;
    if (span.to - span.from + 1 < width) {
        fault_add(r->f, n, "this chain takes %zu particles at least", width);
        return NULL;
    }
    size_t length = (size_t)(span.to - span.from + 2 - width);
    uint32_t *tuples = new_tuples(r, length, width);
    if (tuples == NULL) return NULL;
    for (size_t i = 0; i < length; i++)
        for (size_t k = 0; k < width; k++) tuples[i * width + k] = (uint32_t)(span.from + i + k);
    *count = length;
    return tuples;
}

static void read_tuples(reader *r, const node *n, size_t width, void *into)
{
    size_t count = 0;
    uint32_t *tuples = read_listed(r, n, width, &count);
    set_numbers(into, tuples, count);
}

static void read_chain_of(reader *r, const node *n, size_t width, void *into)
{
    size_t count = 0;
    uint32_t *tuples = read_chain(r, n, width, &count);
    set_numbers(into, tuples, count);
}

static void write_tuples(writer *w, size_t width, const void *from)
{
    size_t count;
    const uint32_t *tuples = numbers_of(from, &count);
    text_add(w->out, "[");
    for (size_t i = 0; i < count; i++) {
        text_add(w->out, "%s[", i > 0 ? ", " : "");
        for (size_t k = 0; k < width; k++)
            text_add(w->out, "%s%lu", k > 0 ? ", " : "", (unsigned long)tuples[i * width + k]);
        text_add(w->out, "]");
    }
    text_add(w->out, "]");
}

static void write_chain(writer *w, size_t width, const void *from)
{
    size_t count;
    const uint32_t *tuples = numbers_of(from, &count);
    text_add(w->out, "{from: %lu, to: %lu}", (unsigned long)tuples[0], (unsigned long)tuples[count * width - 1]);
}

/* Tuples that form a chain are written as one. */
static bool is_chain(const void *from, size_t width)
{
    size_t count;
    const uint32_t *tuples = numbers_of(from, &count);
    bool chain = count > 1;
    for (size_t i = 0; i < count * width && chain; i++) chain = tuples[i] == tuples[0] + i / width + i % width;
    return chain;
}

static void read_pairs(reader *r, const node *n, void *into)
{
    read_tuples(r, n, 2, into);
}

static void write_pairs(writer *w, const void *from)
{
    write_tuples(w, 2, from);
}

static void read_pair_chain(reader *r, const node *n, void *into)
{
    read_chain_of(r, n, 2, into);
}

static void write_pair_chain(writer *w, const void *from)
{
    write_chain(w, 2, from);
}

bool is_pair_chain(const scene *s, const void *from)
{
    (void)s;
    return is_chain(from, 2);
}

bool is_pair_list(const scene *s, const void *from)
{
    return !is_pair_chain(s, from);
}

const setting_form form_pairs = {read_pairs, write_pairs, false};
const setting_form form_pair_chain = {read_pair_chain, write_pair_chain, false};

static void read_triples(reader *r, const node *n, void *into)
{
    read_tuples(r, n, 3, into);
}

static void write_triples(writer *w, const void *from)
{
    write_tuples(w, 3, from);
}

static void read_triple_chain(reader *r, const node *n, void *into)
{
    read_chain_of(r, n, 3, into);
}

static void write_triple_chain(writer *w, const void *from)
{
    write_chain(w, 3, from);
}

bool is_triple_chain(const scene *s, const void *from)
{
    (void)s;
    return is_chain(from, 3);
}

bool is_triple_list(const scene *s, const void *from)
{
    return !is_triple_chain(s, from);
}

const setting_form form_triples = {read_triples, write_triples, false};
const setting_form form_triple_chain = {read_triple_chain, write_triple_chain, false};

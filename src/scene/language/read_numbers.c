/* Particles by their numbers, and names of things that scenes list. */
#include <string.h>

#include "base/memory.h"
#include "scene/language/reader.h"

enum { MOST_ITEMS = 10000 };

void *read_list(reader *r, const node *n, const char *what, size_t size)
{
    if (n == NULL || !value_is_list(r, n, what)) return NULL;
    if (n->length <= MOST_ITEMS) return read_new(r, n->length, size);
    fault_add(r->f, n, "more than %d items in this list", MOST_ITEMS);
    return NULL;
}

bool read_knows(const reader *r, const char *key)
{
    const node *n = tree_get(r->t, r->root, key);
    return n == NULL || n->kind == (strcmp(key, "species") == 0 ? NODE_MAP : NODE_LIST);
}

void read_list_name(reader *r, const node *item, const void *first, size_t size, const void *own, const char *what)
{
    const char *name = *(char *const *)own;
    const node *n = tree_get(r->t, item, "name");
    if (n == NULL || name == NULL || !read_is_name(r, n, name, strlen(name))) return;
    for (const char *one = first; one != own; one += size) {
        const char *taken = *(char *const *)(const void *)one;
        if (taken != NULL && strcmp(taken, name) == 0)
            fault_add(r->f, n, "the name '%s' is taken by other %s", name, what);
    }
}

bool read_particle(reader *r, const node *n, uint32_t *out)
{
    uint64_t number;
    if (!value_count(r, n, &number)) return false;
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

bool read_particle_range(reader *r, const node *n, read_range *out)
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
    *out = (read_range){from, to};
    return true;
}

/* Appends the numbers of an item where there is a list to append to; counts them in any case. */
static bool add_item(reader *r, const node *n, uint32_t *list, size_t *count)
{
    read_range range;
    uint32_t one;
    if (n->kind == NODE_SCALAR) {
        if (!read_particle(r, n, &one)) return false;
        range = (read_range){one, one};
    } else if (!read_particle_range(r, n, &range)) {
        return false;
    }
    for (uint64_t i = range.from; list != NULL && i <= range.to; i++) list[*count + (i - range.from)] = (uint32_t)i;
    *count += range.to - range.from + 1;
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

uint32_t *read_numbers(reader *r, const node *n, size_t *count)
{
    size_t total = 0;
    *count = 0;
    if (n->kind == NODE_SCALAR) value_refuse(r, n, "a list of particles or {from: FIRST, to: LAST}");
    if (n->kind != NODE_LIST && n->kind != NODE_MAP) return NULL;
    if (n->kind == NODE_LIST && n->length == 0) fault_add(r->f, n, "this list is empty");
    if (!add_all(r, n, NULL, &total) || total == 0) return NULL;
    if (!memory_can_hold(total * sizeof(uint32_t))) {
        r->f->no_memory = total * sizeof(uint32_t);
        return NULL;
    }
    uint32_t *list = read_new(r, total, sizeof *list);
    if (list != NULL) add_all(r, n, list, count);
    return list;
}

/* `path=value` inserts a value into the tree before the checks, so that messages show faults at their place in it; a key
 * is removed likewise. */
#include <string.h>

#include "base/number.h"
#include "scene/language/tree.h"

/* One step of the path: bytes [from, to) of the source. */
typedef struct step {
    const char *text;
    size_t from, to;
} step;

static size_t step_length(step s)
{
    return s.to - s.from;
}

static const char *quote_step(faults *f, step s)
{
    return faults_quote(f, s.text + s.from, step_length(s));
}

static uint32_t new_map(tree *t, faults *f, uint16_t source, step at)
{
    uint32_t id = tree_new(t, NODE_MAP, source, 1, (uint32_t)at.from + 1);
    if (id == 0)
        f->no_memory = sizeof(node);
    else
        tree_node(t, id)->first = 0;
    return id;
}

/* The link that leads to a child of a list, by index. */
static uint32_t *find_item(tree *t, faults *f, uint16_t source, node *list, step s)
{
    uint64_t index;
    uint32_t column = (uint32_t)s.from + 1;
    if (number_read_count(s.text + s.from, step_length(s), &index, NULL) != NUMBER_OK) {
        fault_add_place(f, source, 1, column,
                        "'%s' stands for a list" HINT "give an item by its index, 0 being the first", quote_step(f, s));
        return NULL;
    }
    if (index >= list->length) {
        fault_add_place(f, source, 1, column, "there is no item %s; the list has %u, counted from 0", quote_step(f, s),
                        list->length);
        return NULL;
    }
    uint32_t *link = &list->first;
    for (; index > 0; index--) link = &tree_node(t, *link)->next;
    return link;
}

/* The link to the value of a key; a new key is appended to the map. */
static uint32_t *find_key(tree *t, faults *f, uint16_t source, node *map, step s)
{
    uint32_t *link = &map->first;
    for (; *link != 0; link = &tree_node(t, *link)->next) {
        const node *key = tree_key(t, tree_node(t, *link));
        if (key->length == step_length(s) && memcmp(key->text, s.text + s.from, key->length) == 0) return link;
    }
    uint32_t key = tree_new(t, NODE_SCALAR, source, 1, (uint32_t)s.from + 1);
    uint32_t value = new_map(t, f, source, s);
    if (key == 0 || value == 0) {
        f->no_memory = sizeof(node);
        return NULL;
    }
    tree_node(t, key)->text = s.text + s.from;
    tree_node(t, key)->length = (uint32_t)step_length(s);
    tree_node(t, key)->plain = true;
    tree_node(t, value)->key = key;
    map->length++;
    *link = value;
    return link;
}

/* Replaces a node. */
static void replace(tree *t, uint32_t *link, uint32_t id)
{
    if (*link != 0) {
        node *before = tree_node(t, *link), *after = tree_node(t, id);
        after->key = before->key;
        after->next = before->next;
    }
    *link = id;
}

static uint32_t *follow(tree *t, faults *f, uint16_t source, uint32_t *link, step s)
{
    node *here = tree_node(t, *link);
    if (here->kind == NODE_LIST) return find_item(t, f, source, here, s);
    if (here->kind != NODE_MAP) { /* `velocity: zero` becomes a map for velocity.maxwell=1 */
        uint32_t map = new_map(t, f, source, s);
        if (map == 0) return NULL;
        replace(t, link, map);
        here = tree_node(t, map);
    }
    return find_key(t, f, source, here, s);
}

/* The next step, up to a dot or the '='; false if there is none. */
static bool next_step(step *s, size_t end)
{
    if (s->to >= end && s->from != s->to) return false;
    s->from = s->to == 0 ? 0 : s->to + 1;
    const char *dot = memchr(s->text + s->from, '.', end - s->from);
    s->to = dot != NULL ? (size_t)(dot - s->text) : end;
    return true;
}

void tree_override(tree *t, faults *f, uint32_t *root, uint16_t source)
{
    tree_source text = t->sources[source];
    const char *equals = memchr(text.text, '=', text.length);
    if (equals == NULL || equals == text.text) {
        fault_add_hidden(f, source, 1, 1, "expected key.path=value, as in run.until.time=10");
        return;
    }
    size_t end = (size_t)(equals - text.text);
    uint32_t value = yaml_read(t, f, source, end + 1);
    if (value == 0) return;
    uint32_t *link = root;
    size_t depth = 0;
    for (step s = {.text = text.text}; next_step(&s, end);) {
        if (step_length(s) == 0) {
            fault_add_place(f, source, 1, (uint32_t)s.from + 1, "expected a key here, as in run.until.time=10");
            return;
        }
        if (++depth > TREE_DEPTH) {
            fault_add_place(f, source, 1, (uint32_t)s.from + 1, "too many levels");
            return;
        }
        link = follow(t, f, source, link, s);
        if (link == NULL) return;
    }
    replace(t, link, value);
}

/* The link to an existing child; NULL after a report. */
static uint32_t *find_existing(tree *t, faults *f, uint16_t source, uint32_t *link, step s)
{
    node *here = tree_node(t, *link);
    if (here->kind == NODE_LIST) return find_item(t, f, source, here, s);
    uint32_t *below = here->kind == NODE_MAP ? &here->first : NULL;
    for (; below != NULL && *below != 0; below = &tree_node(t, *below)->next) {
        const node *key = tree_key(t, tree_node(t, *below));
        if (key->length == step_length(s) && memcmp(key->text, s.text + s.from, key->length) == 0) return below;
    }
    fault_add_place(f, source, 1, (uint32_t)s.from + 1, "there is no key '%s' to remove", quote_step(f, s));
    return NULL;
}

void tree_remove(tree *t, faults *f, uint32_t root, uint16_t source)
{
    tree_source text = t->sources[source];
    uint32_t *link = &root;
    node *parent = NULL;
    size_t depth = 0;
    for (step s = {.text = text.text}; next_step(&s, text.length) && depth <= TREE_DEPTH; depth++) {
        parent = tree_node(t, *link);
        link = find_existing(t, f, source, link, s);
        if (link == NULL) return;
    }
    if (parent == NULL) return;
    *link = tree_node(t, *link)->next;
    parent->length--;
}

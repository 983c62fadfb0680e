/* Conversion of YAML to a tree, with the events of libyaml. */
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "scene/language/text_check.h"
#include "scene/language/tree.h"

/* An open list or map. */
typedef struct level {
    uint32_t id, last; /* last: the newest child */
    uint32_t key;      /* of a map: the key without a value */
    bool broken;       /* a fault has been reported: readers skip it */
} level;

typedef struct builder {
    tree *t;
    faults *f;
    uint16_t source;
    const char *text; /* start of the positions of libyaml */
    size_t length;
    uint32_t column_shift; /* columns of the first line before the start */
    level levels[TREE_DEPTH];
    size_t depth;
    uint32_t root;
    int documents;
    bool failed;         /* not YAML: the rest cannot be interpreted */
    const node **sorted; /* memory for the search of duplicate keys */
    size_t sorted_capacity;
} builder;

static uint32_t line_of(const yaml_mark_t *mark)
{
    return (uint32_t)mark->line + 1;
}

static uint32_t column_of(const builder *b, const yaml_mark_t *mark)
{
    return (uint32_t)mark->column + 1 + (mark->line == 0 ? b->column_shift : 0);
}

static bool out_of_memory(builder *b)
{
    b->f->no_memory = b->length + 2 * sizeof(node) * b->t->count; /* estimate for the whole text */
    return false;
}

static void refuse(builder *b, const yaml_event_t *event, const char *why)
{
    fault_add_place(b->f, b->source, line_of(&event->start_mark), column_of(b, &event->start_mark), "%s", why);
}

static bool is_list_or_map(node_kind kind)
{
    return kind == NODE_LIST || kind == NODE_MAP;
}

static uint32_t new_node(builder *b, const yaml_event_t *event, node_kind kind)
{
    uint32_t id = tree_new(b->t, kind, b->source, line_of(&event->start_mark), column_of(b, &event->start_mark));
    if (id == 0) {
        out_of_memory(b);
    } else if (is_list_or_map(kind)) {
        tree_node(b->t, id)->first = 0;
    }
    return id;
}

/* Plain text is usually contiguous in the source and is not copied. */
static bool set_text(builder *b, node *n, const yaml_event_t *event)
{
    const char *value = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length, index = event->start_mark.index;
    n->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    n->length = (uint32_t)length;
    bool inside = index <= b->length && length <= b->length - index;
    n->text = inside && memcmp(b->text + index, value, length) == 0 ? b->text + index
                                                                    : arena_text(b->t->memory, value, length);
    return n->text != NULL || out_of_memory(b);
}

/* Appends a node to the open list or map; a map takes keys and values alternately. */
static void attach(builder *b, uint32_t id)
{
    if (b->depth == 0) {
        b->root = id;
        return;
    }
    level *l = &b->levels[b->depth - 1];
    node *parent = tree_node(b->t, l->id), *child = tree_node(b->t, id);
    if (parent->kind == NODE_MAP) {
        if (l->key == 0) {
            l->key = id;
            return;
        }
        const node *key = tree_node(b->t, l->key);
        child->key = l->key;
        l->key = 0;
        if (key->kind != NODE_SCALAR) return;
    }
    if (l->last == 0)
        parent->first = id;
    else
        tree_node(b->t, l->last)->next = id;
    parent->length++;
    l->last = id;
}

static bool is_key(const builder *b)
{
    if (b->depth == 0) return false;
    const level *l = &b->levels[b->depth - 1];
    return tree_node(b->t, l->id)->kind == NODE_MAP && l->key == 0;
}

/* Reports features of YAML that scenes do not use. True if the value is invalid. */
static bool refuse_decoration(builder *b, const yaml_event_t *event)
{
    const yaml_char_t *anchor = NULL, *tag = NULL;
    if (event->type == YAML_SCALAR_EVENT) {
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
    }
    if (anchor != NULL) refuse(b, event, "anchors (&name) are not part of a scene; write the value out");
    if (tag != NULL) refuse(b, event, "tags (!name) are not part of a scene; quote text that begins with '!'");
    return anchor != NULL || tag != NULL;
}

static bool add_scalar(builder *b, const yaml_event_t *event)
{
    bool broken = refuse_decoration(b, event);
    if (is_key(b) && event->data.scalar.length == 2 && memcmp(event->data.scalar.value, "<<", 2) == 0) {
        refuse(b, event, "merge keys (<<) are not part of a scene; write the values out");
        broken = true;
    }
    uint32_t id = new_node(b, event, broken ? NODE_BROKEN : NODE_SCALAR);
    if (id == 0 || !set_text(b, tree_node(b->t, id), event)) return false;
    attach(b, id);
    return true;
}

static bool add_alias(builder *b, const yaml_event_t *event)
{
    refuse(b, event, "aliases (*name) are not part of a scene; write the value out");
    uint32_t id = new_node(b, event, NODE_BROKEN);
    if (id == 0) return false;
    attach(b, id);
    return true;
}

static bool open_level(builder *b, const yaml_event_t *event, node_kind kind)
{
    bool broken = refuse_decoration(b, event);
    if (is_key(b)) refuse(b, event, "a key must be a word, not a list or a map");
    if (b->depth == TREE_DEPTH) {
        refuse(b, event, "nested too deeply; no scene needs more than a few levels");
        return false;
    }
    uint32_t id = new_node(b, event, kind);
    if (id == 0) return false;
    attach(b, id);
    b->levels[b->depth++] = (level){.id = id, .broken = broken};
    return true;
}

static int compare_keys(const void *left, const void *right)
{
    const node *a = *(const node *const *)left, *b = *(const node *const *)right;
    size_t shorter = a->length < b->length ? a->length : b->length;
    int order = memcmp(a->text, b->text, shorter);
    if (order != 0) return order;
    if (a->length != b->length) return a->length < b->length ? -1 : 1;
    if (a->line != b->line) return a->line < b->line ? -1 : 1;
    return a->column < b->column ? -1 : a->column > b->column;
}

static bool same_text(const node *a, const node *b)
{
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

/* Collects the keys of a map in alphabetical order. */
static bool sort_keys(builder *b, const node *map)
{
    if (map->length > b->sorted_capacity) {
        const node **room = realloc(b->sorted, map->length * sizeof *room);
        if (room == NULL) return out_of_memory(b);
        b->sorted = room;
        b->sorted_capacity = map->length;
    }
    size_t count = 0;
    for (const node *n = tree_first(b->t, map); n != NULL; n = tree_next(b->t, n))
        b->sorted[count++] = tree_key(b->t, n);
    qsort(b->sorted, count, sizeof *b->sorted, compare_keys);
    return true;
}

/* Removes the values of a map whose keys have been marked as invalid. */
static void unlink_broken_keys(builder *b, node *map)
{
    uint32_t *link = &map->first;
    while (*link != 0) {
        node *n = tree_node(b->t, *link);
        if (tree_key(b->t, n)->kind == NODE_BROKEN) {
            *link = n->next;
            map->length--;
        } else {
            link = &n->next;
        }
    }
}

static bool refuse_duplicates(builder *b, node *map)
{
    if (map->length < 2) return true;
    if (!sort_keys(b, map)) return false;
    bool found = false;
    const node *first = b->sorted[0];
    for (size_t i = 1; i < map->length; i++) {
        const node *key = b->sorted[i];
        if (!same_text(first, key)) {
            first = key;
            continue;
        }
        fault_add(b->f, key, "duplicate key '%s'; the first is on line %u", faults_quote(b->f, key->text, key->length),
                  first->line);
        ((node *)key)->kind = NODE_BROKEN;
        found = true;
    }
    if (found) unlink_broken_keys(b, map);
    return true;
}

static bool close_level(builder *b)
{
    level l = b->levels[--b->depth];
    node *n = tree_node(b->t, l.id);
    bool good = n->kind != NODE_MAP || refuse_duplicates(b, n);
    if (l.broken) n->kind = NODE_BROKEN;
    return good;
}

/* Returns false at the end. */
static bool take(builder *b, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return add_scalar(b, event);
    case YAML_ALIAS_EVENT:
        return add_alias(b, event);
    case YAML_SEQUENCE_START_EVENT:
        return open_level(b, event, NODE_LIST);
    case YAML_MAPPING_START_EVENT:
        return open_level(b, event, NODE_MAP);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return close_level(b);
    case YAML_DOCUMENT_START_EVENT:
        if (++b->documents == 1) return true;
        refuse(b, event, "a second document begins here; a scene is one document");
        return false;
    default:
        return true;
    }
}

/* Messages of libyaml, and their meaning for a scene. */
static const struct syntax_words {
    const char *theirs, *ours;
    bool at_start; /* the error is at the start of the construct */
} syntax_words[] = {
    {"did not find expected ',' or ']'", "this list is not closed: expected ',' or ']'", true},
    {"did not find expected ',' or '}'", "this map is not closed: expected ',' or '}'", true},
    {"found unexpected end of stream", "this quote is not closed", true},
    {"could not find expected ':'", "expected 'key: value'", true},
    {"mapping values are not allowed in this context",
     "unexpected ':'; check the indentation, and quote text with a ':'", false},
    {"did not find expected key", "expected a key; check the indentation", false},
    {"did not find expected '-' indicator", "expected '- '; check the indentation", false},
    {"found character that cannot start any token", "a value cannot begin with this character; quote it", false},
    {"block sequence entries are not allowed in this context", "unexpected '-'; check the indentation", false},
    {"did not find expected <document start>", "expected a key; check the indentation and the quotes", false},
    {"found undefined tag handle", "tags (!name) are not part of a scene; quote text that begins with '!'", false},
    {"found incompatible YAML document", "this is YAML 1.1; leave the %YAML line out", false},
    {"did not find expected node content", "a value is missing", false},
};

static uint32_t count_characters(const char *text, size_t bytes)
{
    uint32_t count = 0;
    for (size_t i = 0; i < bytes; i++) count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

/* The last character that is not a line break: a missing character is reported there, not on the empty line below. */
static yaml_mark_t end_of_text(const builder *b)
{
    size_t length = b->length;
    yaml_mark_t mark = {.index = 0};
    while (length > 1 && (b->text[length - 1] == '\n' || b->text[length - 1] == '\r')) length--;
    for (; mark.index + 1 < length; mark.index++) {
        bool pair = b->text[mark.index] == '\r' && b->text[mark.index + 1] == '\n';
        if (pair) continue;
        if (b->text[mark.index] == '\n' || b->text[mark.index] == '\r') {
            mark.line++;
            mark.column = 0;
        } else if (((unsigned char)b->text[mark.index + 1] & 0xc0) != 0x80) {
            mark.column++;
        }
    }
    return mark;
}

static void refuse_syntax(builder *b, const yaml_parser_t *parser)
{
    b->failed = true;
    if (parser->error == YAML_MEMORY_ERROR) {
        out_of_memory(b);
        return;
    }
    struct syntax_words words = {.ours = parser->problem != NULL ? parser->problem : "it cannot be read"};
    for (size_t i = 0; i < sizeof syntax_words / sizeof syntax_words[0]; i++)
        if (parser->problem != NULL && strcmp(parser->problem, syntax_words[i].theirs) == 0) words = syntax_words[i];
    const yaml_mark_t *start = &parser->context_mark, *end = &parser->problem_mark;
    bool at_start = words.at_start && parser->context != NULL;
    const yaml_mark_t *mark = at_start ? start : end;
    yaml_mark_t last = *mark;
    if (mark->index >= count_characters(b->text, b->length)) { /* libyaml counts characters */
        last = end_of_text(b);
        mark = &last;
    }
    bool far = at_start && line_of(start) < line_of(end) && end->index < b->length;
    if (far)
        fault_add_place(b->f, b->source, line_of(mark), column_of(b, mark), "not YAML: %s before line %u, column %u",
                        words.ours, line_of(end), column_of(b, end));
    else
        fault_add_place(b->f, b->source, line_of(mark), column_of(b, mark), "not YAML: %s", words.ours);
}

static void run_parser(builder *b, yaml_parser_t *parser)
{
    for (bool more = true; more;) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event)) {
            refuse_syntax(b, parser);
            return;
        }
        more = event.type != YAML_STREAM_END_EVENT && take(b, &event);
        yaml_event_delete(&event);
    }
}

/* After faults the tree is still usable for further checks, except after syntax errors. */
uint32_t yaml_read(tree *t, faults *f, uint16_t source, size_t from)
{
    if (!text_check(t, f, source)) return 0;
    tree_source s = t->sources[source];
    builder b = {.t = t, .f = f, .source = source, .text = s.text + from, .length = s.length - from};
    b.column_shift = count_characters(s.text, from);
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        out_of_memory(&b);
        return 0;
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)b.text, b.length);
    size_t before = f->count;
    run_parser(&b, &parser);
    yaml_parser_delete(&parser);
    free(b.sorted);
    if (f->no_memory > 0 || b.failed || b.depth > 0) return 0;
    if (b.root == 0 && f->count == before) {
        b.root = tree_new(t, NODE_SCALAR, source, 1, b.column_shift + 1);
        if (b.root == 0) {
            out_of_memory(&b);
            return 0;
        }
        tree_node(t, b.root)->text = "";
        tree_node(t, b.root)->plain = true;
    }
    return b.root;
}

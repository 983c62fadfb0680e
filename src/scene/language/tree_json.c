/* A tree as JSON. */
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "scene/language/tree.h"

/* Digits as written in JSON: no sign but '-', no leading zeros, digits on both sides of a point. */
static bool is_json_number(const char *text, size_t length)
{
    size_t i = length > 0 && text[0] == '-';
    const size_t first = i;
    while (i < length && text[i] >= '0' && text[i] <= '9') i++;
    if (i == first || (text[first] == '0' && i > first + 1)) return false;
    if (i < length && text[i] == '.') {
        const size_t point = i++;
        while (i < length && text[i] >= '0' && text[i] <= '9') i++;
        if (i == point + 1) return false;
    }
    return i == length || text[i] == 'e' || text[i] == 'E'; /* a number follows: it has been read */
}

static void add_scalar(text_buffer *out, const node *n)
{
    double value = 0;
    uint64_t count;
    const bool truth = node_is(n, "true") || node_is(n, "false");
    const bool number = n->plain && number_read(n->text, n->length, &value, NULL) == NUMBER_OK;
    if (!n->plain || (n->length > 0 && !truth && !number))
        text_add_json(out, n->text, n->length);
    else if (n->length == 0)
        text_add(out, "null");
    else if (truth || is_json_number(n->text, n->length))
        text_add_bytes(out, n->text, n->length);
    else if (memchr(n->text, '.', n->length) == NULL &&
             number_read_count(n->text, n->length, &count, NULL) == NUMBER_OK)
        text_add(out, "%llu", (unsigned long long)count);
    else
        text_add_number(out, value);
}

static void add_node(text_buffer *out, const tree *t, const node *n)
{
    if (n->kind != NODE_LIST && n->kind != NODE_MAP) {
        add_scalar(out, n);
        return;
    }
    const bool map = n->kind == NODE_MAP;
    text_add_bytes(out, map ? "{" : "[", 1);
    for (const node *child = tree_first(t, n); child != NULL; child = tree_next(t, child)) {
        if (map) {
            text_add_json(out, tree_key(t, child)->text, tree_key(t, child)->length);
            text_add_bytes(out, ": ", 2);
        }
        add_node(out, t, child);
        if (child->next != 0) text_add_bytes(out, ", ", 2);
    }
    text_add_bytes(out, map ? "}" : "]", 1);
}

char *tree_json(const tree *t, uint32_t root)
{
    text_buffer out = {0};
    add_node(&out, t, tree_node(t, root));
    if (!out.failed) return out.data;
    text_free(&out);
    return NULL;
}

/* Values of parameters as text: for tables, for --set, and in the record of a sweep. */
#include "sweep/values.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"

static bool is_bare(const node *n)
{
    static const char safe[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_./+-";
    if (!n->plain || n->length == 0) return false;
    for (uint32_t i = 0; i < n->length; i++)
        if (memchr(safe, n->text[i], sizeof safe - 1) == NULL) return false;
    return true;
}

static void add_quoted(text_buffer *t, const char *text, size_t length)
{
    text_add(t, "'");
    for (size_t i = 0; i < length; i++) {
        text_add_bytes(t, text + i, 1);
        if (text[i] == '\'') text_add(t, "'");
    }
    text_add(t, "'");
}

static void add_scalar(text_buffer *t, const node *n)
{
    if (is_bare(n))
        text_add_bytes(t, n->text, n->length);
    else
        add_quoted(t, n->text, n->length);
}

/* Flow style. The depth of trees is limited (TREE_DEPTH). */
static void add_node(text_buffer *t, const tree *all, const node *n)
{
    if (n->kind == NODE_SCALAR) {
        add_scalar(t, n);
        return;
    }
    bool map = n->kind == NODE_MAP;
    text_add(t, map ? "{" : "[");
    for (const node *child = tree_first(all, n); child != NULL; child = tree_next(all, child)) {
        if (map) {
            add_scalar(t, tree_key(all, child));
            text_add(t, ": ");
        }
        add_node(t, all, child);
        if (child->next != 0) text_add(t, ", ");
    }
    text_add(t, map ? "}" : "]");
}

static bool has_control(const tree *all, const node *n)
{
    for (uint32_t i = 0; n->kind == NODE_SCALAR && i < n->length; i++)
        if ((unsigned char)n->text[i] < ' ' || n->text[i] == 0x7f) return true;
    for (const node *child = tree_first(all, n); child != NULL; child = tree_next(all, child))
        if (has_control(all, child) || (child->key != 0 && has_control(all, tree_key(all, child)))) return true;
    return false;
}

bool sweep_read_value(reader *r, const node *n, sweep_value *out)
{
    if (n->kind == NODE_BROKEN) return false;
    if (n->kind == NODE_SCALAR && n->plain && n->length == 0) {
        value_refuse(r, n, "a value");
        return false;
    }
    if (has_control(r->t, n)) {
        fault_add(r->f, n, "a value of a parameter is one line without control characters");
        return false;
    }
    text_buffer t = {0};
    add_node(&t, r->t, n);
    if (!t.failed) out->yaml = arena_text(r->memory, t.data, t.length);
    text_free(&t);
    out->text = n->kind == NODE_SCALAR ? arena_text(r->memory, n->text, n->length) : out->yaml;
    if (out->text != NULL && out->yaml != NULL) return true;
    r->f->no_memory = n->length;
    return false;
}

const sweep_value *sweep_value_at(const sweep *s, size_t point, size_t parameter)
{
    const sweep_parameter *p = &s->parameters[parameter];
    return &p->values[point / p->stride % p->count];
}

static void record_parameters(text_buffer *t, const sweep *s, bool together)
{
    bool any = false;
    for (size_t i = 0; i < s->parameter_count; i++) {
        const sweep_parameter *p = &s->parameters[i];
        if (p->together != together) continue;
        if (!any) text_add(t, "%s:\n", together ? "together" : "parameters");
        any = true;
        text_add(t, "  ");
        add_quoted(t, p->name, strlen(p->name));
        for (size_t k = 0; k < p->count; k++) text_add(t, "%s%s", k == 0 ? ": [" : ", ", p->values[k].yaml);
        text_add(t, "]\n");
    }
}

static void record_scene(text_buffer *t, const char *resolved)
{
    text_add(t, "scene:\n");
    while (*resolved != '\0') {
        size_t length = strcspn(resolved, "\n");
        text_add(t, "  %.*s\n", (int)length, resolved);
        resolved += length + (resolved[length] == '\n');
    }
}

char *sweep_record(const sweep *s, const char *first_resolved, uint64_t points_hash)
{
    text_buffer t = {0};
    record_parameters(&t, s, true);
    record_parameters(&t, s, false);
    record_scene(&t, first_resolved);
    text_add(&t, "points: %016llx\n", (unsigned long long)points_hash);
    return t.failed ? NULL : t.data;
}

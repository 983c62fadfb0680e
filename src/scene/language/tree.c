#include "scene/language/tree.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 4096 };

carom_status tree_create(tree *t, error *e)
{
    *t = (tree){.memory = arena_create()};
    if (t->memory != NULL && tree_new(t, NODE_BROKEN, 0, 0, 0) == 0 && t->count == 1) return CAROM_OK;
    tree_free(t);
    return error_memory(e, "a scene", CHUNK * sizeof(node));
}

void tree_free(tree *t)
{
    for (size_t i = 0; i < t->chunk_count; i++) free(t->chunks[i]);
    free(t->chunks);
    free(t->sources);
    arena_free(t->memory);
    *t = (tree){0};
}

int tree_add_source(tree *t, tree_source source)
{
    if (t->source_count == TREE_SOURCES) return -1;
    if (t->source_count == t->source_capacity) {
        size_t capacity = t->source_capacity * 2 + 8;
        tree_source *bigger = realloc(t->sources, capacity * sizeof *bigger);
        if (bigger == NULL) return -1;
        t->sources = bigger;
        t->source_capacity = capacity;
    }
    t->sources[t->source_count] = source;
    return (int)t->source_count++;
}

static bool add_chunk(tree *t)
{
    node **chunks = realloc(t->chunks, (t->chunk_count + 1) * sizeof *chunks);
    if (chunks == NULL) return false;
    t->chunks = chunks;
    node *chunk = calloc(CHUNK, sizeof *chunk);
    if (chunk == NULL) return false;
    t->chunks[t->chunk_count++] = chunk;
    return true;
}

uint32_t tree_new(tree *t, node_kind kind, uint16_t source, uint32_t line, uint32_t column)
{
    if (t->count == UINT32_MAX || (t->count == t->chunk_count * CHUNK && !add_chunk(t))) return 0;
    uint32_t id = t->count++;
    *tree_node(t, id) = (node){.kind = (uint8_t)kind, .source = source, .line = line, .column = column};
    return id;
}

bool node_is(const node *scalar, const char *word)
{
    return scalar->kind == NODE_SCALAR && scalar->length == strlen(word) &&
           memcmp(scalar->text, word, scalar->length) == 0;
}

node *tree_find(const tree *t, const node *map, const char *key, size_t length)
{
    if (map == NULL || map->kind != NODE_MAP) return NULL;
    for (node *n = tree_first(t, map); n != NULL; n = tree_next(t, n)) {
        const node *k = tree_key(t, n);
        if (k->length == length && memcmp(k->text, key, length) == 0) return n;
    }
    return NULL;
}

node *tree_get(const tree *t, const node *map, const char *key)
{
    return tree_find(t, map, key, strlen(key));
}

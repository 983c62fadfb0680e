/* The text of a scene as a tree of nodes, each with its position. Features of YAML that scenes do not use (anchors,
 * tags, several documents, ...) are refused here. */
#ifndef CAROM_SCENE_TREE_H
#define CAROM_SCENE_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

typedef enum node_kind {
    NODE_BROKEN, /* a fault has been reported here: readers skip it without a message */
    NODE_SCALAR,
    NODE_LIST,
    NODE_MAP
} node_kind;

/* 32 bytes, so that lists of a million vectors fit into memory. */
typedef struct node {
    union {
        const char *text; /* SCALAR: `length` bytes, not terminated */
        uint32_t first;   /* LIST, MAP: the first of `length` children; 0: none */
    };
    uint32_t length;
    uint32_t next;         /* the next child of the same parent; 0: the last */
    uint32_t key;          /* for the child of a map: the scalar of its key; otherwise 0 */
    uint32_t line, column; /* from 1; columns in characters */
    uint16_t source;
    uint8_t kind;
    bool plain; /* SCALAR without quotes */
} node;

/* The source of a text: the scene file (source 0), an override, a default. */
typedef struct tree_source {
    const char *name; /* "gas.yaml", "--set run.until.time=10" */
    const char *text;
    size_t length;
    bool has_lines; /* messages contain line and column */
} tree_source;

enum { TREE_SOURCES = 4096, TREE_DEPTH = 32 };

typedef struct tree {
    node **chunks;
    uint32_t count; /* nodes, the unused node 0 included */
    size_t chunk_count;
    tree_source *sources;
    size_t source_count, source_capacity;
    arena *memory;
} tree;

/* A fault and its place. */
typedef struct fault {
    uint16_t source;
    bool hidden; /* messages do not show its line */
    uint32_t line, column;
    size_t order;
    const node *at; /* NULL: a place of the text */
    const char *text;
    const char *hint; /* in `text`, or its end */
    const char *key;  /* path of the node; NULL: none, or not searched for */
} fault;

enum { FAULTS_KEPT = 1000, FAULTS_SHOWN = 50 };

typedef struct faults {
    fault *list;
    size_t count;     /* all, including those not stored */
    size_t no_memory; /* size of a failed allocation; 0: none */
    bool only_sets;   /* all faults are about an override */
    arena *memory;
} faults;

carom_status tree_create(tree *t, error *e);
void tree_free(tree *t);

/* Adds a source; the strings must outlive the tree. Returns its index, or -1 without memory (or if there are too
 * many). */
int tree_add_source(tree *t, tree_source source);

/* A new node; 0 without memory. */
uint32_t tree_new(tree *t, node_kind kind, uint16_t source, uint32_t line, uint32_t column);

static inline node *tree_node(const tree *t, uint32_t id)
{
    return &t->chunks[id >> 12][id & 4095];
}

/* The children of a list or map, in order; NULL at the end. */
static inline node *tree_first(const tree *t, const node *parent)
{
    bool has = (parent->kind == NODE_LIST || parent->kind == NODE_MAP) && parent->first != 0;
    return has ? tree_node(t, parent->first) : NULL;
}

static inline node *tree_next(const tree *t, const node *n)
{
    return n->next != 0 ? tree_node(t, n->next) : NULL;
}

static inline const node *tree_key(const tree *t, const node *child)
{
    return tree_node(t, child->key);
}

bool node_is(const node *scalar, const char *word);

/* The value of a key; NULL if it is absent (or if `map` is NULL or not a map). */
node *tree_find(const tree *t, const node *map, const char *key, size_t length);
node *tree_get(const tree *t, const node *map, const char *key);

/* Parses YAML of a source from byte `from` on. Returns the id of the top node; 0 if the tree is unusable (the reason is
 * in `f`). A text without content is a NODE_SCALAR of length 0. */
uint32_t yaml_read(tree *t, faults *f, uint16_t source, size_t from);

/* Applies `path=value` (text of a source) to the tree under root. */
void tree_override(tree *t, faults *f, uint32_t *root, uint16_t source);

/* Removes the key `path` (text of a source) from the tree under root. */
void tree_remove(tree *t, faults *f, uint32_t root, uint16_t source);

/* The tree below a node as JSON text, freed with memory_free; NULL without memory. Plain scalars that read as numbers
 * (true, false) are numbers (truth values), empty ones null, all others strings. */
char *tree_json(const tree *t, uint32_t root);

bool faults_create(faults *f);
void faults_free(faults *f);
void fault_add(faults *f, const node *at, const char *format, ...) __attribute__((format(printf, 3, 4)));
void fault_add_place(faults *f, uint16_t source, uint32_t line, uint32_t column, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* The same without the line. */
void fault_add_hidden(faults *f, uint16_t source, uint32_t line, uint32_t column, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Text of the user for messages: clipped, with control characters masked. Valid as long as f. */
const char *faults_quote(faults *f, const char *text, size_t length);

/* A position in a text. */
typedef struct text_place {
    const char *at; /* NULL: not begun */
    uint32_t line, column;
} text_place;

/* "gas.yaml:12:5", or the name of a source without lines; NULL without memory. */
char *place_text(const tree_source *s, uint32_t line, uint32_t column, arena *memory);

/* The line of a place and, below it, a caret; NULL without memory. `from` is one scan position per source: places in
 * the order of the text are found in one pass. */
char *place_excerpt(const tree_source *s, uint32_t line, uint32_t column, text_place *from, arena *memory);

/* Writes all faults to e, in the order of the text, each with its line and a caret; CAROM_OK if there are none. root: the
 * top node, below which the paths of the keys are found; 0: none. */
carom_status faults_report(faults *f, const tree *t, uint32_t root, error *e);

#endif

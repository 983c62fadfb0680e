/* A tree of bounding boxes over items that do not move: triangles of a mesh, in the mesh's own frame. A query finds the
 * items that a ball may touch on a straight path. */
#ifndef CAROM_NEIGHBORS_BOX_TREE_H
#define CAROM_NEIGHBORS_BOX_TREE_H

#include <stdint.h>

#include "base/error.h"

typedef struct tree_box {
    double low[3], high[3];
} tree_box;

typedef struct box_tree box_tree;

carom_status box_tree_create(box_tree **out, const tree_box *boxes, uint32_t count, error *e);
void box_tree_destroy(box_tree *t);

/* Renumbers the items in the order in which they lie in the tree: item before[n] becomes n. `before` ([count]) is
 * filled in. */
void box_tree_renumber(box_tree *t, uint32_t *before);

/* The box around all. */
const tree_box *box_tree_all(const box_tree *t);

/* From `from` by `share` of `way`, as a ball of radius `reach`. */
typedef struct tree_path {
    double from[3], way[3], reach, share;
} tree_path;

/* Called for an item whose box the ball may touch; may shorten the path's share. */
typedef void box_tree_found(tree_path *path, uint32_t item, void *data);

/* Visits all items whose boxes the ball touches within the share of the path, and some that it nearly touches, the
 * earlier ones first, as far as boxes show. */
void box_tree_follow(const box_tree *t, tree_path *path, box_tree_found *found, void *data);

#endif

/* A tree of bounding boxes over things that stay where they are: triangles of a mesh, in the mesh's own frame. It is
 * asked for what a ball may touch that flies along a line. */
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

/* Numbers the items anew, in the order in which they lie in the tree: what was item before[n] becomes n. `before`
 * ([count]) is filled in. */
void box_tree_renumber(box_tree *t, uint32_t *before);

/* The box around all. */
const tree_box *box_tree_all(const box_tree *t);

/* From `from` by `share` of `way`, as a ball of radius `reach`. */
typedef struct tree_path {
    double from[3], way[3], reach, share;
} tree_path;

/* Is told of an item whose box the ball may touch; may shorten the path's share. */
typedef void box_tree_found(tree_path *path, uint32_t item, void *data);

/* Tells of all whose boxes the ball touches within the share of the way, and of some that it nearly does; those that
 * it comes to first earlier, as far as boxes tell. */
void box_tree_follow(const box_tree *t, tree_path *path, box_tree_found *found, void *data);

#endif

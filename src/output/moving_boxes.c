#include "output/moving_boxes.h"

#include <math.h>

#include "base/memory.h"

typedef struct item {
    double key; /* what the half is chosen by */
    uint32_t box;
} item;

typedef struct node {
    moving_box bounds;
    size_t from, to; /* items */
} node;

/* 2 i + 1 and 2 i + 2 are the halves of node i; the leaves are all on the last level. */
typedef struct tree {
    const boxes_request *r;
    item *items;
    node *nodes;
    size_t node_count;
    uint64_t left; /* comparisons */
} tree;

enum {
    LEAF = 4,
    TOLD = 50, /* comparisons that a pair costs that is told */
};

/* ---- making ------------------------------------------------------------------------------------------------------ */

static void widen(moving_box *b, const moving_box *by)
{
    for (int t = 0; t < 2; t++)
        for (int k = 0; k < 3; k++) {
            b->low[t][k] = fmin(b->low[t][k], by->low[t][k]);
            b->high[t][k] = fmax(b->high[t][k], by->high[t][k]);
        }
}

/* Four times the middle of the middle. */
static double middle(const moving_box *b, int axis)
{
    return b->low[0][axis] + b->high[0][axis] + b->low[1][axis] + b->high[1][axis];
}

static int widest(const tree *t, size_t from, size_t to)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = from; i < to; i++)
        for (int k = 0; k < 3; k++) {
            double x = middle(&t->r->boxes[t->items[i].box], k);
            low[k] = fmin(low[k], x);
            high[k] = fmax(high[k], x);
        }
    int axis = high[1] - low[1] > high[0] - low[0];
    return high[2] - low[2] > high[axis] - low[axis] ? 2 : axis;
}

static void swap(item *a, item *b)
{
    item kept = *a;
    *a = *b;
    *b = kept;
}

/* Hoare's selection: the smaller keys before `nth`, the larger behind. */
static void select_keys(item *items, size_t count, size_t nth)
{
    size_t from = 0, to = count - 1;
    while (from < to) {
        const double pivot = items[from + (to - from) / 2].key;
        size_t i = from, j = to;
        for (;;) {
            while (items[i].key < pivot) i++;
            while (pivot < items[j].key) j--;
            if (i >= j) break;
            swap(&items[i++], &items[j--]);
        }
        if (nth <= j)
            to = j;
        else
            from = j + 1;
    }
}

static void split(tree *t, size_t i, size_t from, size_t to)
{
    node *n = &t->nodes[i];
    *n = (node){t->r->boxes[t->items[from].box], from, to};
    if (2 * i + 2 >= t->node_count) {
        for (size_t k = from + 1; k < to; k++) widen(&n->bounds, &t->r->boxes[t->items[k].box]);
        return;
    }
    const int axis = widest(t, from, to);
    for (size_t k = from; k < to; k++) t->items[k].key = middle(&t->r->boxes[t->items[k].box], axis);
    const size_t half = (to - from) / 2;
    select_keys(t->items + from, to - from, half);
    split(t, 2 * i + 1, from, from + half);
    split(t, 2 * i + 2, from + half, to);
    n->bounds = t->nodes[2 * i + 1].bounds;
    widen(&n->bounds, &t->nodes[2 * i + 2].bounds);
}

/* ---- searching --------------------------------------------------------------------------------------------------- */

/* `gap` is positive where they are apart: the time, from[0] to from[1], in which it is not. */
static bool clip(double start, double end, double when[2])
{
    if (start > 0 && end > 0) return false;
    if (start > 0) when[0] = fmax(when[0], start / (start - end));
    if (end > 0) when[1] = fmin(when[1], start / (start - end));
    return when[0] <= when[1];
}

static bool overlap(const moving_box *a, const moving_box *b, const double shift[3])
{
    double when[2] = {0, 1};
    for (int k = 0; k < 3; k++) {
        double s = shift[k];
        if (!clip(a->low[0][k] - b->high[0][k] - s, a->low[1][k] - b->high[1][k] - s, when)) return false;
        if (!clip(b->low[0][k] + s - a->high[0][k], b->low[1][k] + s - a->high[1][k], when)) return false;
    }
    return true;
}

/* Every box of a leaf with every one of another, or of its own. */
static void meet(tree *t, const node *a, const node *b, const double shift[3], bool same)
{
    const moving_box *boxes = t->r->boxes;
    for (size_t k = a->from; k < a->to; k++)
        for (size_t l = same ? k + 1 : b->from; l < b->to; l++) {
            const size_t first = t->items[k].box, second = t->items[l].box;
            if (t->left == 0) return;
            t->left--;
            if (first == second || !overlap(&boxes[first], &boxes[second], shift)) continue;
            t->left -= t->left < TOLD ? t->left : TOLD;
            t->r->found(first, second, shift, t->r->data);
        }
}

/* `same`: the node with itself, where pairs would be told twice. */
static void search(tree *t, size_t i, size_t j, const double shift[3], bool same)
{
    const node *a = &t->nodes[i], *b = &t->nodes[j];
    if (t->left == 0 || !overlap(&a->bounds, &b->bounds, shift)) return;
    t->left--;
    if (2 * i + 2 >= t->node_count) {
        meet(t, a, b, shift, same);
        return;
    }
    search(t, 2 * i + 1, 2 * j + 1, shift, same);
    search(t, 2 * i + 1, 2 * j + 2, shift, false);
    if (!same) search(t, 2 * i + 2, 2 * j + 1, shift, false);
    search(t, 2 * i + 2, 2 * j + 2, shift, same);
}

/* Images as far off as the boxes reach, one of each two that lie opposite to each other. */
static void search_images(tree *t)
{
    const moving_box *all = &t->nodes[0].bounds;
    int most[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        double reach = fmax(all->high[0][k], all->high[1][k]) - fmin(all->low[0][k], all->low[1][k]);
        if (t->r->period[k] > 0) most[k] = (int)fmin(reach / t->r->period[k], 100);
    }
    for (int x = 0; x <= most[0]; x++)
        for (int y = x == 0 ? 0 : -most[1]; y <= most[1]; y++)
            for (int z = x == 0 && y == 0 ? 0 : -most[2]; z <= most[2]; z++) {
                const double shift[3] = {x * t->r->period[0], y * t->r->period[1], z * t->r->period[2]};
                search(t, 0, 0, shift, x == 0 && y == 0 && z == 0);
            }
}

carom_status boxes_overlapping(const boxes_request *r, bool *finished, error *e)
{
    *finished = true;
    if (r->count < 2) return CAROM_OK;
    int levels = 0;
    while (r->count >> levels > LEAF) levels++;
    tree t = {.r = r, .node_count = ((size_t)2 << levels) - 1, .left = r->most};
    t.items = NEW_ARRAY(r->count, item);
    t.nodes = NEW_ARRAY(t.node_count, node);
    const bool made = t.items != NULL && t.nodes != NULL;
    if (made) {
        for (size_t i = 0; i < r->count; i++) t.items[i].box = (uint32_t)i;
        split(&t, 0, 0, r->count);
        search_images(&t);
        *finished = t.left > 0;
    }
    memory_free(t.items);
    memory_free(t.nodes);
    return made ? CAROM_OK : error_memory(e, "boxes between frames", t.node_count * sizeof(node));
}

#include "neighbors/box_tree.h"

#include <math.h>
#include <stdbool.h>

#include "base/memory.h"

enum { LEAF = 4, MOST_DEEP = 64 };

/* An inner node (count 0) has its first child behind it; `second` is the other. A leaf has items[first ..]. */
typedef struct tree_node {
    tree_box box;
    uint32_t second, first, count;
} tree_node;

struct box_tree {
    tree_node *node;
    uint32_t *item, count, nodes;
};

typedef struct making {
    box_tree *t;
    const tree_box *boxes;
    double (*middle)[3];
} making;

/* ---- making ------------------------------------------------------------------------------------------------------ */

static tree_box around(const making *m, uint32_t begin, uint32_t end)
{
    tree_box all = m->boxes[m->t->item[begin]];
    for (uint32_t n = begin + 1; n < end; n++) {
        const tree_box *b = &m->boxes[m->t->item[n]];
        for (int k = 0; k < 3; k++) {
            all.low[k] = fmin(all.low[k], b->low[k]);
            all.high[k] = fmax(all.high[k], b->high[k]);
        }
    }
    return all;
}

/* The axis along which the middles are spread most. */
static int widest_axis(const making *m, uint32_t begin, uint32_t end)
{
    double widest = -1;
    int axis = 0;
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t n = begin; n < end; n++) {
            low = fmin(low, m->middle[m->t->item[n]][k]);
            high = fmax(high, m->middle[m->t->item[n]][k]);
        }
        if (!(high - low > widest)) continue;
        widest = high - low;
        axis = k;
    }
    return axis;
}

/* By the middle along the axis, and where these are equal by number: a total order. */
static bool before(const making *m, int axis, uint32_t a, uint32_t b)
{
    const double x = m->middle[a][axis], y = m->middle[b][axis];
    return x < y || (x == y && a < b);
}

/* Puts the first half of [begin, end) before `half` (Hoare's quickselect). */
static void divide(const making *m, int axis, uint32_t begin, uint32_t end, uint32_t half)
{
    uint32_t *item = m->t->item;
    while (end - begin > 1) {
        const uint32_t pivot = item[begin + (end - begin - 1) / 2];
        uint32_t i = begin, j = end - 1;
        for (;; i++, j--) {
            while (before(m, axis, item[i], pivot)) i++;
            while (before(m, axis, pivot, item[j])) j--;
            if (i >= j) break;
            const uint32_t held = item[i];
            item[i] = item[j];
            item[j] = held;
        }
        if (half <= j)
            end = j + 1;
        else
            begin = j + 1;
    }
}

static uint32_t make(const making *m, uint32_t begin, uint32_t end)
{
    const uint32_t at = m->t->nodes++;
    tree_node *n = &m->t->node[at];
    n->box = around(m, begin, end);
    if (end - begin <= LEAF) {
        n->first = begin;
        n->count = end - begin;
        return at;
    }
    const uint32_t half = begin + (end - begin) / 2;
    divide(m, widest_axis(m, begin, end), begin, end, half);
    make(m, begin, half);
    n->second = make(m, half, end);
    return at;
}

carom_status box_tree_create(box_tree **out, const tree_box *boxes, uint32_t count, error *e)
{
    box_tree *t = *out = NEW_ARRAY(1, box_tree);
    if (t == NULL) return error_memory(e, "a tree", sizeof *t);
    making m = {.t = t, .boxes = boxes, .middle = memory_new(count, sizeof *m.middle)};
    t->node = NEW_ARRAY(count > 0 ? count : 1, tree_node); /* halves of 5 and more are 2 and more */
    t->item = NEW_ARRAY(count, uint32_t);
    t->count = count;
    const bool made = m.middle != NULL && t->node != NULL && t->item != NULL;
    for (uint32_t n = 0; made && n < count; n++) {
        t->item[n] = n;
        for (int k = 0; k < 3; k++) m.middle[n][k] = 0.5 * boxes[n].low[k] + 0.5 * boxes[n].high[k];
    }
    if (made && count > 0) make(&m, 0, count);
    memory_free(m.middle);
    return made ? CAROM_OK : error_memory(e, "a tree", count * sizeof(tree_node));
}

void box_tree_destroy(box_tree *t)
{
    if (t == NULL) return;
    memory_free(t->node);
    memory_free(t->item);
    memory_free(t);
}

void box_tree_renumber(box_tree *t, uint32_t *before)
{
    for (uint32_t n = 0; n < t->count; n++) {
        before[n] = t->item[n];
        t->item[n] = n;
    }
}

const tree_box *box_tree_all(const box_tree *t)
{
    return &t->node[0].box;
}

/* ---- following --------------------------------------------------------------------------------------------------- */

/* Where on its way (0 to share) the ball comes to the box, made wider by its radius; beyond the share: it does not. */
static double entering(const tree_path *p, const tree_box *b)
{
    double in = 0, out = p->share;
    for (int k = 0; k < 3; k++) {
        const double low = b->low[k] - p->reach - p->from[k], high = b->high[k] + p->reach - p->from[k];
        if (p->way[k] == 0) {
            if (low > 0 || high < 0) return INFINITY;
            continue;
        }
        const double a = low / p->way[k], c = high / p->way[k];
        const double first = a < c ? a : c, last = a < c ? c : a;
        in = first > in ? first : in;
        out = last < out ? last : out;
    }
    return in <= out ? in : INFINITY;
}

/* Is the ball, where its way ends, clear of the box and still coming nearer? The distance from a box is convex along a
 * line: then it has been clear all the way. */
static bool clear(const tree_path *p, const tree_box *b)
{
    double square = 0, nearing = 0;
    for (int k = 0; k < 3; k++) {
        const double x = p->from[k] + p->share * p->way[k];
        const double away = x < b->low[k] ? x - b->low[k] : x > b->high[k] ? x - b->high[k] : 0;
        square += away * away;
        nearing += away * p->way[k];
    }
    return nearing < 0 && square > p->reach * p->reach;
}

void box_tree_follow(const box_tree *t, tree_path *path, box_tree_found *found, void *data)
{
    struct waiting {
        uint32_t node;
        double from;
    } stack[MOST_DEEP];
    int top = 0;
    if (t->count == 0) return;
    stack[top++] = (struct waiting){0, entering(path, &t->node[0].box)};
    while (top > 0) {
        const struct waiting now = stack[--top];
        const tree_node *n = &t->node[now.node];
        if (!(now.from <= path->share) || clear(path, &n->box)) continue;
        for (uint32_t k = 0; k < n->count; k++) found(path, t->item[n->first + k], data);
        if (n->count > 0) continue;
        const uint32_t child[2] = {now.node + 1, n->second};
        const double from[2] = {entering(path, &t->node[child[0]].box), entering(path, &t->node[child[1]].box)};
        const int later = from[1] > from[0]; /* the nearer one is visited first */
        stack[top++] = (struct waiting){child[later], from[later]};
        stack[top++] = (struct waiting){child[!later], from[!later]};
    }
}

#include "output/verify/moving_boxes.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"

typedef struct node {
    moving_box bounds;
    size_t from, to; /* items */
} node;

/* Bounds of consecutive boxes. 2 i + 1 and 2 i + 2 are the halves of node i; the leaves are all on the last level. */
typedef struct tree {
    const moving_box *boxes; /* all */
    sort_key *items;
    node *nodes;
    size_t count, node_count, room, node_room;
} tree;

struct moving_boxes {
    tree held, others;
    const boxes_request *r;
    uint64_t left; /* comparisons */
};

enum {
    LEAF = 4,
    TOLD = 50, /* cost of a reported pair, in comparisons */
};

/* ---- construction ------------------------------------------------------------------------------------------------ */

static void widen(moving_box *b, const moving_box *by)
{
    for (int t = 0; t < 2; t++)
        for (int k = 0; k < 3; k++) {
            b->low[t][k] = fmin(b->low[t][k], by->low[t][k]);
            b->high[t][k] = fmax(b->high[t][k], by->high[t][k]);
        }
}

/* Four times the centre at the middle of the interval. */
static double middle(const moving_box *b, int axis)
{
    return b->low[0][axis] + b->high[0][axis] + b->low[1][axis] + b->high[1][axis];
}

static int widest(const tree *t, size_t from, size_t to)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = from; i < to; i++)
        for (int k = 0; k < 3; k++) {
            double x = middle(&t->boxes[t->items[i].item], k);
            low[k] = fmin(low[k], x);
            high[k] = fmax(high[k], x);
        }
    int axis = high[1] - low[1] > high[0] - low[0];
    return high[2] - low[2] > high[axis] - low[axis] ? 2 : axis;
}

static void split(tree *t, size_t i, size_t from, size_t to)
{
    node *n = &t->nodes[i];
    *n = (node){t->boxes[t->items[from].item], from, to};
    if (2 * i + 2 >= t->node_count) {
        for (size_t k = from + 1; k < to; k++) widen(&n->bounds, &t->boxes[t->items[k].item]);
        return;
    }
    const int axis = widest(t, from, to);
    for (size_t k = from; k < to; k++) t->items[k].key = middle(&t->boxes[t->items[k].item], axis);
    const size_t half = (to - from) / 2;
    sort_select(t->items + from, to - from, half);
    split(t, 2 * i + 1, from, from + half);
    split(t, 2 * i + 2, from + half, to);
    n->bounds = t->nodes[2 * i + 1].bounds;
    widen(&n->bounds, &t->nodes[2 * i + 2].bounds);
}

/* ---- search ------------------------------------------------------------------------------------------------------ */

/* `gap` is positive while the boxes are separated; from[0] to from[1] is the time of overlap. */
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

/* All pairs of the boxes of two leaves, or within one leaf. */
static void meet(moving_boxes *m, const tree *p, const tree *q, const node *a, const node *b, const double shift[3],
                 bool same)
{
    const moving_box *boxes = m->r->boxes;
    for (size_t k = a->from; k < a->to; k++)
        for (size_t l = same ? k + 1 : b->from; l < b->to; l++) {
            const size_t first = p->items[k].item, second = q->items[l].item;
            if (m->left == 0) return;
            m->left--;
            if (first == second || !overlap(&boxes[first], &boxes[second], shift)) continue;
            m->left -= m->left < TOLD ? m->left : TOLD;
            m->r->found(first, second, shift, m->r->data);
        }
}

/* Node i of tree p and node j of tree q. `same`: for a node with itself, each pair is reported once. */
static void search(moving_boxes *m, const tree *p, size_t i, const tree *q, size_t j, const double shift[3], bool same)
{
    const node *a = &p->nodes[i], *b = &q->nodes[j];
    if (m->left == 0 || !overlap(&a->bounds, &b->bounds, shift)) return;
    m->left--;
    const bool leaf[2] = {2 * i + 2 >= p->node_count, 2 * j + 2 >= q->node_count};
    if (leaf[0] && leaf[1]) {
        meet(m, p, q, a, b, shift, same);
    } else if (leaf[0] || (!same && !leaf[1] && b->to - b->from > 2 * (a->to - a->from))) {
        search(m, p, i, q, 2 * j + 1, shift, false);
        search(m, p, i, q, 2 * j + 2, shift, false);
    } else if (leaf[1] || (!same && a->to - a->from > 2 * (b->to - b->from))) {
        search(m, p, 2 * i + 1, q, j, shift, false);
        search(m, p, 2 * i + 2, q, j, shift, false);
    } else {
        search(m, p, 2 * i + 1, q, 2 * j + 1, shift, same);
        search(m, p, 2 * i + 1, q, 2 * j + 2, shift, false);
        if (!same) search(m, p, 2 * i + 2, q, 2 * j + 1, shift, false);
        search(m, p, 2 * i + 2, q, 2 * j + 2, shift, same);
    }
}

/* Largest number of box lengths by which boxes of the two trees may be displaced along an axis. */
static int images(const moving_boxes *m, const tree *p, const tree *q, int k)
{
    const moving_box *a = &p->nodes[0].bounds, *b = &q->nodes[0].bounds;
    const double high = fmax(fmax(a->high[0][k], a->high[1][k]), fmax(b->high[0][k], b->high[1][k]));
    const double low = fmin(fmin(a->low[0][k], a->low[1][k]), fmin(b->low[0][k], b->low[1][k]));
    return m->r->period[k] > 0 ? (int)fmin((high - low) / m->r->period[k], 100) : 0;
}

/* For a tree with itself, one of each two opposite images; for two trees, all images. */
static void search_images(moving_boxes *m, const tree *p, const tree *q)
{
    const bool same = p == q;
    if (p->count == 0 || q->count == 0) return;
    const int most[3] = {images(m, p, q, 0), images(m, p, q, 1), images(m, p, q, 2)};
    for (int x = same ? 0 : -most[0]; x <= most[0]; x++)
        for (int y = same && x == 0 ? 0 : -most[1]; y <= most[1]; y++)
            for (int z = same && x == 0 && y == 0 ? 0 : -most[2]; z <= most[2]; z++) {
                const double *period = m->r->period, shift[3] = {x * period[0], y * period[1], z * period[2]};
                search(m, p, 0, q, 0, shift, same && x == 0 && y == 0 && z == 0);
            }
}

static bool reserve(tree *t, size_t count)
{
    int levels = 0;
    while (count >> levels > LEAF) levels++;
    t->count = count;
    t->node_count = ((size_t)2 << levels) - 1;
    if (count <= t->room && t->node_count <= t->node_room) return true;
    memory_free(t->items);
    memory_free(t->nodes);
    t->items = NEW_ARRAY(count, sort_key);
    t->nodes = NEW_ARRAY(t->node_count, node);
    const bool done = t->items != NULL && t->nodes != NULL;
    t->room = done ? count : 0;
    t->node_room = done ? t->node_count : 0;
    return done;
}

static carom_status build(tree *t, const boxes_request *r, size_t from, size_t to, error *e)
{
    if (!reserve(t, to - from)) return error_memory(e, "boxes between frames", t->node_count * sizeof(node));
    t->boxes = r->boxes;
    for (size_t i = from; i < to; i++) t->items[i - from].item = (uint32_t)i;
    if (to > from) split(t, 0, 0, to - from);
    return CAROM_OK;
}

carom_status moving_boxes_create(moving_boxes **out, error *e)
{
    *out = NEW_ARRAY(1, moving_boxes);
    return *out != NULL ? CAROM_OK : error_memory(e, "boxes between frames", sizeof **out);
}

void moving_boxes_destroy(moving_boxes *m)
{
    if (m == NULL) return;
    for (int k = 0; k < 2; k++) {
        tree *t = k == 0 ? &m->held : &m->others;
        memory_free(t->items);
        memory_free(t->nodes);
    }
    memory_free(m);
}

carom_status boxes_overlapping(moving_boxes *m, const boxes_request *r, bool *finished, error *e)
{
    *finished = true;
    m->r = r;
    m->left = r->most;
    if (!r->held_again || m->held.count != r->held) TRY(build(&m->held, r, 0, r->held, e));
    TRY(build(&m->others, r, r->held, r->count, e));
    search_images(m, &m->others, &m->others);
    search_images(m, &m->others, &m->held);
    *finished = m->left > 0;
    return CAROM_OK;
}

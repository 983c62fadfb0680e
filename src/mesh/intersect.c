#include "mesh/intersect.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/sort.h"
#include "geometry/orient.h"

/* ---- Two triangles ---- */

typedef const double *corner;

static bool between(corner a, corner b, corner p)
{
    for (int k = 0; k < 3; k++)
        if (p[k] < (a[k] < b[k] ? a[k] : b[k]) || p[k] > (a[k] < b[k] ? b[k] : a[k])) return false;
    return true;
}

/* For segments in one plane; x, y: axes for which the projection is one-to-one. */
static bool segments_meet(corner p, corner q, corner a, corner b, int x, int y)
{
    int a_side = orient_2d(p, q, a, x, y), b_side = orient_2d(p, q, b, x, y);
    int p_side = orient_2d(a, b, p, x, y), q_side = orient_2d(a, b, q, x, y);
    if (a_side * b_side < 0 && p_side * q_side < 0) return true;
    return (a_side == 0 && between(p, q, a)) || (b_side == 0 && between(p, q, b)) ||
           (p_side == 0 && between(a, b, p)) || (q_side == 0 && between(a, b, q));
}

static bool inside(const corner t[3], corner p, int x, int y, int turn)
{
    for (int k = 0; k < 3; k++)
        if (orient_2d(t[k], t[(k + 1) % 3], p, x, y) * turn < 0) return false;
    return true;
}

/* The axes onto which the triangle can be projected; its orientation there, 0 for zero area. */
static int project(const corner t[3], int *x, int *y)
{
    int turn = 0;
    for (int k = 0; k < 3 && turn == 0; k++) {
        *x = k;
        *y = (k + 1) % 3;
        turn = orient_2d(t[0], t[1], t[2], *x, *y);
    }
    return turn;
}

/* Ends included; false for a triangle of zero area. */
static bool segment_meets(corner p, corner q, const corner t[3])
{
    int above = orient_3d(t[0], t[1], t[2], p), below = orient_3d(t[0], t[1], t[2], q), x, y;
    if (above * below > 0) return false;
    int turn = project(t, &x, &y);
    if (turn == 0) return false;
    if (above == 0 && below == 0)
        return inside(t, p, x, y, turn) || segments_meet(p, q, t[0], t[1], x, y) ||
               segments_meet(p, q, t[1], t[2], x, y) || segments_meet(p, q, t[2], t[0], x, y);
    int one = orient_3d(p, q, t[0], t[1]), two = orient_3d(p, q, t[1], t[2]), three = orient_3d(p, q, t[2], t[0]);
    return (one >= 0 && two >= 0 && three >= 0) || (one <= 0 && two <= 0 && three <= 0);
}

/* Whether two triangles with a common edge a, b are folded onto each other. */
static bool folded(corner a, corner b, corner c, corner d)
{
    if (orient_3d(a, b, c, d) != 0) return false;
    for (int k = 0; k < 3; k++) {
        int one = orient_2d(a, b, c, k, (k + 1) % 3), two = orient_2d(a, b, d, k, (k + 1) % 3);
        if (one != 0 || two != 0) return one * two > 0;
    }
    return false;
}

/* The corners of both triangles, common corners first and in the same order. */
static int match(const mesh *m, uint32_t first, uint32_t second, corner s[3], corner t[3])
{
    uint32_t a[3], b[3];
    int shared = 0;
    for (int k = 0; k < 3; k++) {
        a[k] = m->triangles[first][k];
        b[k] = m->triangles[second][k];
    }
    for (int i = 0; i < 3; i++)
        for (int j = shared; j < 3 && i >= shared; j++) {
            if (a[i] != b[j]) continue;
            uint32_t other_a = a[shared], other_b = b[shared];
            a[shared] = a[i];
            a[i] = other_a;
            b[shared] = b[j];
            b[j] = other_b;
            shared++;
            break;
        }
    for (int k = 0; k < 3; k++) {
        s[k] = m->vertices[a[k]];
        t[k] = m->vertices[b[k]];
    }
    return shared;
}

bool mesh_triangles_meet(const mesh *m, uint32_t first, uint32_t second)
{
    corner s[3], t[3];
    int shared = match(m, first, second, s, t);
    if (shared == 3) return false;
    if (shared == 2) return folded(s[0], s[1], s[2], t[2]);
    /* If both triangles contain a point other than a common corner, the side opposite to that corner of one of them
     * contains such a point. */
    if (shared == 1) return segment_meets(s[1], s[2], t) || segment_meets(t[1], t[2], s);
    for (int k = 0; k < 3; k++)
        if (segment_meets(s[k], s[(k + 1) % 3], t) || segment_meets(t[k], t[(k + 1) % 3], s)) return true;
    return false;
}

/* ---- All pairs, with a tree of boxes ---- */

typedef struct box {
    double low[3], high[3];
} box;

typedef struct node {
    box bounds;
    size_t from, to; /* items */
} node;

/* 2 i + 1 and 2 i + 2 are the halves of node i; the leaves are all on the last level. */
typedef struct hunt {
    const mesh *m;
    mesh_meeting meeting;
    sort_key *items;
    box *boxes; /* of triangles */
    node *nodes;
    size_t node_count;
    mesh_pair *pairs;
    size_t count;
} hunt;

enum { LEAF = 4 };

static box box_of(const mesh *m, size_t triangle)
{
    box b;
    for (int k = 0; k < 3; k++) {
        b.low[k] = b.high[k] = m->vertices[m->triangles[triangle][0]][k];
        for (int c = 1; c < 3; c++) {
            double x = m->vertices[m->triangles[triangle][c]][k];
            if (x < b.low[k]) b.low[k] = x;
            if (x > b.high[k]) b.high[k] = x;
        }
    }
    return b;
}

static box box_around(const hunt *h, size_t from, size_t to)
{
    box all = h->boxes[h->items[from].item];
    for (size_t i = from + 1; i < to; i++) {
        const box *b = &h->boxes[h->items[i].item];
        for (int k = 0; k < 3; k++) {
            if (b->low[k] < all.low[k]) all.low[k] = b->low[k];
            if (b->high[k] > all.high[k]) all.high[k] = b->high[k];
        }
    }
    return all;
}

static bool overlap(const box *a, const box *b)
{
    for (int k = 0; k < 3; k++)
        if (a->low[k] > b->high[k] || b->low[k] > a->high[k]) return false;
    return true;
}

static void split(hunt *h, size_t i, size_t from, size_t to)
{
    const box b = box_around(h, from, to);
    h->nodes[i] = (node){b, from, to};
    if (2 * i + 2 >= h->node_count) return;
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (b.high[k] - b.low[k] > b.high[axis] - b.low[axis]) axis = k;
    for (size_t k = from; k < to; k++) {
        const box *one = &h->boxes[h->items[k].item];
        h->items[k].key = one->low[axis] / 2 + one->high[axis] / 2;
    }
    const size_t middle = from + (to - from) / 2;
    sort_select(h->items + from, to - from, middle - from);
    split(h, 2 * i + 1, from, middle);
    split(h, 2 * i + 2, middle, to);
}

static void test(hunt *h, uint32_t a, uint32_t b)
{
    if (h->count == MESH_PAIRS_MOST || !overlap(&h->boxes[a], &h->boxes[b])) return;
    if (h->meeting.allow != NULL && h->meeting.allow(a, b, h->meeting.data)) return;
    if (!mesh_triangles_meet(h->m, a, b)) return;
    h->pairs[h->count++] = a < b ? (mesh_pair){a, b} : (mesh_pair){b, a};
}

/* All triangles of node i against all of node j; i = j: against those after it. */
static void search(hunt *h, size_t i, size_t j)
{
    const node *a = &h->nodes[i], *b = &h->nodes[j];
    if (h->count == MESH_PAIRS_MOST || !overlap(&a->bounds, &b->bounds)) return;
    if (2 * i + 2 >= h->node_count) {
        for (size_t k = a->from; k < a->to; k++)
            for (size_t l = i == j ? k + 1 : b->from; l < b->to; l++) test(h, h->items[k].item, h->items[l].item);
        return;
    }
    search(h, 2 * i + 1, 2 * j + 1);
    search(h, 2 * i + 1, 2 * j + 2);
    if (i != j) search(h, 2 * i + 2, 2 * j + 1);
    search(h, 2 * i + 2, 2 * j + 2);
}

static int compare_pairs(const void *left, const void *right)
{
    const mesh_pair *a = left, *b = right;
    if (a->first != b->first) return a->first < b->first ? -1 : 1;
    return a->second < b->second ? -1 : a->second > b->second;
}

static void find(hunt *h)
{
    const size_t count = h->m->triangle_count;
    for (size_t t = 0; t < count; t++) {
        h->boxes[t] = box_of(h->m, t);
        h->items[t].item = (uint32_t)t;
    }
    split(h, 0, 0, count);
    search(h, 0, 0);
    qsort(h->pairs, h->count, sizeof *h->pairs, compare_pairs);
}

carom_status mesh_intersections(const mesh *m, mesh_meeting meeting, mesh_pair pairs[MESH_PAIRS_MOST], size_t *count,
                                error *e)
{
    *count = 0;
    if (m->triangle_count < 2) return CAROM_OK;
    int levels = 0;
    while (m->triangle_count >> levels > LEAF) levels++;
    hunt h = {.m = m, .meeting = meeting, .pairs = pairs, .node_count = ((size_t)2 << levels) - 1};
    h.items = NEW_ARRAY(m->triangle_count, sort_key);
    h.boxes = NEW_ARRAY(m->triangle_count, box);
    h.nodes = NEW_ARRAY(h.node_count, node);
    const bool failed = h.items == NULL || h.boxes == NULL || h.nodes == NULL;
    if (!failed) find(&h);
    *count = h.count;
    memory_free(h.items);
    memory_free(h.boxes);
    memory_free(h.nodes);
    return failed ? error_memory(e, "a search for intersections", m->triangle_count * sizeof(box)) : CAROM_OK;
}

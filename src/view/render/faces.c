#include "view/render/faces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"

#define CREASE 0.8191520442889918 /* cosine of 35 degrees */

/* ---- adjacent triangles ------------------------------------------------------------------------------------------ */

typedef struct half_edge {
    uint32_t low, high, edge;
} half_edge;

static int in_order(const void *a, const void *b)
{
    const half_edge *p = a, *q = b;
    if (p->low != q->low) return p->low < q->low ? -1 : 1;
    if (p->high != q->high) return p->high < q->high ? -1 : 1;
    return (p->edge > q->edge) - (p->edge < q->edge);
}

static uint32_t end_of(const faces *f, uint32_t edge, uint32_t which)
{
    return f->triangles[edge / 3][(edge % 3 + 1 + which) % 3];
}

static carom_status find_twins(faces *f, error *e)
{
    const size_t count = 3 * f->count;
    half_edge *all = NEW_ARRAY(count, half_edge);
    if (all == NULL) return error_memory(e, "the edges of a mesh", count * sizeof *all);
    for (uint32_t h = 0; h < count; h++) {
        const uint32_t a = end_of(f, h, 0), b = end_of(f, h, 1);
        all[h] = (half_edge){a < b ? a : b, a < b ? b : a, h};
        f->twin[h] = FACES_NONE;
    }
    qsort(all, count, sizeof *all, in_order);
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && all[to].low == all[from].low && all[to].high == all[from].high;) to++;
        if (to - from != 2) continue;
        f->twin[all[from].edge] = all[from + 1].edge;
        f->twin[all[from + 1].edge] = all[from].edge;
    }
    memory_free(all);
    return CAROM_OK;
}

/* Adjacent triangles run along their common edge in opposite directions; otherwise one of them is reversed. */
static carom_status orient(faces *f, error *e)
{
    uint32_t *queue = NEW_ARRAY(f->count, uint32_t);
    bool *seen = NEW_ARRAY(f->count, bool);
    for (size_t start = 0; queue != NULL && seen != NULL && start < f->count; start++) {
        size_t first = 0, last = 0;
        if (seen[start]) continue;
        seen[start] = true;
        queue[last++] = (uint32_t)start;
        while (first < last) {
            const uint32_t t = queue[first++];
            for (uint32_t h = 3 * t; h < 3 * t + 3; h++) {
                const uint32_t other = f->twin[h];
                if (other == FACES_NONE || seen[other / 3]) continue;
                seen[other / 3] = true;
                f->turned[other / 3] = (f->turned[t] != 0) != (end_of(f, h, 0) == end_of(f, other, 0));
                queue[last++] = other / 3;
            }
        }
    }
    const bool done = queue != NULL && seen != NULL;
    memory_free(queue);
    memory_free(seen);
    return done ? CAROM_OK : error_memory(e, "the triangles of a mesh", f->count * sizeof *queue);
}

carom_status faces_create(faces *f, const uint32_t (*triangles)[3], size_t count, error *e)
{
    *f = (faces){.count = count, .triangles = triangles};
    f->twin = NEW_ARRAY(3 * count, uint32_t);
    f->turned = NEW_ARRAY(count, uint8_t);
    f->group = NEW_ARRAY(3 * count, uint32_t);
    f->sum = memory_new(3 * count, sizeof *f->sum);
    f->lines = NEW_ARRAY(count, uint8_t);
    if (f->twin == NULL || f->turned == NULL || f->group == NULL || f->sum == NULL || f->lines == NULL)
        return error_memory(e, "the faces of a mesh", count * 100);
    TRY(find_twins(f, e));
    return orient(f, e);
}

void faces_free(faces *f)
{
    memory_free(f->twin);
    memory_free(f->turned);
    memory_free(f->group);
    memory_free(f->sum);
    memory_free(f->lines);
    memory_free(f->diagonal);
    *f = (faces){0};
}

/* ---- normals ----------------------------------------------------------------------------------------------------- */

/* Normal of length twice the area, oriented like those of adjacent triangles. */
static void normal_of(const faces *f, double (*x)[3], size_t t, double n[3])
{
    const uint32_t *at = f->triangles[t];
    double a[3], b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = x[at[1]][k] - x[at[0]][k];
        b[k] = x[at[2]][k] - x[at[0]][k];
    }
    cross3(a, b, n);
    for (int k = 0; k < 3 && f->turned[t]; k++) n[k] = -n[k];
}

/* Cosine of the bending angle at an edge between two triangles. */
static double bend_at(const faces *f, double (*x)[3], uint32_t edge)
{
    double m[3], n[3];
    normal_of(f, x, edge / 3, m);
    normal_of(f, x, f->twin[edge] / 3, n);
    const double sizes = sqrt(dot3(m, m) * dot3(n, n));
    return sizes > 0 ? dot3(m, n) / sizes : 1;
}

static uint32_t first_of(uint32_t *group, uint32_t corner)
{
    while (group[corner] != corner) {
        group[corner] = group[group[corner]];
        corner = group[corner];
    }
    return corner;
}

static void unite(uint32_t *group, uint32_t a, uint32_t b)
{
    a = first_of(group, a);
    b = first_of(group, b);
    if (a < b)
        group[b] = a;
    else
        group[a] = b;
}

static uint32_t end_corner(uint32_t edge, uint32_t which)
{
    return edge / 3 * 3 + (edge % 3 + 1 + which) % 3;
}

/* The normals at both ends of an edge that is not a crease are shared. */
static void share_normals(faces *f, uint32_t edge)
{
    const uint32_t other = f->twin[edge], crossed = end_of(f, edge, 0) == end_of(f, other, 0) ? 0 : 1;
    unite(f->group, end_corner(edge, 0), end_corner(other, crossed));
    unite(f->group, end_corner(edge, 1), end_corner(other, 1 - crossed));
}

void faces_shade(faces *f, double (*x)[3])
{
    const uint32_t edges = (uint32_t)(3 * f->count);
    memset(f->lines, 0, f->count);
    for (uint32_t h = 0; h < edges; h++) f->group[h] = h;
    for (uint32_t h = 0; h < edges; h++) {
        const bool sharp = f->twin[h] == FACES_NONE || bend_at(f, x, h) < CREASE;
        const bool drawn = f->diagonal != NULL ? !(f->diagonal[h / 3] >> h % 3 & 1) : sharp;
        if (drawn) f->lines[h / 3] |= (uint8_t)(1 << h % 3);
        if (!sharp && h < f->twin[h]) share_normals(f, h);
    }
    memset(f->sum, 0, 3 * f->count * sizeof *f->sum);
    for (uint32_t h = 0; h < edges; h++) {
        double n[3];
        f->group[h] = first_of(f->group, h);
        normal_of(f, x, h / 3, n);
        for (int k = 0; k < 3; k++) f->sum[f->group[h]][k] += n[k];
    }
}

void faces_normal(const faces *f, size_t t, int corner, float normal[3])
{
    const double *n = f->sum[f->group[3 * t + (size_t)corner]], length = sqrt(dot3(n, n));
    for (int k = 0; k < 3; k++) normal[k] = (float)(length > 0 ? n[k] / length : 0);
}

/* ---- diagonals --------------------------------------------------------------------------------------------------- */

static double length_of(const faces *f, double (*x)[3], uint32_t edge)
{
    const double *a = x[end_of(f, edge, 0)], *b = x[end_of(f, edge, 1)];
    const double way[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    return sqrt(dot3(way, way));
}

/* Whether an edge is clearly the longest of its triangle. */
static bool is_longest(const faces *f, double (*x)[3], uint32_t edge)
{
    const double length = length_of(f, x, edge);
    bool longest = true;
    for (uint32_t h = edge / 3 * 3; h < edge / 3 * 3 + 3; h++)
        longest = longest && (h == edge || length > 1.1 * length_of(f, x, h));
    return longest;
}

carom_status faces_find_diagonals(faces *f, double (*x)[3], error *e)
{
    const double flat = 1 - 1e-4;
    f->diagonal = NEW_ARRAY(f->count, uint8_t);
    if (f->diagonal == NULL) return error_memory(e, "the faces of a mesh", f->count);
    for (uint32_t h = 0; h < 3 * f->count; h++)
        if (f->twin[h] != FACES_NONE && bend_at(f, x, h) > flat && is_longest(f, x, h) && is_longest(f, x, f->twin[h]))
            f->diagonal[h / 3] |= (uint8_t)(1 << h % 3);
    return CAROM_OK;
}

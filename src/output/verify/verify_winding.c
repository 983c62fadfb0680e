#include "output/verify/verify_winding.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"

enum { LEAF = 8 };

/* Distance of a cluster, in units of its radius, beyond which it is approximated by a dipole. */
static const double FAR = 2.5;

static const double SPHERE = 12.566370614359172; /* 4 pi */

typedef struct cluster {
    double centre[3], area[3]; /* area: the sum of the area vectors of the triangles */
    double weight, radius;     /* sum of the areas; radius of a sphere around the centre that encloses all */
    size_t from, to;           /* items */
} cluster;

/* Nodes 2 i + 1 and 2 i + 2 are the halves of node i; the leaves are all on the last level. */
struct winding {
    const uint32_t (*triangles)[3];
    size_t count, vertices, node_count;
    double *corner; /* [vertices][3] */
    bool placed;
    sort_key *items;
    cluster *nodes;
};

carom_status winding_create(winding **out, const uint32_t (*triangles)[3], size_t count, size_t vertices, error *e)
{
    int levels = 0;
    while (count >> levels > LEAF) levels++;
    winding *w = *out = NEW_ARRAY(1, winding);
    if (w == NULL) return error_memory(e, "a look at sides", sizeof *w);
    *w = (winding){
        .triangles = triangles, .count = count, .vertices = vertices, .node_count = ((size_t)2 << levels) - 1};
    w->corner = memory_new(vertices, 3 * sizeof *w->corner);
    w->items = NEW_ARRAY(count, sort_key);
    w->nodes = NEW_ARRAY(w->node_count, cluster);
    if (w->corner != NULL && w->items != NULL && w->nodes != NULL) return CAROM_OK;
    winding_destroy(w);
    *out = NULL;
    return error_memory(e, "a look at sides", count * sizeof *w->items);
}

void winding_destroy(winding *w)
{
    if (w == NULL) return;
    memory_free(w->corner);
    memory_free(w->items);
    memory_free(w->nodes);
    memory_free(w);
}

/* ---- tree -------------------------------------------------------------------------------------------------------- */

static const double *corner_of(const winding *w, size_t triangle, int c)
{
    return w->corner + 3 * (size_t)w->triangles[triangle][c];
}

static double middle(const winding *w, size_t triangle, int k)
{
    return (corner_of(w, triangle, 0)[k] + corner_of(w, triangle, 1)[k] + corner_of(w, triangle, 2)[k]) / 3;
}

static int widest(const winding *w, size_t from, size_t to)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = from; i < to; i++)
        for (int k = 0; k < 3; k++) {
            const double x = middle(w, w->items[i].item, k);
            low[k] = fmin(low[k], x);
            high[k] = fmax(high[k], x);
        }
    const int axis = high[1] - low[1] > high[0] - low[0];
    return high[2] - low[2] > high[axis] - low[axis] ? 2 : axis;
}

static void split(winding *w, size_t i, size_t from, size_t to)
{
    w->nodes[i] = (cluster){.from = from, .to = to};
    if (2 * i + 2 >= w->node_count) return;
    const int axis = widest(w, from, to);
    for (size_t k = from; k < to; k++) w->items[k].key = middle(w, w->items[k].item, axis);
    const size_t half = (to - from) / 2;
    sort_select(w->items + from, to - from, half);
    split(w, 2 * i + 1, from, from + half);
    split(w, 2 * i + 2, from + half, to);
}

/* Not those of base/vec.h: a fault in what the engines compute with must not hide itself from its check. */

static void subtract(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void add_area(cluster *n, const double area[3], double weight, const double centre[3])
{
    for (int k = 0; k < 3; k++) {
        n->area[k] += area[k];
        n->centre[k] += weight * centre[k];
    }
    n->weight += weight;
}

static void sum_leaf(const winding *w, cluster *n)
{
    for (size_t i = n->from; i < n->to; i++) {
        const size_t t = w->items[i].item;
        const double centre[3] = {middle(w, t, 0), middle(w, t, 1), middle(w, t, 2)};
        double a[3], b[3], area[3];
        subtract(corner_of(w, t, 1), corner_of(w, t, 0), a);
        subtract(corner_of(w, t, 2), corner_of(w, t, 0), b);
        cross(a, b, area);
        for (int k = 0; k < 3; k++) area[k] /= 2;
        add_area(n, area, sqrt(dot(area, area)), centre);
    }
}

static void measure_radius(const winding *w, cluster *n)
{
    double most = 0, r[3];
    for (size_t i = n->from; i < n->to; i++)
        for (int c = 0; c < 3; c++) {
            subtract(corner_of(w, w->items[i].item, c), n->centre, r);
            most = fmax(most, dot(r, r));
        }
    n->radius = sqrt(most);
}

/* Area, centre and radius of node i, from its halves or its triangles. */
static void sum_up(winding *w, size_t i)
{
    cluster *n = &w->nodes[i];
    const bool leaf = 2 * i + 2 >= w->node_count;
    *n = (cluster){.from = n->from, .to = n->to};
    if (leaf) {
        sum_leaf(w, n);
    } else {
        for (size_t half = 2 * i + 1; half <= 2 * i + 2; half++) {
            sum_up(w, half);
            add_area(n, w->nodes[half].area, w->nodes[half].weight, w->nodes[half].centre);
        }
    }
    for (int k = 0; k < 3; k++) n->centre[k] = n->weight > 0 ? n->centre[k] / n->weight : 0;
    if (leaf) measure_radius(w, n);
    for (size_t half = 2 * i + 1; !leaf && half <= 2 * i + 2; half++) {
        double r[3];
        subtract(w->nodes[half].centre, n->centre, r);
        n->radius = fmax(n->radius, sqrt(dot(r, r)) + w->nodes[half].radius);
    }
}

void winding_place(winding *w, const double *corner)
{
    const size_t bytes = w->vertices * 3 * sizeof *w->corner;
    if (w->placed && (bytes == 0 || memcmp(w->corner, corner, bytes) == 0)) return;
    memcpy(w->corner, corner, bytes);
    if (w->count == 0) return;
    if (!w->placed) {
        for (size_t i = 0; i < w->count; i++) w->items[i].item = (uint32_t)i;
        split(w, 0, 0, w->count);
    }
    w->placed = true;
    sum_up(w, 0);
}

/* ---- solid angles ------------------------------------------------------------------------------------------------ */

static double angle(const winding *w, size_t triangle, const double x[3])
{
    double a[3], b[3], c[3], n[3];
    subtract(corner_of(w, triangle, 0), x, a);
    subtract(corner_of(w, triangle, 1), x, b);
    subtract(corner_of(w, triangle, 2), x, c);
    cross(b, c, n);
    const double u = sqrt(dot(a, a)), v = sqrt(dot(b, b)), z = sqrt(dot(c, c));
    return 2 * atan2(dot(a, n), u * v * z + dot(a, b) * z + dot(b, c) * u + dot(c, a) * v);
}

static double about(const winding *w, size_t i, const double x[3])
{
    const cluster *n = &w->nodes[i];
    double r[3], sum = 0;
    subtract(n->centre, x, r);
    const double square = dot(r, r);
    if (square > FAR * FAR * n->radius * n->radius) return dot(n->area, r) / (square * sqrt(square));
    if (2 * i + 2 < w->node_count) return about(w, 2 * i + 1, x) + about(w, 2 * i + 2, x);
    for (size_t k = n->from; k < n->to; k++) sum += angle(w, w->items[k].item, x);
    return sum;
}

double winding_about(const winding *w, const double x[3])
{
    return w->count > 0 ? about(w, 0, x) / SPHERE : 0;
}

double winding_exact(const winding *w, const double x[3])
{
    double sum = 0;
    for (size_t n = 0; n < w->count; n++) sum += angle(w, n, x);
    return sum / SPHERE;
}

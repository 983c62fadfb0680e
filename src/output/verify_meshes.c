#include "output/verify_meshes.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "geometry/ccd.h"
#include "mesh/intersect.h"

/* A triangle, or a segment or particle: a triangle of two corners, or one. */
typedef struct item {
    mesh_part who;
    uint32_t end[3]; /* particles */
    int corners;
    double corner[3][3], low[3], high[3];
    double radius;
    unsigned shift; /* axes along which this is a periodic image, a bit each */
} item;

typedef struct look {
    const carom_frame *f;
    const result_links *links;
    mesh_found *found;
    void *data;
    double allowed; /* by which contact distances may be undercut */
    item *items;
    size_t count;
    mesh all; /* the items that are triangles or segments, and their images, in order */
    mesh_part *who;
    unsigned *shift;
} look;

/* ---- what there is ----------------------------------------------------------------------------------------------- */

static double unwrapped(const carom_frame *f, size_t i, size_t k)
{
    return f->position[3 * i + k] + (f->boundary[k] == FRAME_PERIODIC ? f->image[3 * i + k] * f->box[k] : 0);
}

/* Whole boxes by which a mesh is away from the box, by its first vertex. */
static double away(const carom_frame *f, size_t first, size_t k)
{
    return f->boundary[k] == FRAME_PERIODIC ? f->box[k] * floor(unwrapped(f, first, k) / f->box[k]) : 0;
}

static void place(item *q, const carom_frame *f, size_t first, unsigned shift)
{
    q->shift = shift;
    for (size_t k = 0; k < 3; k++) {
        for (int c = 0; c < q->corners; c++)
            q->corner[c][k] = unwrapped(f, q->end[c], k) - away(f, first, k) + ((shift >> k & 1) != 0 ? f->box[k] : 0);
        if (q->corners == 2 && f->boundary[k] == FRAME_PERIODIC)
            q->corner[1][k] -= f->box[k] * rint((q->corner[1][k] - q->corner[0][k]) / f->box[k]);
        q->low[k] = q->high[k] = q->corner[0][k];
        for (int c = 1; c < q->corners; c++) {
            q->low[k] = fmin(q->low[k], q->corner[c][k]);
            q->high[k] = fmax(q->high[k], q->corner[c][k]);
        }
        q->low[k] -= q->radius;
        q->high[k] += q->radius;
    }
}

static bool is_image(const carom_frame *f, unsigned shift)
{
    for (int k = 0; k < 3; k++)
        if ((shift >> k & 1) != 0 && f->boundary[k] != FRAME_PERIODIC) return false;
    return true;
}

bool verify_is_vertex(const result_links *links, size_t i)
{
    for (size_t k = 0; k < links->meshes; k++)
        if (i >= links->mesh[k].first && i - links->mesh[k].first < links->mesh[k].vertices) return true;
    return false;
}

static void add_mesh(look *l, size_t which, unsigned shift)
{
    const result_mesh *m = &l->links->mesh[which];
    const uint32_t base = (uint32_t)l->all.vertex_count;
    for (size_t n = 0; n < m->vertices; n++) {
        item vertex = {.corners = 1, .end = {m->first + (uint32_t)n}};
        place(&vertex, l->f, m->first, shift);
        mesh_add_vertex(&l->all, vertex.corner[0][0], vertex.corner[0][1], vertex.corner[0][2]);
    }
    for (size_t n = 0; n < m->triangle_count; n++) {
        item *q = &l->items[l->count];
        const uint32_t *at = m->triangles[n];
        *q = (item){.who = {which, (uint32_t)n}, .corners = 3, .radius = l->f->radius[m->first]};
        for (int c = 0; c < 3; c++) q->end[c] = m->first + at[c];
        place(q, l->f, m->first, shift);
        l->who[l->count] = q->who;
        l->shift[l->count++] = shift;
        mesh_add_triangle(&l->all, base + at[0], base + at[1], base + at[2]);
    }
}

/* To its nearest image; as a triangle without area, of which only the edges count. */
static void add_segments(look *l, unsigned shift)
{
    const result_links *links = l->links;
    for (size_t n = 0; n < links->segments; n++) {
        item *q = &l->items[l->count];
        const uint32_t base = (uint32_t)l->all.vertex_count;
        *q = (item){.who = {PART_SEGMENT, (uint32_t)n}, .corners = 2, .radius = links->radius[n]};
        for (int c = 0; c < 2; c++) q->end[c] = links->segment[c][n];
        place(q, l->f, q->end[0], shift);
        l->who[l->count] = q->who;
        l->shift[l->count++] = shift;
        for (int c = 0; c < 2; c++) mesh_add_vertex(&l->all, q->corner[c][0], q->corner[c][1], q->corner[c][2]);
        mesh_add_triangle(&l->all, base, base + 1, base + 1);
    }
}

static void add_particles(look *l, unsigned shift)
{
    for (size_t i = 0; i < l->f->count; i++) {
        if (verify_is_vertex(l->links, i)) continue;
        item *q = &l->items[l->count++];
        *q = (item){.who = {PART_PARTICLE, (uint32_t)i}, .end = {(uint32_t)i}, .corners = 1, .radius = l->f->radius[i]};
        place(q, l->f, i, shift);
    }
}

/* ---- two of them ------------------------------------------------------------------------------------------------- */

static bool held(const look *l, const item *q)
{
    if (q->corners == 3 && l->links->mesh[q->who.mesh].rigid) return true;
    for (int c = 0; c < q->corners; c++)
        if (l->links->owner == NULL || l->links->owner[q->end[c]] == 0) return false;
    return true;
}

static bool is_end(const item *q, uint32_t particle, int from, int count)
{
    for (int c = 0; c < count; c++)
        if (q->end[(from + c) % 3] == particle) return true;
    return false;
}

static bool vertex_near(const item *a, int c, const item *b, double far)
{
    double v[2][3], f[2][3][3];
    if (b->corners < 3 || is_end(b, a->end[c], 0, 3)) return false;
    for (int n = 0; n < 2; n++)
        for (int k = 0; k < 3; k++) {
            v[n][k] = a->corner[c][k];
            for (int q = 0; q < 3; q++) f[n][q][k] = b->corner[q][k];
        }
    return ccd_vertex_face((const double(*)[3])v, (const double(*)[3][3])f, far, NULL);
}

static bool edges_near(const item *a, int c, const item *b, int d, double far)
{
    double one[2][2][3], other[2][2][3];
    if (is_end(b, a->end[c], d, 2) || is_end(b, a->end[(c + 1) % 3], d, 2)) return false;
    for (int n = 0; n < 2; n++)
        for (int k = 0; k < 3; k++)
            for (int q = 0; q < 2; q++) {
                one[n][q][k] = a->corner[(c + q) % 3][k];
                other[n][q][k] = b->corner[(d + q) % 3][k];
            }
    return ccd_edge_edge((const double(*)[2][3])one, (const double(*)[2][3])other, far, NULL);
}

/* The ends of a segment are particles, which may be thinner: they are looked at as such. */
static bool are_near(const item *a, const item *b, double far)
{
    for (int c = 0; c < a->corners && a->corners != 2; c++)
        if (vertex_near(a, c, b, far)) return true;
    for (int c = 0; c < b->corners && b->corners != 2; c++)
        if (vertex_near(b, c, a, far)) return true;
    const int edges[2] = {a->corners == 2 ? 1 : a->corners, b->corners == 2 ? 1 : b->corners};
    for (int c = 0; c < edges[0] && a->corners > 1 && b->corners > 1; c++)
        for (int d = 0; d < edges[1]; d++)
            if (edges_near(a, c, b, d, far)) return true;
    return false;
}

/* By how much, of two that are nearer than `far`. */
static double depth_of(const item *a, const item *b, double far)
{
    enum { HALVINGS = 60 };
    double low = 0, high = far;
    for (int n = 0; n < HALVINGS; n++) {
        const double middle = (low + high) / 2;
        if (are_near(a, b, middle))
            high = middle;
        else
            low = middle;
    }
    return a->radius + b->radius - high;
}

static void meet(const look *l, const item *a, const item *b)
{
    double far = a->radius + b->radius - l->allowed;
    if ((a->corners < 3 && b->corners < 3) || (a->shift & b->shift) != 0 || (held(l, a) && held(l, b))) return;
    for (int k = 1; k < 3; k++)
        if (a->low[k] > b->high[k] || b->low[k] > a->high[k]) return;
    if (far <= 0 || !are_near(a, b, far)) return;
    l->found(a->corners == 3 ? a->who : b->who, a->corners == 3 ? b->who : a->who, depth_of(a, b, far), l->data);
}

/* ---- all pairs --------------------------------------------------------------------------------------------------- */

static int compare(const void *left, const void *right)
{
    const item *a = left, *b = right;
    if (a->low[0] != b->low[0]) return a->low[0] < b->low[0] ? -1 : 1;
    if (a->who.mesh != b->who.mesh) return a->who.mesh < b->who.mesh ? -1 : 1;
    return a->who.number < b->who.number ? -1 : a->who.number > b->who.number;
}

static void meet_all(look *l)
{
    qsort(l->items, l->count, sizeof *l->items, compare);
    for (size_t i = 0; i < l->count; i++)
        for (size_t j = i + 1; j < l->count && l->items[j].low[0] <= l->items[i].high[0]; j++)
            meet(l, &l->items[i], &l->items[j]);
}

/* A segment that ends at a corner of a triangle meets it there. */
static void tell_crossing(const look *l, size_t first, size_t second)
{
    const item *a = &l->items[first], *b = &l->items[second];
    if ((l->shift[first] & l->shift[second]) != 0 || (a->corners < 3 && b->corners < 3)) return;
    if (a->corners + b->corners == 5 && (held(l, a) && held(l, b))) return;
    for (int c = 0; c < 3 && a->corners + b->corners == 5; c++)
        if (a->corners == 2 ? is_end(a, b->end[c], 0, 2) : is_end(b, a->end[c], 0, 2)) return;
    l->found(a->corners == 3 ? a->who : b->who, a->corners == 3 ? b->who : a->who, INFINITY, l->data);
}

static carom_status cross_all(look *l, error *e)
{
    size_t count = 0;
    mesh_pair *pairs = NEW_ARRAY(MESH_PAIRS_MOST, mesh_pair);
    if (pairs == NULL) return error_memory(e, "a look at meshes", MESH_PAIRS_MOST * sizeof *pairs);
    carom_status status = mesh_done(&l->all, e);
    if (status == CAROM_OK) status = mesh_intersections(&l->all, pairs, &count, e);
    for (size_t n = 0; n < count; n++) tell_crossing(l, pairs[n].first, pairs[n].second);
    memory_free(pairs);
    return status;
}

static double smallest_radius(const look *l)
{
    double least = INFINITY;
    for (size_t i = 0; i < l->f->count; i++) least = fmin(least, l->f->radius[i]);
    for (size_t n = 0; n < l->links->segments; n++) least = fmin(least, l->links->radius[n]);
    return least;
}

carom_status verify_meshes(const carom_frame *f, const result_links *links, double tolerance, mesh_found *found,
                           void *data, error *e)
{
    look l = {.f = f, .links = links, .found = found, .data = data};
    size_t most = f->count + links->segments;
    if (links->meshes == 0 || f->dimension != 3) return CAROM_OK;
    for (size_t k = 0; k < links->meshes; k++) most += links->mesh[k].triangle_count;
    for (int k = 0; k < 3; k++) most *= f->boundary[k] == FRAME_PERIODIC ? 2 : 1;
    l.allowed = 2 * f->leeway * smallest_radius(&l) + tolerance;
    l.items = NEW_ARRAY(most, item);
    l.who = NEW_ARRAY(most, mesh_part);
    l.shift = NEW_ARRAY(most, unsigned);
    carom_status status = CAROM_OK;
    if (l.items == NULL || l.who == NULL || l.shift == NULL) {
        status = error_memory(e, "a look at meshes", most * sizeof *l.items);
    } else {
        for (unsigned shift = 0; shift < 8; shift++)
            for (size_t k = 0; k < links->meshes && is_image(f, shift); k++) add_mesh(&l, k, shift);
        for (unsigned shift = 0; shift < 8; shift++)
            if (is_image(f, shift)) add_segments(&l, shift);
        status = cross_all(&l, e);
        for (unsigned shift = 0; shift < 8 && status == CAROM_OK; shift++)
            if (is_image(f, shift)) add_particles(&l, shift);
        if (status == CAROM_OK) meet_all(&l);
    }
    mesh_free(&l.all);
    memory_free(l.items);
    memory_free(l.who);
    memory_free(l.shift);
    return status;
}

#include "output/verify/verify_meshes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "geometry/ccd.h"
#include "mesh/intersect.h"
#include "output/verify/moving_boxes.h"
#include "output/verify/still.h"

/* A triangle; or a segment or particle, as a triangle with two corners or one. */
typedef struct item {
    mesh_part element;
    uint32_t end[3]; /* particles */
    int corners;
    double corner[3][3], low[3], high[3];
    double radius;
    unsigned shift; /* axes along which this is a periodic image, as bits */
} item;

typedef struct near_pair {
    uint32_t first, second; /* items */
    double depth;
} near_pair;

struct meshes_look {
    const carom_frame *f;
    const result_links *links;
    mesh_found *found;
    void *data;
    double allowed; /* fraction by which contact distances may be reduced */
    item *items;    /* triangles with prescribed motion come first */
    moving_box *boxes;
    size_t held, count;           /* number of held triangles, and of all items */
    size_t next_held, next_other; /* next positions during listing: the same for each frame */
    size_t *held_of;              /* [meshes]: held triangles */
    still_meshes still;
    moving_boxes *trees;
    mesh all;           /* triangles, segments and their images, in order */
    uint32_t *item_of;  /* index of the item of each of those */
    double (*known)[3]; /* [known_count]: the vertices for which `crossings` was computed */
    size_t known_count, known_room;
    mesh_pair *crossings;
    size_t crossing_count;
    near_pair *near;
    size_t near_count, near_room;
    bool failed;
};

typedef struct meshes_look look;

/* ---- items ------------------------------------------------------------------------------------------------------- */

static double unwrapped(const carom_frame *f, size_t i, size_t k)
{
    return f->position[3 * i + k] + (f->boundary[k] == FRAME_PERIODIC ? (double)f->image[3 * i + k] * f->box[k] : 0);
}

/* Number of box lengths between a mesh and the box, by its first vertex. */
static double away(const carom_frame *f, size_t first, size_t k)
{
    return f->boundary[k] == FRAME_PERIODIC ? f->box[k] * floor(unwrapped(f, first, k) / f->box[k]) : 0;
}

static void place(item *q, const carom_frame *f, size_t first, unsigned shift)
{
    q->shift = shift;
    for (size_t k = 0; k < 3; k++) {
        const double back = away(f, first, k), image = (shift >> k & 1) != 0 ? f->box[k] : 0;
        for (int c = 0; c < q->corners; c++) q->corner[c][k] = unwrapped(f, q->end[c], k) - back + image;
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

static bool held(const look *l, const item *q)
{
    if (q->corners == 3 && l->links->mesh[q->element.mesh].rigid) return true;
    for (int c = 0; c < q->corners; c++)
        if (l->links->owner == NULL || l->links->owner[q->end[c]] == 0) return false;
    return true;
}

/* Lists an item, and sets its position. */
static item *add_item(look *l, const item *q, size_t first, unsigned shift)
{
    const size_t at = q->corners == 3 && held(l, q) ? l->next_held++ : l->next_other++;
    if (q->corners > 1) l->item_of[l->all.triangle_count] = (uint32_t)at;
    item *added = &l->items[at];
    *added = *q;
    place(added, l->f, first, shift);
    for (int t = 0; t < 2; t++) {
        memcpy(l->boxes[at].low[t], added->low, sizeof added->low);
        memcpy(l->boxes[at].high[t], added->high, sizeof added->high);
    }
    return added;
}

/* Items at rest keep the entries of the previous frame. */
static void keep_mesh(look *l, size_t which)
{
    const result_mesh *m = &l->links->mesh[which];
    l->all.vertex_count += m->vertices;
    l->all.triangle_count += m->triangle_count;
    l->next_held += l->held_of[which];
    l->next_other += m->triangle_count - l->held_of[which];
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
        const uint32_t *at = m->triangles[n];
        item one = {.element = {which, (uint32_t)n}, .corners = 3, .radius = l->f->radius[m->first]};
        for (int c = 0; c < 3; c++) one.end[c] = m->first + at[c];
        add_item(l, &one, m->first, shift);
        mesh_add_triangle(&l->all, base + at[0], base + at[1], base + at[2]);
    }
}

/* Moves it to its nearest image; it is a triangle of zero area, of which only the edges matter. */
static void add_segments(look *l, unsigned shift)
{
    const result_links *links = l->links;
    for (size_t n = 0; n < links->segments; n++) {
        const uint32_t base = (uint32_t)l->all.vertex_count;
        item one = {.element = {PART_SEGMENT, (uint32_t)n}, .corners = 2, .radius = links->radius[n]};
        for (int c = 0; c < 2; c++) one.end[c] = links->segment[c][n];
        const item *q = add_item(l, &one, one.end[0], shift);
        for (int c = 0; c < 2; c++) mesh_add_vertex(&l->all, q->corner[c][0], q->corner[c][1], q->corner[c][2]);
        mesh_add_triangle(&l->all, base, base + 1, base + 1);
    }
}

static void add_particles(look *l, unsigned shift)
{
    for (size_t i = 0; i < l->f->count; i++) {
        if (verify_is_vertex(l->links, i) || frame_is_absent(l->f, i)) continue;
        const item one = {
            .element = {PART_PARTICLE, (uint32_t)i}, .end = {(uint32_t)i}, .corners = 1, .radius = l->f->radius[i]};
        add_item(l, &one, i, shift);
    }
}

/* ---- pairs of items ---------------------------------------------------------------------------------------------- */

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

/* The ends of a segment are particles with their own radius, and are checked as such. */
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

/* The overlap of two items with a distance below `far`. */
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

static int compare(const void *left, const void *right)
{
    const item *a = left, *b = right;
    if (a->low[0] != b->low[0]) return a->low[0] < b->low[0] ? -1 : 1;
    if (a->element.mesh != b->element.mesh) return a->element.mesh < b->element.mesh ? -1 : 1;
    return a->element.number < b->element.number ? -1 : a->element.number > b->element.number;
}

static void keep(look *l, const near_pair *pair)
{
    if (l->near_count == l->near_room) {
        const size_t room = 2 * l->near_room + 64;
        near_pair *grown = memory_resize(l->near, l->near_room, room, sizeof *grown);
        l->failed = l->failed || grown == NULL;
        if (grown == NULL) return;
        l->near = grown;
        l->near_room = room;
    }
    l->near[l->near_count++] = *pair;
}

static void meet(size_t first, size_t second, const double unused[3], void *data)
{
    (void)unused;
    look *l = data;
    const bool turned = compare(&l->items[first], &l->items[second]) > 0;
    const near_pair pair = {(uint32_t)(turned ? second : first), (uint32_t)(turned ? first : second), 0};
    const item *a = &l->items[pair.first], *b = &l->items[pair.second];
    const double far = a->radius + b->radius - l->allowed;
    if (frame_is_absent(l->f, a->end[0]) || frame_is_absent(l->f, b->end[0])) return;
    if ((a->corners < 3 && b->corners < 3) || (a->shift & b->shift) != 0 || (held(l, a) && held(l, b))) return;
    if (far <= 0 || !are_near(a, b, far)) return;
    keep(l, &(near_pair){pair.first, pair.second, depth_of(a, b, far)});
}

/* ---- all pairs --------------------------------------------------------------------------------------------------- */

static int compare_places(const void *left, const void *right)
{
    const item *const *a = left, *const *b = right;
    return compare(*a, *b);
}

static int compare_near(const void *left, const void *right)
{
    const near_pair *a = left, *b = right;
    if (a->first != b->first) return a->first < b->first ? -1 : 1;
    return a->second < b->second ? -1 : a->second > b->second;
}

/* In the order of `compare`: replaces the index of each item of a pair by its rank. */
static carom_status tell_near(look *l, error *e)
{
    const size_t ends = 2 * l->near_count;
    if (ends == 0) return CAROM_OK;
    const item **sorted = memory_new(ends, sizeof *sorted);
    uint32_t *rank = NEW_ARRAY(l->count, uint32_t);
    const bool made = sorted != NULL && rank != NULL;
    for (size_t n = 0; made && n < ends; n++)
        sorted[n] = &l->items[n % 2 == 0 ? l->near[n / 2].first : l->near[n / 2].second];
    if (made) qsort(sorted, ends, sizeof *sorted, compare_places);
    for (size_t n = 0; made && n < ends; n++) rank[sorted[n] - l->items] = (uint32_t)n;
    for (size_t n = 0; made && n < l->near_count; n++) {
        l->near[n].first = rank[l->near[n].first];
        l->near[n].second = rank[l->near[n].second];
    }
    if (made) qsort(l->near, l->near_count, sizeof *l->near, compare_near);
    for (size_t n = 0; made && n < l->near_count; n++) {
        const item *a = sorted[l->near[n].first], *b = sorted[l->near[n].second];
        l->found(a->corners == 3 ? a->element : b->element, a->corners == 3 ? b->element : a->element, l->near[n].depth,
                 l->data);
    }
    memory_free((void *)(uintptr_t)sorted);
    memory_free(rank);
    return made ? CAROM_OK : error_memory(e, "a look at meshes", l->count * sizeof *rank);
}

static bool all_held_at_rest(const look *l)
{
    for (size_t k = 0; k < l->links->meshes; k++)
        if (l->held_of[k] > 0 && !l->still.mesh[k]) return false;
    return true;
}

static carom_status meet_all(look *l, error *e)
{
    const boxes_request all = {.boxes = l->boxes,
                               .count = l->next_other, /* absent particles are not listed */
                               .held = l->held,
                               .held_again = all_held_at_rest(l),
                               .most = UINT64_MAX,
                               .found = meet,
                               .data = l};
    bool finished;
    l->near_count = 0;
    TRY(boxes_overlapping(l->trees, &all, &finished, e));
    if (l->failed) return error_memory(e, "a look at meshes", l->near_room * sizeof *l->near);
    return tell_near(l, e);
}

/* A segment with an end at a corner of a triangle touches it there. */
static void tell_crossing(const look *l, size_t first, size_t second)
{
    const item *a = &l->items[l->item_of[first]], *b = &l->items[l->item_of[second]];
    if (frame_is_absent(l->f, a->end[0]) || frame_is_absent(l->f, b->end[0])) return;
    if ((a->shift & b->shift) != 0 || (a->corners < 3 && b->corners < 3)) return;
    if (a->corners + b->corners == 5 && (held(l, a) && held(l, b))) return;
    for (int c = 0; c < 3 && a->corners + b->corners == 5; c++)
        if (a->corners == 2 ? is_end(a, b->end[c], 0, 2) : is_end(b, a->end[c], 0, 2)) return;
    l->found(a->corners == 3 ? a->element : b->element, a->corners == 3 ? b->element : a->element, INFINITY, l->data);
}

/* The triangles of a rigid mesh are checked once, at the start. With periodic images it moves as one, too. */
static bool is_one_obstacle(uint32_t first, uint32_t second, const void *data)
{
    const look *l = data;
    const item *a = &l->items[l->item_of[first]], *b = &l->items[l->item_of[second]];
    return a->corners == 3 && b->corners == 3 && a->element.mesh == b->element.mesh &&
           l->links->mesh[a->element.mesh].rigid;
}

/* Meshes at rest have the crossings of the previous frame. */
static carom_status find_crossings(look *l, error *e)
{
    const size_t count = l->all.vertex_count, bytes = count * sizeof *l->known;
    if (l->known != NULL && l->known_count == count && memcmp(l->known, l->all.vertices, bytes) == 0) return CAROM_OK;
    l->known_count = SIZE_MAX;
    TRY(mesh_intersections(&l->all, (mesh_meeting){is_one_obstacle, l}, l->crossings, &l->crossing_count, e));
    if (l->known == NULL || count > l->known_room) {
        memory_free(l->known);
        l->known = memory_new(count, sizeof *l->known);
        l->known_room = l->known != NULL ? count : 0;
        if (l->known == NULL) return error_memory(e, "a look at meshes", bytes);
    }
    memcpy(l->known, l->all.vertices, bytes);
    l->known_count = count;
    return CAROM_OK;
}

static carom_status cross_all(look *l, error *e)
{
    TRY(mesh_done(&l->all, e));
    TRY(find_crossings(l, e));
    for (size_t n = 0; n < l->crossing_count; n++) tell_crossing(l, l->crossings[n].first, l->crossings[n].second);
    return CAROM_OK;
}

static double smallest_radius(const look *l)
{
    double least = INFINITY;
    for (size_t i = 0; i < l->f->count; i++) least = fmin(least, l->f->radius[i]);
    for (size_t n = 0; n < l->links->segments; n++) least = fmin(least, l->links->radius[n]);
    return least;
}

static size_t count_held(look *l)
{
    size_t count = 0;
    for (size_t k = 0; k < l->links->meshes; k++) {
        for (size_t n = 0; n < l->links->mesh[k].triangle_count; n++) {
            const uint32_t *at = l->links->mesh[k].triangles[n], first = l->links->mesh[k].first;
            const item q = {.element = {.mesh = k}, .end = {first + at[0], first + at[1], first + at[2]}, .corners = 3};
            l->held_of[k] += held(l, &q);
        }
        count += l->held_of[k];
    }
    return count;
}

carom_status meshes_look_create(meshes_look **out, const carom_frame *f, const result_links *links, error *e)
{
    look *l = *out = NEW_ARRAY(1, look);
    if (l == NULL) return error_memory(e, "a look at meshes", sizeof *l);
    *l = (look){.links = links};
    if (links->meshes == 0 || f->dimension != 3) return CAROM_OK;
    size_t images = 1, triangles = links->segments, particles = f->count;
    for (int k = 0; k < 3; k++) images *= f->boundary[k] == FRAME_PERIODIC ? 2 : 1;
    for (size_t k = 0; k < links->meshes; k++) {
        triangles += links->mesh[k].triangle_count;
        particles -= links->mesh[k].vertices;
    }
    l->held_of = NEW_ARRAY(links->meshes, size_t);
    if (l->held_of == NULL) return error_memory(e, "a look at meshes", links->meshes * sizeof *l->held_of);
    l->held = images * count_held(l);
    l->count = images * (triangles + particles);
    l->items = NEW_ARRAY(l->count, item);
    l->boxes = NEW_ARRAY(l->count, moving_box);
    l->item_of = NEW_ARRAY(images * triangles, uint32_t);
    l->crossings = NEW_ARRAY(MESH_PAIRS_MOST, mesh_pair);
    if (l->items == NULL || l->boxes == NULL || l->item_of == NULL || l->crossings == NULL)
        return error_memory(e, "a look at meshes", l->count * sizeof *l->items);
    TRY(still_create(&l->still, f, links, e));
    return moving_boxes_create(&l->trees, e);
}

void meshes_look_destroy(meshes_look *l)
{
    if (l == NULL) return;
    memory_free(l->held_of);
    still_destroy(&l->still);
    memory_free(l->items);
    memory_free(l->boxes);
    memory_free(l->item_of);
    memory_free(l->known);
    memory_free(l->crossings);
    memory_free(l->near);
    moving_boxes_destroy(l->trees);
    mesh_free(&l->all);
    memory_free(l);
}

carom_status meshes_look_at(meshes_look *l, const carom_frame *f, double tolerance, mesh_found *found, void *data,
                            error *e)
{
    if (l->count == 0) return CAROM_OK;
    l->f = f;
    l->found = found;
    l->data = data;
    l->allowed = 2 * f->leeway * smallest_radius(l) + tolerance;
    still_update(&l->still, f);
    l->next_held = 0;
    l->next_other = l->held;
    l->all.vertex_count = l->all.triangle_count = 0;
    for (unsigned shift = 0; shift < 8; shift++)
        for (size_t k = 0; k < l->links->meshes && is_image(f, shift); k++) {
            if (l->still.mesh[k])
                keep_mesh(l, k);
            else
                add_mesh(l, k, shift);
        }
    for (unsigned shift = 0; shift < 8; shift++)
        if (is_image(f, shift)) add_segments(l, shift);
    TRY(cross_all(l, e));
    for (unsigned shift = 0; shift < 8; shift++)
        if (is_image(f, shift)) add_particles(l, shift);
    return meet_all(l, e);
}

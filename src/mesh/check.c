#include "mesh/check.h"

#include <stdlib.h>

#include "base/memory.h"
#include "geometry/orient.h"
#include "mesh/intersect.h"
#include "mesh/topology.h"
#include "mesh/weld.h"

static void note(mesh_report *r, mesh_fault kind, uint32_t a, uint32_t b, uint32_t c)
{
    uint64_t i = r->count[kind]++;
    if (i >= MESH_NAMED) return;
    r->named[kind][i][0] = a;
    r->named[kind][i][1] = b;
    r->named[kind][i][2] = c;
}

bool mesh_has_area(const mesh *m, size_t triangle)
{
    const uint32_t *t = m->triangles[triangle];
    for (int k = 0; k < 3; k++)
        if (orient_2d(m->vertices[t[0]], m->vertices[t[1]], m->vertices[t[2]], k, (k + 1) % 3) != 0) return true;
    return false;
}

static carom_status check_vertices(mesh_report *r, const mesh *m, error *e)
{
    bool *used = NEW_ARRAY(m->vertex_count, bool);
    if (used == NULL) return error_memory(e, "a look at a mesh", m->vertex_count);
    mesh view = *m; /* records a failed allocation */
    weld places = {0};
    for (size_t i = 0; i < 3 * m->triangle_count; i++) used[m->triangles[i / 3][i % 3]] = true;
    for (size_t i = 0; i < m->vertex_count && !view.failed; i++) {
        if (!used[i]) note(r, MESH_UNUSED, (uint32_t)i, 0, 0);
        uint32_t other = weld_find(&places, &view, m->vertices[i]);
        if (other == MESH_NONE)
            weld_tell(&places, &view, (uint32_t)i);
        else if (used[i])
            note(r, MESH_SAME_PLACE, (uint32_t)i, other, 0);
    }
    weld_free(&places);
    memory_free(used);
    return view.failed ? error_memory(e, "a look at a mesh", m->vertex_count * 2 * sizeof(uint32_t)) : CAROM_OK;
}

typedef struct named_triangle {
    uint32_t corners[3]; /* sorted */
    uint32_t triangle;
} named_triangle;

static int compare_triangles(const void *left, const void *right)
{
    const named_triangle *a = left, *b = right;
    for (int k = 0; k < 3; k++)
        if (a->corners[k] != b->corners[k]) return a->corners[k] < b->corners[k] ? -1 : 1;
    return a->triangle < b->triangle ? -1 : a->triangle > b->triangle;
}

static named_triangle sorted_triangle(const mesh *m, uint32_t triangle)
{
    named_triangle t = {.triangle = triangle};
    for (int k = 0; k < 3; k++) {
        uint32_t corner = m->triangles[triangle][k];
        int i = k;
        for (; i > 0 && t.corners[i - 1] > corner; i--) t.corners[i] = t.corners[i - 1];
        t.corners[i] = corner;
    }
    return t;
}

static carom_status check_triangles(mesh_report *r, const mesh *m, error *e)
{
    named_triangle *sound = NEW_ARRAY(m->triangle_count, named_triangle);
    size_t count = 0;
    if (sound == NULL) return error_memory(e, "a look at a mesh", m->triangle_count * sizeof *sound);
    for (size_t t = 0; t < m->triangle_count; t++) {
        if (mesh_has_area(m, t))
            sound[count++] = sorted_triangle(m, (uint32_t)t);
        else
            note(r, MESH_DEGENERATE, (uint32_t)t, 0, 0);
    }
    qsort(sound, count, sizeof *sound, compare_triangles);
    for (size_t i = 1; i < count; i++) {
        const uint32_t *a = sound[i - 1].corners, *b = sound[i].corners;
        if (a[0] == b[0] && a[1] == b[1] && a[2] == b[2])
            note(r, MESH_DUPLICATE, sound[i].triangle, sound[i - 1].triangle, 0);
    }
    memory_free(sound);
    return CAROM_OK;
}

static carom_status check_edges(mesh_report *r, const mesh *m, error *e)
{
    mesh_topology t;
    TRY(mesh_topology_create(&t, m, e));
    for (size_t i = 0; i < t.edge_count; i++) {
        const mesh_edge *edge = &t.edges[i];
        if (edge->uses > 2) note(r, MESH_NON_MANIFOLD, edge->vertex[0], edge->vertex[1], edge->uses);
        if (edge->uses == 2 && (edge->left == MESH_NONE || edge->right == MESH_NONE))
            note(r, MESH_ORIENTATION, edge->vertex[0], edge->vertex[1], 0);
    }
    mesh_topology_free(&t);
    return CAROM_OK;
}

static carom_status check_intersections(mesh_report *r, const mesh *m, error *e)
{
    size_t count;
    mesh_pair *pairs = NEW_ARRAY(MESH_PAIRS_MOST, mesh_pair);
    if (pairs == NULL) return error_memory(e, "a look at a mesh", MESH_PAIRS_MOST * sizeof *pairs);
    carom_status status = mesh_intersections(m, (mesh_meeting){NULL, NULL}, pairs, &count, e);
    for (size_t i = 0; i < count; i++) note(r, MESH_INTERSECTION, pairs[i].first, pairs[i].second, 0);
    memory_free(pairs);
    return status;
}

carom_status mesh_check(mesh_report *r, const mesh *m, bool surface, error *e)
{
    *r = (mesh_report){0};
    TRY(check_triangles(r, m, e));
    TRY(check_vertices(r, m, e));
    if (!surface || r->count[MESH_DEGENERATE] + r->count[MESH_DUPLICATE] > 0) return CAROM_OK;
    TRY(check_edges(r, m, e));
    for (int kind = 0; kind < MESH_INTERSECTION; kind++)
        if (r->count[kind] > 0) return CAROM_OK;
    return check_intersections(r, m, e);
}

static void add_fault(const mesh_report *r, mesh_fault kind, uint64_t i, error_place where, const char *name, error *e)
{
    const unsigned long a = r->named[kind][i][0], b = r->named[kind][i][1], c = r->named[kind][i][2];
    const carom_status bad = CAROM_BAD_DATA;
#define ADD(format, ...) error_add_at(e, bad, where, "mesh '%s': " format, name, __VA_ARGS__)
    switch (kind) {
    case MESH_DEGENERATE:
        ADD("triangle %lu has no area" HINT "remove it", a);
        break;
    case MESH_DUPLICATE:
        ADD("triangle %lu has the corners of triangle %lu" HINT "remove one", a, b);
        break;
    case MESH_SAME_PLACE:
        ADD("vertices %lu and %lu have the same position" HINT "merge them", a, b);
        break;
    case MESH_UNUSED:
        ADD("vertex %lu belongs to no triangle" HINT "remove it", a);
        break;
    case MESH_NON_MANIFOLD:
        ADD("the edge of vertices %lu and %lu has %lu triangles; at most two are possible", a, b, c);
        break;
    case MESH_ORIENTATION:
        ADD("the two triangles at the edge of vertices %lu and %lu have opposite orientations" HINT "reverse one", a,
            b);
        break;
    case MESH_INTERSECTION:
    case MESH_FAULTS:
        ADD("triangles %lu and %lu intersect", a, b);
    }
#undef ADD
}

carom_status mesh_report_faults(const mesh_report *r, error_place where, const char *name, error *e)
{
    static const char *const plural[MESH_FAULTS] = {"triangles without area",
                                                    "duplicates of triangles",
                                                    "vertices at the position of another vertex",
                                                    "vertices without a triangle",
                                                    "edges of more than two triangles",
                                                    "edges whose triangles have opposite orientations",
                                                    "pairs of triangles that intersect"};
    carom_status status = CAROM_OK;
    for (mesh_fault kind = 0; kind < MESH_FAULTS; kind++) {
        for (uint64_t i = 0; i < r->count[kind] && i < MESH_NAMED; i++) add_fault(r, kind, i, where, name, e);
        if (r->count[kind] > 0) status = CAROM_BAD_DATA;
        if (r->count[kind] <= MESH_NAMED) continue;
        const bool all = kind != MESH_INTERSECTION || r->count[kind] < MESH_PAIRS_MOST;
        error_add_at(e, status, where, "mesh '%s': %s%llu %s in all", name, all ? "" : "at least ",
                     (unsigned long long)r->count[kind], plural[kind]);
    }
    return status;
}

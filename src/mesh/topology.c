#include "mesh/topology.h"

#include "base/forest.h"
#include "base/memory.h"

typedef struct half_edge {
    uint32_t low, high; /* vertices */
    uint32_t half;      /* 3 triangle + corner */
} half_edge;

/* Stable sort by one of the vertices. next: [vertices + 1], zeros. */
static void sort_by(const half_edge *from, half_edge *to, size_t count, bool high, size_t *next)
{
    size_t before = 0;
    for (size_t i = 0; i < count; i++) next[high ? from[i].high : from[i].low]++;
    for (size_t v = 0, i = 0; i < count; v++) {
        const size_t here = next[v];
        next[v] = before;
        before += here;
        i += here;
    }
    for (size_t i = 0; i < count; i++) to[next[high ? from[i].high : from[i].low]++] = from[i];
}

/* Sorts by vertices, then by triangles. */
static bool sort_halves(half_edge *halves, size_t count)
{
    size_t vertices = 0;
    for (size_t i = 0; i < count; i++) vertices = halves[i].high >= vertices ? halves[i].high + (size_t)1 : vertices;
    half_edge *space = NEW_ARRAY(count, half_edge);
    size_t *next = NEW_ARRAY(2 * vertices, size_t);
    const bool made = space != NULL && next != NULL;
    if (made) sort_by(halves, space, count, true, next);
    if (made) sort_by(space, halves, count, false, next + vertices);
    memory_free(space);
    memory_free(next);
    return made;
}

static bool list_halves(half_edge *halves, const mesh *m)
{
    for (size_t t = 0; t < m->triangle_count; t++)
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t a = m->triangles[t][k], b = m->triangles[t][(k + 1) % 3];
            halves[3 * t + k] = (half_edge){a < b ? a : b, a < b ? b : a, (uint32_t)(3 * t + k)};
        }
    return sort_halves(halves, 3 * m->triangle_count);
}

static void add_use(mesh_edge *edge, const mesh *m, uint32_t half)
{
    uint32_t triangle = half / 3;
    bool along = m->triangles[triangle][half % 3] == edge->vertex[0];
    uint32_t *side = along ? &edge->left : &edge->right;
    if (*side == MESH_NONE) *side = triangle;
    edge->uses++;
}

static void list_edges(mesh_topology *t, const mesh *m, const half_edge *halves)
{
    for (size_t i = 0; i < 3 * m->triangle_count; i++) {
        const half_edge *h = &halves[i];
        if (i == 0 || h->low != h[-1].low || h->high != h[-1].high)
            t->edges[t->edge_count++] = (mesh_edge){{h->low, h->high}, MESH_NONE, MESH_NONE, 0};
        t->triangle_edges[h->half / 3][h->half % 3] = (uint32_t)(t->edge_count - 1);
        add_use(&t->edges[t->edge_count - 1], m, h->half);
    }
}

/* The corner of a triangle opposite to the edge. */
static uint32_t tip(const mesh *m, const mesh_edge *edge, uint32_t triangle)
{
    const uint32_t *corners = m->triangles[triangle];
    for (int k = 0; k < 2; k++)
        if (corners[k] != edge->vertex[0] && corners[k] != edge->vertex[1]) return corners[k];
    return corners[2];
}

static void list_hinges(mesh_topology *t, const mesh *m)
{
    for (size_t i = 0; i < t->edge_count; i++) {
        const mesh_edge *edge = &t->edges[i];
        t->boundary_count += edge->uses == 1;
        if (edge->uses != 2 || edge->left == MESH_NONE || edge->right == MESH_NONE || edge->left == edge->right)
            continue;
        t->hinges[t->hinge_count++] = (mesh_hinge){edge->vertex[0], edge->vertex[1], tip(m, edge, edge->left),
                                                   tip(m, edge, edge->right), (uint32_t)i};
    }
}

/* Unites all triangles of an edge; the root of a component is its triangle with the smallest index. */
static void join(uint32_t *parent, const half_edge *halves, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (halves[i].low != halves[i - 1].low || halves[i].high != halves[i - 1].high) continue;
        uint32_t a = forest_root(parent, halves[i - 1].half / 3), b = forest_root(parent, halves[i].half / 3);
        if (a < b) parent[b] = a;
        if (b < a) parent[a] = b;
    }
}

static void number_components(mesh_topology *t, const mesh *m, const half_edge *halves)
{
    uint32_t *parent = t->component;
    for (size_t i = 0; i < m->triangle_count; i++) parent[i] = (uint32_t)i;
    join(parent, halves, 3 * m->triangle_count);
    for (size_t i = 0; i < m->triangle_count; i++) parent[i] = forest_root(parent, (uint32_t)i);
    /* Roots precede the other triangles of a component, so that the component of the root is already known. */
    for (size_t i = 0; i < m->triangle_count; i++)
        parent[i] = parent[i] == i ? (uint32_t)t->component_count++ : parent[parent[i]];
}

carom_status mesh_topology_create(mesh_topology *t, const mesh *m, error *e)
{
    const size_t count = 3 * m->triangle_count;
    *t = (mesh_topology){0};
    half_edge *halves = NEW_ARRAY(count, half_edge);
    t->edges = NEW_ARRAY(count, mesh_edge);
    t->triangle_edges = memory_new(m->triangle_count, sizeof *t->triangle_edges);
    t->component = NEW_ARRAY(m->triangle_count, uint32_t);
    bool failed = halves == NULL || t->edges == NULL || t->triangle_edges == NULL || t->component == NULL ||
                  !list_halves(halves, m);
    if (!failed) {
        list_edges(t, m, halves);
        t->hinges = NEW_ARRAY(t->edge_count, mesh_hinge);
        failed = t->hinges == NULL;
    }
    if (!failed) {
        list_hinges(t, m);
        number_components(t, m, halves);
    }
    memory_free(halves);
    if (!failed) return CAROM_OK;
    mesh_topology_free(t);
    return error_memory(e, "the edges of a mesh", count * (sizeof *halves + sizeof *t->edges));
}

void mesh_topology_free(mesh_topology *t)
{
    memory_free(t->edges);
    memory_free(t->triangle_edges);
    memory_free(t->hinges);
    memory_free(t->component);
    *t = (mesh_topology){0};
}

carom_status mesh_is_closed(const mesh *m, bool *closed, error *e)
{
    mesh_topology t;
    TRY(mesh_topology_create(&t, m, e));
    *closed = m->triangle_count > 0;
    for (size_t n = 0; n < t.edge_count; n++) {
        const mesh_edge *edge = &t.edges[n];
        *closed = *closed && edge->uses == 2 && edge->left != MESH_NONE && edge->right != MESH_NONE;
    }
    mesh_topology_free(&t);
    return CAROM_OK;
}

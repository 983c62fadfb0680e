/* Division of each triangle into parts * parts: rows parallel to one side, with common points along edges. */
#include "mesh/topology.h"

typedef struct grid {
    const mesh *coarse;
    const mesh_topology *topology;
    uint32_t parts;
    uint32_t first_of_edges; /* parts - 1 new vertices per edge, from its first vertex to its second */
} grid;

/* Vertex `i` of parts along the side of a triangle that begins at corner k. */
static uint32_t on_side(const grid *g, size_t t, uint32_t k, uint32_t i)
{
    const uint32_t *corners = g->coarse->triangles[t];
    if (i == 0) return corners[k];
    if (i == g->parts) return corners[(k + 1) % 3];
    uint32_t edge = g->topology->triangle_edges[t][k];
    bool along = g->topology->edges[edge].vertex[0] == corners[k];
    return g->first_of_edges + edge * (g->parts - 1) + (along ? i : g->parts - i) - 1;
}

static void add_between(mesh *fine, const double a[3], const double b[3], uint32_t i, uint32_t n)
{
    const double s = (double)i / (double)n;
    mesh_add_vertex(fine, a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1]), a[2] + s * (b[2] - a[2]));
}

static void add_inside(mesh *fine, const grid *g, const uint32_t corners[3], uint32_t row, uint32_t column)
{
    const double u = (double)column / (double)g->parts, v = (double)row / (double)g->parts;
    double r[3];
    for (int k = 0; k < 3; k++) {
        const double a = g->coarse->vertices[corners[0]][k];
        r[k] = a + u * (g->coarse->vertices[corners[1]][k] - a) + v * (g->coarse->vertices[corners[2]][k] - a);
    }
    mesh_add_vertex(fine, r[0], r[1], r[2]);
}

/* Vertex in a row above the first side; its inner vertices begin at `inside`. */
static uint32_t at(const grid *g, size_t t, uint32_t inside, uint32_t row, uint32_t column)
{
    const uint32_t n = g->parts;
    if (row == 0) return on_side(g, t, 0, column);
    if (column == 0) return on_side(g, t, 2, n - row);
    if (column == n - row) return on_side(g, t, 1, row);
    return inside + (row - 1) * (n - 1) - row * (row - 1) / 2 + column - 1;
}

static void split(mesh *fine, const grid *g, size_t t)
{
    const uint32_t n = g->parts, inside = (uint32_t)fine->vertex_count;
    for (uint32_t row = 1; row + 1 < n; row++)
        for (uint32_t column = 1; column + row < n; column++) add_inside(fine, g, g->coarse->triangles[t], row, column);
    for (uint32_t row = 0; row < n; row++)
        for (uint32_t column = 0; column + row < n; column++) {
            uint32_t right = at(g, t, inside, row, column + 1), above = at(g, t, inside, row + 1, column);
            mesh_add_triangle(fine, at(g, t, inside, row, column), right, above);
            if (column + row + 1 < n) mesh_add_triangle(fine, right, at(g, t, inside, row + 1, column + 1), above);
        }
}

carom_status mesh_refine(mesh *m, uint32_t parts, error *e)
{
    mesh_topology topology;
    mesh fine = {0};
    const double most = UINT32_MAX / 3;
    m->failed = m->failed || (double)m->triangle_count * parts * parts > most;
    if (parts <= 1 || m->failed) return mesh_done(m, e);
    TRY(mesh_topology_create(&topology, m, e));
    for (size_t i = 0; i < m->vertex_count; i++)
        mesh_add_vertex(&fine, m->vertices[i][0], m->vertices[i][1], m->vertices[i][2]);
    const grid g = {m, &topology, parts, (uint32_t)m->vertex_count};
    for (size_t i = 0; i < topology.edge_count; i++)
        for (uint32_t k = 1; k < parts && !fine.failed; k++)
            add_between(&fine, m->vertices[topology.edges[i].vertex[0]], m->vertices[topology.edges[i].vertex[1]], k,
                        parts);
    for (size_t t = 0; t < m->triangle_count && !fine.failed; t++) split(&fine, &g, t);
    mesh_topology_free(&topology);
    mesh_free(m);
    *m = fine;
    return mesh_done(m, e);
}

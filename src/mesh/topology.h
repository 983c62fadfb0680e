/* Edges, hinges and components of a mesh. */
#ifndef CAROM_MESH_TOPOLOGY_H
#define CAROM_MESH_TOPOLOGY_H

#include "mesh/mesh.h"

/* An edge, with the smaller vertex first. `left` runs along it from the first vertex to the second, `right` in the
 * opposite direction; MESH_NONE if absent. If there are more than two triangles, or two with the same direction, the
 * first are stored. */
typedef struct mesh_edge {
    uint32_t vertex[2];
    uint32_t left, right;
    uint32_t uses; /* number of triangles of the edge */
} mesh_edge;

/* A hinge: edge from a to b, opposite vertices c of the triangle a b c and d of b a d. */
typedef struct mesh_hinge {
    uint32_t a, b, c, d;
    uint32_t edge;
} mesh_hinge;

typedef struct mesh_topology {
    mesh_edge *edges; /* sorted by vertices */
    size_t edge_count;
    uint32_t (*triangle_edges)[3]; /* [triangles]: edge k from corner k to the next */
    mesh_hinge *hinges;            /* of edges with two triangles of opposite direction, in the order of edges */
    size_t hinge_count;
    size_t boundary_count; /* number of edges with one triangle */
    uint32_t *component;   /* [triangles]: index of the component (connected by edges), by first triangles */
    size_t component_count;
} mesh_topology;

carom_status mesh_topology_create(mesh_topology *t, const mesh *m, error *e);
void mesh_topology_free(mesh_topology *t);

/* Whether the mesh is closed: it has triangles, and each edge has two of opposite direction. */
carom_status mesh_is_closed(const mesh *m, bool *closed, error *e);

/* The Euler characteristic: vertices - edges + triangles. */
static inline int64_t mesh_euler(const mesh *m, const mesh_topology *t)
{
    return (int64_t)m->vertex_count - (int64_t)t->edge_count + (int64_t)m->triangle_count;
}

#endif

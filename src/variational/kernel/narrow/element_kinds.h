/* Elements: nodes, rods between two of them, and faces between three. Elements are numbered: nodes, then rods (the
 * scene's segments, then edges of meshes), then faces. Surfaces have numbers from NODES on. A contact with a rod, a
 * face, or a node of a rigid body is *linked*: its impulse acts on several nodes.
 *
 * Contacts between meshes are vertex to face and edge to edge. This is complete: no other pair is closest unless one
 * of these is as close. For the same reason balls have contacts with faces only, whose closest points may lie on
 * edges and corners. Segments of the scene have contacts with edges, and their ends with faces. Surfaces have
 * contacts with vertices. */
#ifndef CAROM_VARIATIONAL_ELEMENT_KINDS_H
#define CAROM_VARIATIONAL_ELEMENT_KINDS_H

#include "variational/kernel/world.h"

/* A rod or a face. */
static inline bool is_part(const world *w, uint32_t element)
{
    return element >= w->count && element < NODES;
}

static inline bool is_rod(const world *w, uint32_t element)
{
    return element >= w->count && element < w->topology.faces_from;
}

static inline bool is_face(const world *w, uint32_t element)
{
    return element >= w->topology.faces_from && element < NODES;
}

static inline bool is_vertex(const world *w, uint32_t element)
{
    return w->topology.mesh_of != NULL && element < w->count && w->topology.mesh_of[element] != NONE;
}

/* A vertex, edge or face of a mesh. */
static inline bool is_of_mesh(const world *w, uint32_t element)
{
    return element < w->count ? is_vertex(w, element) : element >= w->topology.edges_from && element < NODES;
}

/* The nodes at the ends of an element. Returns their number. */
static inline int ends_of(const world *w, uint32_t element, uint32_t ends[3])
{
    if (element < w->count) {
        ends[0] = element;
        return 1;
    }
    if (element < w->topology.faces_from) {
        ends[0] = w->topology.rod[element - w->count].a;
        ends[1] = w->topology.rod[element - w->count].b;
        return 2;
    }
    memcpy(ends, w->topology.face[element - w->topology.faces_from].corner, 3 * sizeof *ends);
    return 3;
}

/* The mesh of an element; NONE. */
static inline uint32_t mesh_of_element(const world *w, uint32_t element)
{
    uint32_t ends[3];
    if (w->topology.mesh_of == NULL || element >= NODES) return NONE;
    ends_of(w, element, ends);
    return w->topology.mesh_of[ends[0]];
}

/* Number of rods and faces that end at node i. */
static inline uint32_t parts_at(const world *w, uint32_t i)
{
    return w->topology.first_part != NULL ? w->topology.first_part[i + 1] - w->topology.first_part[i] : 0;
}

static inline bool is_rigid(const world *w, uint32_t element)
{
    return w->rigid.bodies != NULL && element < w->count && node_is_rigid(&w->node[element]);
}

static inline bool is_linked(const world *w, uint32_t i, uint32_t partner)
{
    return is_part(w, i) || is_part(w, partner) || is_rigid(w, i) || is_rigid(w, partner);
}

/* Distance of the centres, or from centre to surface, at which two cores touch. */
static inline double contact_reach(const world *w, uint32_t i, uint32_t partner)
{
    return partner < NODES ? w->core[i] + w->core[partner] : w->core[i] - w->choice.eta;
}

#endif

/* The solid enclosed by a mesh. */
#ifndef CAROM_MESH_SOLID_H
#define CAROM_MESH_SOLID_H

#include "mesh/topology.h"

typedef struct mesh_solid {
    double volume, centre[3];
    double second[3][3]; /* integral of r r, r from the centre */
} mesh_solid;

/* The integrals for a mesh without boundary. The triangles of each of its surfaces must have a consistent orientation,
 * outwards or inwards. A surface inside another is a cavity, a surface inside a cavity is filled again, and so on. The
 * integrals are those of signed tetrahedra (D. Eberly, Polyhedral mass properties, 2002; B. Mirtich, J. Graph. Tools 1,
 * 31 (1996)). */
carom_status mesh_solid_of(mesh_solid *out, const mesh *m, const mesh_topology *t, error *e);

#endif

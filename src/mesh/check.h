/* Faults of meshes. */
#ifndef CAROM_MESH_CHECK_H
#define CAROM_MESH_CHECK_H

#include "mesh/mesh.h"

typedef enum mesh_fault {
    MESH_DEGENERATE,   /* a triangle without area */
    MESH_DUPLICATE,    /* triangles with the same three corners: second, first */
    MESH_SAME_PLACE,   /* vertices with the same position: second, first */
    MESH_UNUSED,       /* a vertex without a triangle */
    MESH_NON_MANIFOLD, /* an edge of more than two triangles: its vertices, their number */
    MESH_ORIENTATION,  /* an edge whose two triangles run along it in the same direction: its vertices */
    MESH_INTERSECTION, /* triangles that intersect outside their common corners */
    MESH_FAULTS
} mesh_fault;

enum { MESH_NAMED = 5 }; /* maximum number of faults of a kind in messages */

/* The number of faults of each kind, and the first of them. Consequences of other faults are not listed: a degenerate
 * triangle is not counted as a duplicate, and intersections are searched only if there are no other faults. */
typedef struct mesh_report {
    uint64_t count[MESH_FAULTS];
    uint32_t named[MESH_FAULTS][MESH_NAMED][3];
} mesh_report;

/* CAROM_OK with or without faults; CAROM_INTERNAL without memory. A mesh that is not a `surface` is a set of triangles:
 * edges may have any number of triangles of any orientation, and triangles may intersect. */
carom_status mesh_check(mesh_report *r, const mesh *m, bool surface, error *e);

/* Whether the corners of a triangle are not collinear; exact. */
bool mesh_has_area(const mesh *m, size_t triangle);

/* Adds a line for each fault to `e`, "WHERE: error: mesh 'NAME': ...". CAROM_BAD_DATA if there is a fault. */
carom_status mesh_report_faults(const mesh_report *r, error_place where, const char *name, error *e);

#endif

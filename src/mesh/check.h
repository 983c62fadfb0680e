/* What may be wrong with a mesh. */
#ifndef CAROM_MESH_CHECK_H
#define CAROM_MESH_CHECK_H

#include "mesh/mesh.h"

typedef enum mesh_fault {
    MESH_DEGENERATE,   /* a triangle without area */
    MESH_DUPLICATE,    /* triangles with the same three corners: second, first */
    MESH_SAME_PLACE,   /* vertices at the same place: second, first */
    MESH_UNUSED,       /* a vertex without a triangle */
    MESH_NON_MANIFOLD, /* an edge of more than two triangles: its vertices, how many */
    MESH_ORIENTATION,  /* an edge whose two triangles run along it the same way: its vertices */
    MESH_INTERSECTION, /* triangles that meet beside their common corners */
    MESH_FAULTS
} mesh_fault;

enum { MESH_NAMED = 5 }; /* faults of a kind that are named one by one */

/* The faults of each kind, and the first of them by number. A fault that follows from one before is not listed: a
 * degenerate triangle is no duplicate, and intersections are looked for where there is no other fault. */
typedef struct mesh_report {
    uint64_t count[MESH_FAULTS];
    uint32_t named[MESH_FAULTS][MESH_NAMED][3];
} mesh_report;

/* CAROM_OK whatever is found; CAROM_INTERNAL without memory. A mesh that is not a `surface` is a set of triangles:
 * edges may have any number of triangles, of any orientation, and triangles may intersect. */
carom_status mesh_check(mesh_report *r, const mesh *m, bool surface, error *e);

/* Whether the corners of a triangle are not on one line; exact. */
bool mesh_has_area(const mesh *m, size_t triangle);

/* Adds a line a fault to `e`, "WHERE: error: mesh 'NAME': ..."; CAROM_BAD_DATA where there is one. */
carom_status mesh_report_faults(const mesh_report *r, const char *where, const char *name, error *e);

#endif

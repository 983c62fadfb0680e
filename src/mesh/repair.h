/* Repairs of meshes that other programs left with faults (check.h). */
#ifndef CAROM_MESH_REPAIR_H
#define CAROM_MESH_REPAIR_H

#include "mesh/mesh.h"

typedef enum mesh_repair {
    MESH_WELD = 1,        /* vertices at exactly the same place become one; triangles without area or that repeat go */
    MESH_DROP_UNUSED = 2, /* vertices without a triangle go */
    MESH_ORIENT = 4,      /* triangles look to the side that most of their surface looks to */
    MESH_FILL = 8,        /* holes are closed by triangles around their middles */
    MESH_REPAIRS = 4      /* kinds */
} mesh_repair;

/* What has been changed. */
typedef struct mesh_repaired {
    uint64_t welded, dropped_triangles, dropped_vertices, turned, holes, added_triangles;
} mesh_repaired;

/* Carries out `repairs`, in the order of mesh_repair. within > 0: vertices at most so far apart are welded, too. */
carom_status mesh_mend(mesh *m, unsigned repairs, double within, mesh_repaired *done, error *e);

/* "3 vertices welded, 2 triangles turned"; "nothing to repair" where nothing has been changed. */
void mesh_repaired_text(const mesh_repaired *done, char *out, size_t length);

#endif

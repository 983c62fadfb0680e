/* Repairs of faults (check.h) of meshes from other programs. */
#ifndef CAROM_MESH_REPAIR_H
#define CAROM_MESH_REPAIR_H

#include "mesh/mesh.h"

typedef enum mesh_repair {
    MESH_WELD =
        1, /* vertices at exactly the same position are merged; triangles without area and duplicates are removed */
    MESH_DROP_UNUSED = 2, /* vertices without a triangle are removed */
    MESH_ORIENT = 4,      /* triangles are oriented like the majority of their surface */
    MESH_FILL = 8,        /* holes are closed by triangles around their centres */
    MESH_REPAIRS = 4      /* kinds */
} mesh_repair;

/* Numbers of changes. */
typedef struct mesh_repaired {
    uint64_t welded, dropped_triangles, dropped_vertices, turned, holes, added_triangles;
} mesh_repaired;

/* Carries out `repairs`, in the order of mesh_repair. within > 0: also merges vertices at distances up to `within`. */
carom_status mesh_mend(mesh *m, unsigned repairs, double within, mesh_repaired *done, error *e);

/* "3 vertices welded, 2 triangles turned"; "nothing to repair" without changes. */
void mesh_repaired_text(const mesh_repaired *done, char *out, size_t length);

#endif

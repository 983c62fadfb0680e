/* Intersections of triangles. */
#ifndef CAROM_MESH_INTERSECT_H
#define CAROM_MESH_INTERSECT_H

#include "mesh/mesh.h"

/* Whether two triangles of a mesh share more than their common corners or their common edge; exact. Of triangles with
 * zero area only the edges count. Two such triangles do not intersect, and neither do triangles with the same three
 * corners. */
bool mesh_triangles_meet(const mesh *m, uint32_t first, uint32_t second);

enum { MESH_PAIRS_MOST = 1000 };

typedef struct mesh_pair {
    uint32_t first, second; /* triangles, the smaller index first */
} mesh_pair;

/* Pairs of triangles that are permitted to intersect; `allow` NULL: none. */
typedef struct mesh_meeting {
    bool (*allow)(uint32_t first, uint32_t second, const void *data);
    const void *data;
} mesh_meeting;

/* Up to MESH_PAIRS_MOST pairs of triangles that intersect without permission, sorted; the search ends at this number.
 * *count: the number found. */
carom_status mesh_intersections(const mesh *m, mesh_meeting meeting, mesh_pair pairs[MESH_PAIRS_MOST], size_t *count,
                                error *e);

#endif

/* Merging of vertices within a distance. */
#ifndef CAROM_MESH_WELD_NEAR_H
#define CAROM_MESH_WELD_NEAR_H

#include "mesh/mesh.h"

/* others[i] is the first representative vertex at a distance of at most `within` > 0 from vertex i; if there is none, i
 * itself becomes a representative. */
carom_status weld_near(const mesh *m, double within, uint32_t *others, error *e);

#endif

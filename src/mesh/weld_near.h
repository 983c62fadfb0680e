/* Merging of vertices within a distance. */
#ifndef CAROM_MESH_WELD_NEAR_H
#define CAROM_MESH_WELD_NEAR_H

#include "mesh/mesh.h"

/* others[i] is the first vertex of which vertex i is no further than `within` > 0, among those that stand for
 * themselves; i itself where there is none. */
carom_status weld_near(const mesh *m, double within, uint32_t *others, error *e);

#endif

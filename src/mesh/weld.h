/* Merging of vertices at exactly the same position. */
#ifndef CAROM_MESH_WELD_H
#define CAROM_MESH_WELD_H

#include "mesh/mesh.h"

/* A hash table of the vertices of one mesh, by position. */
typedef struct weld {
    uint32_t *slots; /* vertex + 1; 0: free */
    size_t room;     /* a power of two */
    size_t count;
} weld;

/* The vertex of `m` that was added at this position; MESH_NONE if there is none or no memory (m->failed). Finite
 * numbers only; zeros of both signs are equal. */
uint32_t weld_find(weld *w, mesh *m, const double r[3]);
/* Adds a vertex. */
void weld_tell(weld *w, mesh *m, uint32_t vertex);
/* The vertex at this position; it is added if there is none. */
uint32_t weld_vertex(weld *w, mesh *m, const double r[3]);
void weld_free(weld *w);

#endif

/* Adjacency of the triangles of a mesh: creases, and normals that are smooth between creases. */
#ifndef CAROM_VIEW_RENDER_FACES_H
#define CAROM_VIEW_RENDER_FACES_H

#include <stdint.h>

#include "base/error.h"

typedef struct faces {
    size_t count;
    const uint32_t (*triangles)[3];
    uint32_t *twin;    /* [3 count]: edge 3 t + k is opposite corner k of triangle t; its twin, or FACES_NONE */
    uint8_t *turned;   /* [count]: 1 if the corners run in the opposite direction to those of adjacent triangles */
    uint32_t *group;   /* [3 count]: for corners with a common normal, the first of them */
    double (*sum)[3];  /* [3 count]: normals of groups */
    uint8_t *lines;    /* [count]: bit k, edge k is drawn */
    uint8_t *diagonal; /* [count]: bit k: edge k is the diagonal of a flat quadrilateral; NULL: not determined */
} faces;

enum { FACES_NONE = UINT32_MAX };

/* `triangles` must outlive it. */
carom_status faces_create(faces *f, const uint32_t (*triangles)[3], size_t count, error *e);
void faces_free(faces *f);

/* Finds the diagonals of quadrilaterals for the positions x of the vertices. */
carom_status faces_find_diagonals(faces *f, double (*x)[3], error *e);

/* Computes normals for the positions x of the vertices, and `lines`: edges with a bending angle above the crease angle
 * of 35 degrees, and edges that do not join two triangles; if diagonals are known, all edges except diagonals. */
void faces_shade(faces *f, double (*x)[3]);

/* The unit normal at a corner of triangle t. */
void faces_normal(const faces *f, size_t t, int corner, float normal[3]);

#endif

/* How the triangles of a mesh join: sharp edges, and normals that are smooth between these. */
#ifndef CAROM_VIEW_RENDER_FACES_H
#define CAROM_VIEW_RENDER_FACES_H

#include <stdint.h>

#include "base/error.h"

typedef struct faces {
    size_t count;
    const uint32_t (*triangles)[3];
    uint32_t *twin;    /* [3 count]: edge 3 t + k lies opposite corner k of triangle t; the same edge of the only other
                        * triangle at it, or FACES_NONE */
    uint8_t *turned;   /* [count]: 1 where the corners run the other way than those of the triangles beside it */
    uint32_t *group;   /* [3 count]: of corners with one normal, the first of them */
    double (*sum)[3];  /* [3 count]: normals of groups */
    uint8_t *lines;    /* [count]: bit k, edge k is drawn */
    uint8_t *diagonal; /* [count]: bit k, edge k is the diagonal of a flat quadrilateral; NULL: not looked for */
} faces;

enum { FACES_NONE = UINT32_MAX };

/* `triangles` must outlive it. */
carom_status faces_create(faces *f, const uint32_t (*triangles)[3], size_t count, error *e);
void faces_free(faces *f);

/* Finds the diagonals of quadrilaterals, at the places x of the vertices. */
carom_status faces_find_diagonals(faces *f, double (*x)[3], error *e);

/* Sets normals for the places x of the vertices, and `lines`: edges where the surface bends by more than the crease
 * angle, 35 degrees, and edges that do not join two triangles; with diagonals known, all edges but these. */
void faces_shade(faces *f, double (*x)[3]);

/* The unit normal at a corner of triangle t. */
void faces_normal(const faces *f, size_t t, int corner, float normal[3]);

#endif

/* Rigid meshes as boundaries. A sphere touches a triangle where their distance is its radius and half the thickness of
 * the mesh: the distance knows faces, edges and corners alike, so that there are no gaps between them. */
#ifndef CAROM_HARD_KERNEL_MESHES_H
#define CAROM_HARD_KERNEL_MESHES_H

#include "hard/kernel/gas.h"
#include "neighbors/box_tree.h"

/* A mesh of the scene. */
typedef struct solid {
    real (*corner)[3][3]; /* of each triangle */
    uint32_t first;       /* element that is its first triangle */
    uint32_t count;
    real reach; /* half the thickness */
    uint32_t species;
    box_tree *tree;
    real low[3], high[3]; /* the box around it */
    real rounding;        /* of coordinates within it, with something to spare */
} solid;

/* A vertex, as the frame shows it. */
typedef struct vertex_look {
    double radius;
    uint32_t species;
} vertex_look;

typedef struct solids {
    solid *solid;
    uint32_t count, elements;
    double (*vertex)[3]; /* [vertices] of all meshes */
    vertex_look *look;   /* [vertices] */
    uint32_t vertices;
} solids;

/* A triangle, or a periodic image of it: `image` whole boxes away. */
typedef struct element {
    const solid *of;
    uint32_t triangle;
    int32_t image[3];
} element;

/* What a body sees of an element. */
typedef struct sight {
    real normal[3]; /* unit; from the element to the body */
    real gap;       /* between their surfaces; negative where they overlap */
    real rate;      /* of the gap */
} sight;

/* ---- touch.c --------------------------------------------------------------------------------------------------- */

/* Where body i is at `dt` after its stored time, from the image of the mesh, and its velocity. */
void touch_place(const gas *g, uint32_t i, const element *of, real dt, real x[3], real v[3]);

/* At `dt` after the stored time of body i. */
void touch_look(const gas *g, uint32_t i, const element *of, real dt, sight *s);

/* Local time of the next contact of body i with the element, where that is not after `until`. */
real touch_time(const gas *g, uint32_t i, const element *of, real until);

/* ---- meshes.c -------------------------------------------------------------------------------------------------- */

/* What body i, at its stored time, sees of the element's nearest image; returns the species of its mesh. */
uint32_t meshes_sight(const gas *g, uint32_t i, uint32_t index, sight *seen);

#endif

/* Rigid meshes as boundaries. A sphere touches a triangle if their distance is its radius plus half the thickness of
 * the mesh. The distance is the same function for faces, edges and corners, so that there are no gaps between them. */
#ifndef CAROM_HARD_KERNEL_MESHES_H
#define CAROM_HARD_KERNEL_MESHES_H

#include "hard/kernel/features/motion.h"
#include "neighbors/box_tree.h"

/* A ball around a triangle, and its plane: a quick test whether the triangle is out of reach. */
typedef struct triangle_bounds {
    double middle[3], radius;
    double normal[3], offset; /* a zero normal: no plane */
} triangle_bounds;

/* A mesh of the scene. */
typedef struct solid {
    real (*corner)[3][3];             /* of each triangle */
    triangle_bounds *triangle_bounds; /* of each triangle */
    uint32_t first;                   /* number of its first triangle, among the elements of all meshes */
    uint32_t count;
    uint32_t vertex, vertices; /* index of the first vertex; number of vertices */
    real reach;                /* half the thickness */
    uint32_t species;
    const motion *motion; /* NULL: at rest */
    bool absent;          /* without contacts at present (features/presence.h) */
    box_tree *tree;
    real low[3], high[3]; /* bounding box at the start */
    real rounding;        /* rounding of coordinates within the box, with a margin */
} solid;

typedef struct solids {
    solid *solid;
    uint32_t count, elements;
    double (*vertex)[3]; /* [vertices] of all meshes, positions at the start */
    uint32_t vertices;
} solids;

/* A triangle, or a periodic image of it at `image` boxes. */
typedef struct element {
    const solid *of;
    uint32_t triangle;
    int32_t image[3];
} element;

/* Gap of a body and an element, in the frame of its mesh; or of a body and a plane. */
typedef struct gap_state {
    real normal[3]; /* unit; from the element to the body */
    real gap;       /* negative: overlap */
    real rate;      /* of the gap */
    real speed;     /* of the body in this frame */
    real pull;      /* lower bound of the second derivative; for a triangle, that of the gap to the nearest plane */
    real least;     /* lower bound of the second derivative in any case */
    real left;      /* local time for which the bounds hold */
} gap_state;

/* ---- meshes.c -------------------------------------------------------------------------------------------------- */

/* Gap of body i and the nearest image of the element at the body's stored time, with the normal in the frame of the
 * box, and the velocity of the mesh at the point of contact. Returns the mesh. */
static const solid *meshes_contact(const gas *g, uint32_t i, uint32_t index, gap_state *state, real velocity[3]);

/* Calls `touched` for each element within `gap` of the surface of body i now. */
typedef void meshes_touched(const solid *of, uint32_t index, const gap_state *state, void *data);
static void meshes_touching(const gas *g, uint32_t i, real gap, meshes_touched *touched, void *data);

/* The same for one mesh, which may be absent. */
static void mesh_touching(const gas *g, uint32_t i, const solid *s, real gap, meshes_touched *touched, void *data);

/* ---- meshes.c: functions for predictions ------------------------------------------------------------------------- */

/* Improves the plan of i by triangles, up to its known events. Cheapest after all other predictions. */
static void meshes_plan(const gas *g, uint32_t i, plan *p);

static inline void plan_meshes(const gas *g, uint32_t i, plan *p)
{
    if (g->solids != NULL) meshes_plan(g, i, p);
}

/* Improves `best` by all triangles. The result is valid until `limit`, which the function may lower. */
static void meshes_detect(const gas *g, uint32_t i, next_event *best, real *limit);

#endif

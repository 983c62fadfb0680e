/* Rigid meshes as boundaries. A sphere touches a triangle where their distance is its radius and half the thickness of
 * the mesh: the distance knows faces, edges and corners alike, so that there are no gaps between them. */
#ifndef CAROM_HARD_KERNEL_MESHES_H
#define CAROM_HARD_KERNEL_MESHES_H

#include "hard/kernel/features/motion.h"
#include "neighbors/box_tree.h"

/* What tells quickly that a triangle is out of reach: a ball around it, and its plane. */
typedef struct triangle_bounds {
    double middle[3], radius;
    double normal[3], offset; /* a normal of zeros: it has no plane */
} triangle_bounds;

/* A mesh of the scene. */
typedef struct solid {
    real (*corner)[3][3];             /* of each triangle */
    triangle_bounds *triangle_bounds; /* of each triangle */
    uint32_t first;                   /* element that is its first triangle */
    uint32_t count;
    uint32_t vertex, vertices; /* the first of them, and how many */
    real reach;                /* half the thickness */
    uint32_t species;
    const motion *motion; /* NULL: it stands still */
    box_tree *tree;
    real low[3], high[3]; /* the box around it, where it is at the start */
    real rounding;        /* of coordinates within it, with something to spare */
} solid;

typedef struct solids {
    solid *solid;
    uint32_t count, elements;
    double (*vertex)[3]; /* [vertices] of all meshes, where they are at the start */
    uint32_t vertices;
} solids;

/* A triangle, or a periodic image of it: `image` whole boxes away. */
typedef struct element {
    const solid *of;
    uint32_t triangle;
    int32_t image[3];
} element;

/* What a body sees of an element, from the frame of its mesh; or of a plane. */
typedef struct gap_state {
    real normal[3]; /* unit; from the element to the body */
    real gap;       /* between their surfaces; negative where they overlap */
    real rate;      /* of the gap */
    real speed;     /* of the body */
    real pull;  /* the gap's rate changes by this a unit of time at least, of a triangle's that of the nearest plane */
    real least; /* by which it changes at least in any case */
    real left;  /* local time for which that is so */
} gap_state;

/* ---- meshes.c -------------------------------------------------------------------------------------------------- */

/* What body i, at its stored time, sees of the element's nearest image, the normal as in the box, and how fast that
 * moves where they touch; returns its mesh. */
static const solid *meshes_contact(const gas *g, uint32_t i, uint32_t index, gap_state *state, real velocity[3]);

/* Tells of all elements that are no further than `gap` from the surface of body i now. */
typedef void meshes_touched(const solid *of, uint32_t index, const gap_state *state, void *data);
static void meshes_touching(const gas *g, uint32_t i, real gap, meshes_touched *touched, void *data);

/* ---- meshes.c: what the others call ------------------------------------------------------------------------------ */

/* Improves the plan of i by triangles, up to what it knows already: the later this comes the better. */
static void meshes_plan(const gas *g, uint32_t i, plan *p);

static inline void plan_meshes(const gas *g, uint32_t i, plan *p)
{
    if (g->solids != NULL) meshes_plan(g, i, p);
}

/* Improves `best` by them, looking at all; false after `limit`, which this may bring forward. */
static void meshes_detect(const gas *g, uint32_t i, next_event *best, real *limit);

#endif

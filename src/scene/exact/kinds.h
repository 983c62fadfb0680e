/* The kinds of exact surfaces: boundaries with a formula, beside the walls of the box, planes and meshes. Each kind is
 * a row of EXACT_KINDS and a struct of its parameters, which begins with its name. Functions of a kind for the scene:
 * scene/exact.h; for the engine `hard`: hard/kernel/features/exact.h. docs/extending/boundary.md adds a kind. */
#ifndef CAROM_SCENE_EXACT_KINDS_H
#define CAROM_SCENE_EXACT_KINDS_H

#include <stddef.h>

/* Side of the centres of particles. */
typedef enum scene_side { SIDE_INSIDE, SIDE_OUTSIDE } scene_side;

/* Without ends (2D: a circle). The axis is a unit vector, zeros in 2D. */
typedef struct scene_cylinder {
    char *name;
    double through[3], axis[3], radius;
    int side;
} scene_cylinder;

/* ROW(key of drives, key of the scene, suffix of EXACT_, help text of the key). Surfaces are numbered in this order. */
/* clang-format off */
#define EXACT_KINDS(ROW) \
    ROW(cylinder, cylinders, CYLINDER, "fixed cylinders, or circles in 2 dimensions (`hard`)") \
/* clang-format on */

#define EXACT_ID(one, many, ONE, words) EXACT_##ONE,
typedef enum exact_id { EXACT_KINDS(EXACT_ID) EXACT_COUNT } exact_id;

/* For texts composed at compile time. */
#define EXACT_COMMA_ONE(one, many, ONE, words) ", " #one
#define EXACT_COMMA_MANY(one, many, ONE, words) ", " #many
#define EXACT_OR_A(one, many, ONE, words) " or a " #one

/* The surfaces of a kind in a scene: an array of structs of that kind. */
typedef struct exact_list {
    void *items;
    size_t count;
} exact_list;

#endif

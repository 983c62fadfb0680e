/* The kinds of exact surfaces: boundaries with a formula, beside the walls of the box, planes and meshes. Each kind is a
 * row of EXACT_KINDS, and a struct of what a scene says of one, which begins with its name. What a kind offers the scene:
 * scene/exact.h; the engine `hard`: hard/kernel/features/exact.h. docs/extending/boundary.md adds one. */
#ifndef CAROM_SCENE_EXACT_KINDS_H
#define CAROM_SCENE_EXACT_KINDS_H

#include <stddef.h>

/* Where the centres of particles are. */
typedef enum scene_side { SIDE_INSIDE, SIDE_OUTSIDE } scene_side;

/* Without ends (2D: a circle). The axis is a unit vector, zeros in 2D. */
typedef struct scene_cylinder {
    char *name;
    double through[3], axis[3], radius;
    int side;
} scene_cylinder;

/* ROW(key of drives, key of the scene, EXACT_ and this, help of the scene's key). Surfaces are numbered in this order. */
/* clang-format off */
#define EXACT_KINDS(ROW) \
    ROW(cylinder, cylinders, CYLINDER, "fixed cylinders, or circles in 2 dimensions (`hard`)") \
/* clang-format on */

#define EXACT_ID(one, many, ONE, words) EXACT_##ONE,
typedef enum exact_id { EXACT_KINDS(EXACT_ID) EXACT_COUNT } exact_id;

/* In texts that are put together when the program is compiled. */
#define EXACT_COMMA_ONE(one, many, ONE, words) ", " #one
#define EXACT_COMMA_MANY(one, many, ONE, words) ", " #many
#define EXACT_OR_A(one, many, ONE, words) " or a " #one

/* The surfaces of a kind in a scene: structs of that kind. */
typedef struct exact_list {
    void *items;
    size_t count;
} exact_list;

#endif

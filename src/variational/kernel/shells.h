/* Thin shells: stretching triangles and bending edges of the scene's meshes. They fire in classes: the steps of a class are half those
 * of the one before, and an element is in the first one that is stable for it. */
#ifndef CAROM_VARIATIONAL_SHELLS_H
#define CAROM_VARIATIONAL_SHELLS_H

#include "variational/kernel/clocks.h"
#include "variational/shell_math.h"

enum { SHELL_CLASSES = 24 };

/* What a class's forces need of a node, gathered from all over memory once a tick. One cache line. */
typedef struct shell_node {
    double x[3], force[3];
} __attribute__((aligned(64))) shell_node;

typedef struct shell_speed {
    double v[3], drag[3];
} __attribute__((aligned(64))) shell_speed;

typedef struct shell_class {
    uint32_t *node; /* [node_count] that its elements have, in rising order */
    uint32_t node_count;
    uint32_t first_triangle, triangle_end, first_hinge, hinge_end;
    bool damped, plastic;
} shell_class;

typedef struct shells {
    shell_triangle *triangle; /* by class, then by their first nodes */
    shell_hinge *hinge;
    uint32_t triangle_count, hinge_count, class_count;
    shell_class class[SHELL_CLASSES];
    shell_node *at;     /* [nodes of the largest class] */
    shell_speed *speed; /* likewise, where there is damping */
    bool plastic;
} shells;

/* Makes them from the scene's meshes and gives them clocks. */
carom_status shells_create(world *w, const initial_state *state, error *e);
void shells_destroy(world *w);

void shells_fire(world *w, const clock *c, double t);

/* What they hold at time t. */
void shells_energy(const world *w, double t, double *stretch, double *bend);

/* Where there is plastic bending, the hinges are part of the state. */
bool shells_state(const world *w, void **data, size_t *bytes);

#endif

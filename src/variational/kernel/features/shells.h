/* Thin shells: stretching triangles and bending edges of the scene's meshes. They fire in classes: the steps of a class
 * are half those of the one before, and an element is in the first one that is stable for it. */
#ifndef CAROM_VARIATIONAL_SHELLS_H
#define CAROM_VARIATIONAL_SHELLS_H

#include "variational/kernel/features/feature.h"
#include "variational/shell_math.h"

enum { SHELL_CLASSES = 24 };

/* Forces are made in two passes, so that any number of threads gives the same bits: elements write what they push
 * their corners with into slots of their own; then each node adds up its slots, in the order of the elements. First
 * triangles, then hinges, in the same slots. */
typedef struct shell_place {
    double x[3], v[3];
} __attribute__((aligned(64))) shell_place;

/* Which slots each node has: an element's corners have slots one after another. */
typedef struct slot_list {
    uint32_t *first; /* [node_count + 1] */
    uint32_t *at;
} slot_list;

typedef struct shell_class {
    uint32_t *node; /* [node_count] that its elements have, in rising order */
    uint32_t node_count;
    slot_list triangle_slots, hinge_slots;
    shell_triangle *triangle;
    shell_hinge *hinge;
    double (*kick)[3]; /* [node_count]: by what the class has changed its nodes' velocities last */
    uint32_t triangle_count, hinge_count;
    bool damped, plastic;
} shell_class;

/* A node in a class. */
typedef struct shell_seat {
    uint32_t class, local;
} shell_seat;

typedef struct shells {
    shell_triangle *triangle; /* by class, then by their first nodes */
    shell_hinge *hinge;
    uint32_t triangle_count, hinge_count, class_count;
    shell_class class[SHELL_CLASSES];
    shell_place *at;                /* [nodes of the largest class] */
    double (*slot)[3];              /* [slots of the largest class, of one kind] */
    double (*force)[3], (*drag)[3]; /* [nodes of the largest class]: sums of them; drag: where there is damping */
    double *damped;                 /* [nodes of the largest class]: energy that damping has taken of their kicks */
    double *lost;                   /* [hinges of the largest class], where there is plastic bending */
    bool plastic;
    /* Where contacts lose energy: the kicks of all classes, what each node sits in, and the middle of the time that
     * each class's last kick stands for. */
    double (*kick)[3];
    size_t kick_count;
    uint32_t *first_seat; /* [count + 1] */
    shell_seat *seat;
    double middle[SHELL_CLASSES], step[SHELL_CLASSES];
} shells;

static const feature shells_feature;

static void shells_fire(world *w, const clock *c, double t);

/* By how much node i is faster at time t than if its materials pulled steadily: a kick stands for half a step before
 * it and half a step after. Where contacts lose energy. */
static void shells_velocity_ahead(const world *w, uint32_t i, double t, double v[DIM]);

/* Node i is held from now on: no kick of before counts. */
static void shells_forget_kicks(world *w, uint32_t i);

#endif

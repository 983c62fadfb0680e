/* Thin shells: stretching triangles and bending edges of the scene's meshes. They fire in classes. The step of a
 * class is half that of the one before. An element is in the first class that is stable for it. */
#ifndef CAROM_VARIATIONAL_SHELLS_H
#define CAROM_VARIATIONAL_SHELLS_H

#include "variational/kernel/features/feature.h"
#include "variational/shell_math.h"

enum { SHELL_CLASSES = 24 };

/* Forces are computed in two passes, so that any number of threads gives the same bits. Elements write the forces on
 * their corners into slots of their own. Then each node sums its slots, in the order of the elements. Triangles come
 * first, then hinges, in the same slots. */
typedef struct shell_place {
    double x[3], v[3];
} __attribute__((aligned(64))) shell_place;

/* The slots of each node. The corners of an element have consecutive slots. */
typedef struct slot_list {
    uint32_t *first; /* [node_count + 1] */
    uint32_t *at;
} slot_list;

typedef struct shell_class {
    uint32_t *node; /* [node_count] nodes of its elements, in rising order */
    uint32_t node_count;
    slot_list triangle_slots, hinge_slots;
    shell_triangle *triangle;
    shell_hinge *hinge;
    double (*kick)[3]; /* [node_count]: change of velocity by the last kick of the class */
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
    double (*force)[3], (*drag)[3]; /* [nodes of the largest class]: sums per node; drag: if there is damping */
    double *damped;                 /* [nodes of the largest class]: energy that damping has dissipated */
    double *lost;                   /* [hinges of the largest class], if there is plastic bending */
    bool plastic;
    /* For dissipative contacts: the kicks of all classes, the classes of each node, and the middle of the time
     * interval of each class's last kick. */
    double (*kick)[3];
    size_t kick_count;
    uint32_t *first_seat; /* [count + 1] */
    shell_seat *seat;
    double middle[SHELL_CLASSES], step[SHELL_CLASSES];
} shells;

static const feature shells_feature;

static void shells_fire(world *w, const clock *c, double t);

/* The velocity of node i at time t less that under steady forces of its materials. A kick represents half a step
 * before it and half a step after. For dissipative contacts. */
static void shells_velocity_ahead(const world *w, uint32_t i, double t, double v[DIM]);

/* For a node held from now on: sets its last kicks to 0. */
static void shells_forget_kicks(world *w, uint32_t i);

#endif

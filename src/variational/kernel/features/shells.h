/* Thin shells: stretching triangles and bending edges of the scene's meshes. They fire in classes. The step of a
 * class is half that of the one before. An element is in the first class that is stable for it. */
#ifndef CAROM_VARIATIONAL_SHELLS_H
#define CAROM_VARIATIONAL_SHELLS_H

#include "variational/kernel/features/feature.h"
#include "variational/shell_membranes.h"

enum { SHELL_CLASSES = 24, DAMPING_GROUPS = 7, UNDAMPED = DAMPING_GROUPS };

typedef struct shell_place {
    double x[3], v[3];
} __attribute__((aligned(64))) shell_place;

/* Elements of a part, in rising order: consecutive ones, and some before them. */
typedef struct element_span {
    uint32_t *before;
    uint32_t before_count, from, to;
} element_span;

/* Consecutive nodes of a set, and the elements that touch them: work of one thread (shells_sums.h). */
typedef struct shell_part {
    uint32_t node_from, node_to;
    element_span triangles, hinges;
} shell_part;

/* Elements with their nodes. */
typedef struct shell_set {
    uint32_t *node; /* [node_count] in rising order */
    uint32_t node_count;
    shell_part *part;
    uint32_t part_count;
    shell_triangle *triangle;       /* with indices in the list of nodes */
    const shell_membrane *membrane; /* [triangles]; NULL: all are linear */
    shell_hinge *hinge;
    uint32_t triangle_count, hinge_count;
} shell_set;

/* Elements of a class whose damping needs about the same number of stages: group k up to 2^k. */
typedef struct damping_group {
    shell_set set;            /* nodes are indices in the class's list of nodes */
    shell_membrane *membrane; /* that of the set */
    uint32_t *hinge_of;       /* [hinges] index in the class */
    uint32_t stages;
} damping_group;

typedef struct shell_class {
    shell_set set;
    double (*kick)[3]; /* [nodes]: change of velocity by the last kick of the class */
    damping_group group[DAMPING_GROUPS];
    bool damped, plastic, turns; /* turns: gradients and moments of all hinges are stored before forces are added */
    bool shares;                 /* has nodes of other classes */
    bool loaded;                 /* loads act on some of its nodes: vertex_loads.h */
    plate_row *plate;            /* of its hinges that belong to plates */
    uint32_t plate_count, plate_turns;
    plate_yield *yield;         /* of its plates with plastic bending; parts: shells */
    uint32_t (*yield_parts)[2]; /* [plate_count] */
    uint32_t yield_count;
    double plate_least, plate_most; /* bounds of the eigenvalues of their compliance, scaled to a diagonal of 1 */
} shell_class;

/* A node in a class. */
typedef struct shell_seat {
    uint32_t class, kick; /* kick: index in shells.kick */
} shell_seat;

/* A node of a group during the stages of its damping: velocity, force at the first stage, mean forces up to the last two
 * stages. */
typedef struct shell_stage {
    double v[3], first[3], last[3], before_last[3];
} shell_stage;

/* A hinge of a plate while its moment is computed: the angle that is not yet balanced, and the last changes. */
typedef struct plate_state {
    double moment, left, change[2];
} plate_state;

typedef struct shells {
    shell_triangle *triangle; /* by class, then by their first nodes */
    shell_membrane *membrane; /* [triangles]; NULL: all are linear */
    shell_hinge *hinge;
    uint32_t triangle_count, hinge_count, plate_count, class_count;
    shell_class class[SHELL_CLASSES];
    shell_place *at;    /* [nodes of the largest class] */
    double (*force)[4]; /* [nodes of the largest class]: sums per node */
    /* Of the largest class or group with damping. drag: mean force of the damping; damped: energy that it has dissipated;
     * stage_force: at a stage. */
    double (*drag)[3], *damped, (*stage_force)[4];
    shell_stage *stage;
    vector3 (*gradient)[4]; /* [hinges of the largest class with `turns`] of the angles */
    double *moment;         /* likewise */
    double *lost;           /* [hinges of the largest class], if there is plastic bending */
    plate_row *plate;       /* by class */
    double *off;            /* [hinges of the largest class with plates] angles from rest */
    plate_state *plate_state;
    /* Plastic bending of plates: triangles by class, and for each row the places of its parts in `flow`. flow: [3 triangles of the largest
     * class]; row_flow: [rows of the largest class] changes of the rest angles. flows: any is not 0. */
    plate_yield *yield;
    uint32_t (*yield_parts)[2], yield_count;
    double *flow, *row_flow;
    bool flows;
    bool plastic;
    /* For dissipative contacts, and for damping in several classes: the kicks of all classes, the classes of each node,
     * and the middle of the time interval of each class's last kick. */
    double (*kick)[3];
    size_t kick_count;
    uint32_t *first_seat; /* [count + 1] */
    shell_seat *seat;
    double middle[SHELL_CLASSES], step[SHELL_CLASSES];
    double ahead[SHELL_CLASSES]; /* time up to `middle`, in steps */
} shells;

static const feature shells_feature;

static void shells_fire(world *w, const clock *c, double t);

/* Sets the time of shells_velocity_ahead. */
static void shells_look_ahead(world *w, double t);

/* The velocity of node i less that under steady forces of its materials. A kick represents half a step
 * before it and half a step after. `but`: a class that is left out, or NONE. */
HOT components shells_velocity_ahead(const world *w, uint32_t i, uint32_t but);

/* For a node held from now on: sets its last kicks to 0. */
static void shells_forget_kicks(world *w, uint32_t i);

#endif

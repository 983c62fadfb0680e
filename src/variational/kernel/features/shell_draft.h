/* Shells before their creation: elements with the numbers of their nodes, and their classes. */
#ifndef CAROM_VARIATIONAL_SHELL_DRAFT_H
#define CAROM_VARIATIONAL_SHELL_DRAFT_H

#include "variational/kernel/features/shells_damping.h"

typedef struct shell_draft {
    shell_triangle *triangle; /* mesh by mesh, in the order of each mesh */
    shell_membrane *membrane; /* [triangles]; NULL: all are linear */
    shell_hinge *hinge;
    uint32_t triangle_count, hinge_count;
    plate_row *plate;   /* [hinges] of plates; rows and hinges have the same numbers. NULL: there are no plates */
    plate_yield *yield; /* of plates with plastic bending; NULL: there are none */
    uint32_t yield_count;
    double *pull, *drag; /* [nodes] sums of the elements' stiffness, and of their drag */
    uint8_t *triangle_class, *hinge_class;
    uint32_t stages[SHELL_CLASSES][DAMPING_GROUPS];
    double longest; /* longest step: that of class 0 */
} shell_draft;

/* Whether any of the nodes can move. */
static bool is_free(const world *w, const uint32_t *at, int count);

/* Makes a draft from the scene's meshes. The caller frees it, also after a failure. */
static carom_status shell_draft_elements(const world *w, shell_draft *d, const initial_state *state, error *e);
static void shell_draft_free(shell_draft *d);

/* Sums pull and drag, and sets the classes. */
static carom_status shell_draft_classes(const world *w, shell_draft *d, error *e);

/* Bounds at a node. f: sum of pull over its mass, a bound of squared frequencies. c: sum of drag over its mass, a
 * bound of decay rates. Kicks are stable below 2 / sqrt(f), and damping of one stage below 2 / c. The bound is the
 * least over an element's nodes. */
typedef struct shell_bounds {
    double pull, drag;
} shell_bounds;
static shell_bounds shell_bounds_of(const world *w, const shell_draft *d, const uint32_t *at, int count);

/* The longest step of an element as a share of the first of these bounds. */
static double shell_share_of_bound(const world *w);

/* The bound of damping in the largest number of stages. */
static double shell_drag_bound(const shell_bounds *bounds);

/* A bound of the largest eigenvalue of a hinge's second derivative at its present angle, for `stiff` = 1. */
static double shell_hinge_norm(const world *w, const shell_hinge *h);

static step_rates triangle_rates(const world *w, const shell_triangle *s);
static step_rates bend_rates(const world *w, const shell_hinge *h);

/* Creates shells from their draft, with their clocks. */
static carom_status make_shells(world *w, shell_draft *d, error *e);

/* A row each of stretching, bending, and their damping. */
static carom_status shells_steps(const world *w, const initial_state *state, engine_steps *out, error *e);

#endif

/* Shells before they are made: elements with the numbers of their nodes, and their classes. */
#ifndef CAROM_VARIATIONAL_SHELL_DRAFT_H
#define CAROM_VARIATIONAL_SHELL_DRAFT_H

#include "variational/kernel/features/shells.h"

typedef struct shell_draft {
    shell_triangle *triangle; /* mesh by mesh, in its order */
    shell_hinge *hinge;
    uint32_t triangle_count, hinge_count;
    double *pull, *drag; /* [nodes] sums of what elements pull with, and drag */
    uint8_t *triangle_class, *hinge_class;
    double longest; /* step of class 0 */
} shell_draft;

/* From the scene's meshes. The draft is to be freed, also after a failure. */
static carom_status shell_draft_elements(const world *w, shell_draft *d, const initial_state *state, error *e);
static void shell_draft_free(shell_draft *d);

/* Sums pull and drag, and chooses the classes. */
static carom_status shell_draft_classes(const world *w, shell_draft *d, error *e);

/* No squared frequency is above what pulls at a node, over its mass, f, and no rate of decay above what drags at it, c:
 * kicks are stable below 2 / sqrt(f) and 2 / c. The least of an element's nodes. */
typedef struct shell_bounds {
    double pull, drag;
} shell_bounds;
static shell_bounds shell_bounds_of(const world *w, const shell_draft *d, const uint32_t *at, int count);

/* Which share of these is the longest step of an element. */
static double shell_share_of_bound(const world *w);

/* A bound of the largest eigenvalue of a hinge's second derivative at its present angle, for `stiff` = 1. */
static double shell_hinge_norm(const world *w, const shell_hinge *h);

static step_rates triangle_rates(const world *w, const shell_triangle *s);
static step_rates bend_rates(const world *w, const shell_hinge *h);

/* Makes shells from their draft, and gives them clocks. */
static carom_status make_shells(world *w, shell_draft *d, error *e);

/* A row each of stretching, bending, and their damping. */
static carom_status shells_steps(const world *w, const initial_state *state, engine_steps *out, error *e);

#endif

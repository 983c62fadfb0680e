/* Springs and hinges: potentials between named nodes. */
#ifndef CAROM_VARIATIONAL_SPRINGS_H
#define CAROM_VARIATIONAL_SPRINGS_H

#include "variational/kernel/features/feature.h"

static const feature springs_feature;

/* The error of a run whose spring or hinge has grown beyond LINK_REACH. */
static carom_status springs_stretched(const world *w, double t, error *e);

/* The longest step of springs and shells that is chosen where the scene gives none. */
static double longest_material_step(const world *w);

/* Below which step springs and hinges are stable: infinite where nothing pulls at anything that moves; NaN where there
 * is no memory. The step that follows from it. */
static double springs_bound(const world *w);
static double springs_step(const world *w, double bound);

/* Adds to [count] what pulls at each node: no squared frequency is above twice that, over its mass (Gershgorin). A
 * hinge pulls with its stiffness over the square of its shorter arm, hinge_pull, twice over, at its middle four
 * times. */
static void springs_pull(const world *w, double *pull);
static double hinge_pull(const world *w, const hinge *q);

static step_rates spring_rates(const world *w, const spring *q);
static step_rates hinge_rates(const world *w, const hinge *q);
#endif

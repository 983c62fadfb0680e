/* Springs and hinges: potentials between named nodes. */
#ifndef CAROM_VARIATIONAL_SPRINGS_H
#define CAROM_VARIATIONAL_SPRINGS_H

#include "variational/kernel/schedule/clocks.h"

/* The longest step of springs and shells that is chosen where the scene gives none. */
static double longest_material_step(const world *w);

/* Reads them from the scene and gives them a clock; refuses a step above the stability bound. */
static carom_status springs_create(world *w, error *e);

/* Below which step springs and hinges are stable: infinite where nothing pulls at anything that moves; NaN where there
 * is no memory. The step that follows from it. */
static double springs_bound(const world *w);
static double springs_step(const world *w, double bound);

/* Adds to [count] what pulls at each node: no squared frequency is above twice that, over its mass (Gershgorin). A hinge
 * pulls with its stiffness over the square of its shorter arm, hinge_pull, twice over, at its middle four times. */
static void springs_pull(const world *w, double *pull);
static double hinge_pull(const world *w, const hinge *q);

static void springs_fire(world *w, const clock *c, double t);

/* Adds to the ledger what the dashpots have taken, now that the kicks of the tick have been given. */
static void springs_book(world *w, double t);

/* What they hold at time t. */
static double springs_energy(const world *w, double t);

static step_rates spring_rates(const world *w, const spring *q);
static step_rates hinge_rates(const world *w, const hinge *q);
#endif

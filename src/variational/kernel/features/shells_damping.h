/* The damping of shells: linear, with a step that does not depend on it. See shells_damping.c. */
#ifndef CAROM_VARIATIONAL_SHELLS_DAMPING_H
#define CAROM_VARIATIONAL_SHELLS_DAMPING_H

#include "variational/kernel/features/shells_sums.h"

/* The bound of the step of so many stages, in units of that of one. */
static double stages_span(uint32_t stages);

/* The smallest number of stages for a step at which the damping decays at this rate. */
static uint32_t stages_for(double step, double rate);

/* Adds the damping of a class to its forces. */
static void damp(const world *w, const shell_class *c, double step, double t);

#endif

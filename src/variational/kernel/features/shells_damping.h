/* The damping of shells: linear, with a step that does not depend on it. See shells_damping.c. */
#ifndef CAROM_VARIATIONAL_SHELLS_DAMPING_H
#define CAROM_VARIATIONAL_SHELLS_DAMPING_H

#include "variational/kernel/features/shells.h"

/* Loops that the threads of shells_fire share. */
#define SHARED _Pragma("omp for schedule(static)")

/* The bound of the step of so many stages, in units of that of one. */
static double stages_span(uint32_t stages);

/* The smallest number of stages for a step at which the damping decays at this rate. */
static uint32_t stages_for(double step, double rate);

/* Adds the damping of a class to its forces. */
static void damp(const world *w, const shell_class *c, double step, double t);

/* The force on the first corner is opposite to the sum of those on the other two. */
static inline void balance(double (*slot)[3])
{
    for (int k = 0; k < 3; k++) slot[0][k] = -(slot[1][k] + slot[2][k]);
}

static inline void turn_hinge(double (*slot)[3], double moment, const vector3 gradient[4])
{
    for (int q = 0; q < 4; q++)
        for (int k = 0; k < 3; k++) slot[q][k] = moment * gradient[q][k];
}

/* Adds the slots of a node to its present sum. */
static inline void add_slots_of(const shells *s, const slot_list *of, uint32_t n, bool anew, double force[3])
{
    double sum[3] = {0};
    if (!anew) memcpy(sum, force, sizeof sum);
    for (uint32_t q = of->first[n]; q < of->first[n + 1]; q++)
        for (int k = 0; k < 3; k++) sum[k] += s->slot[of->at[q]][k];
    memcpy(force, sum, sizeof sum);
}

#endif

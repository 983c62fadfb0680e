/* Permitted drift of the energy balance of a run with time steps. It shares no code with the engines. */
#ifndef CAROM_OUTPUT_VERIFY_VERIFY_DRIFT_H
#define CAROM_OUTPUT_VERIFY_VERIFY_DRIFT_H

#include "frame/frame.h"
#include "scene/scene.h"

/* Settings of the scene that determine the steps (NULL: the defaults). */
typedef struct drift_steps {
    double courant;      /* steps, in units of their stability bounds */
    double gravity_step; /* of the kicks of gravity; 0: gravity is part of the flight */
    double exponent;     /* of the time steps and stiffnesses of the layers */
    double first;        /* step of the first layer; 0: not known */
} drift_steps;

/* `summary`: of the run, "" while it has not ended. */
drift_steps verify_drift_steps(const scene *s, const char *summary);

typedef struct drift_scales {
    double account; /* the largest energy in any account of the run */
    double flow;    /* the largest sum of m |v| */
    double rate;    /* largest change of the stored energy per unit of time, to the frame before and to the next one */
} drift_scales;

/* The permitted drift in this frame, the sum of four terms:
 *   The error while forces act. A force F kicks at the ends of its steps h; between them the energy has an error of up
 *     to F v h / 2. With the stored energy U, the kinetic energy K and h = courant sqrt(2 m / k) this is at most
 *     courant sqrt(2 U K), also for a sum of forces. Over n points, whose forces have independent phases, the sum
 *     scatters by 1 / sqrt(n) of it; three standard deviations are permitted. (Examples have errors of up to one: 1.5 %
 *     for the spring on a plane, two bodies; 0.0006 % for the cloths on spikes.)
 *   The part of it that has one sign: where contacts begin together, as in a gas that starts from a lattice, all forces
 *     oppose their motion, and the sum is h / 2 times the rate of the stored energy. Both parts are at most
 *     courant sqrt(2 U K).
 *   The permanent error. An impact that stores all of the energy changes it by up to 0.6 courant for an exponent of 2,
 *     0.25 courant from 3 on; n points share it among their impacts, and independent impacts scatter by 3 / sqrt(n) of
 *     it. (Random scenes of 24 to 54 points, the worst of 60: 0.56 and 0.24; 0.84 in one that went beyond layer 8.) At
 *     least courant / 50, 0.1 % by default, since losses are added up step by step. (Examples stay within 0.012 %; a
 *     reef knot at full size, with ribbons that slide without friction: 0.02 %.)
 *   The kicks of gravity, which are simultaneous: the momentum change of a step times the largest speed. During a
 *     contact the energy has an error of half of it. */
double verify_drift_allowed(const carom_frame *f, const frame_energy *energy, drift_steps steps, drift_scales scales);

#endif

/* Permitted drift of the energy balance of a run with time steps. It shares no code with the engines. */
#ifndef CAROM_OUTPUT_VERIFY_VERIFY_DRIFT_H
#define CAROM_OUTPUT_VERIFY_VERIFY_DRIFT_H

#include "frame/frame.h"
#include "scene/scene.h"

/* Settings of the scene that determine the steps (NULL: the defaults). */
typedef struct drift_steps {
    double courant;      /* steps, in units of their stability bounds */
    double gravity_step; /* of gravity's kicks; 0: gravity is part of the flight */
    double exponent;     /* of the steps and stiffnesses of layers */
} drift_steps;

drift_steps verify_drift_steps(const scene *s);

/* In this frame, `scale` being the largest energy in any account of the run and `flow` the largest sum of m |v|. The sum of:
 *   what lasts as long as forces act. A force F kicks at the ends of its steps h, so that in between the energy is off by
 *     up to F v h / 2. With U the energy that it stores, K that of the motion and h = courant sqrt(2 m / k) that is at most
 *     courant sqrt(2 U K), also of a sum. Over n points, whose forces are at independent phases, sums scatter by
 *     1 / sqrt(n) of it: three times that. (Examples are off by up to one: 1.5 % of the spring on a plane, two bodies;
 *     0.0006 % of the cloths on spikes.)
 *   what remains. An impact that stores all of the energy scatters it by up to 0.6 courant where the exponent is 2, 0.25
 *     courant from 3 on; over n points impacts share it, and independent ones scatter by 3 / sqrt(n) of that. (Random
 *     scenes of 24 to 54 points, the worst of 60: 0.56 and 0.24; 0.84 where one went beyond layer 8.) Not less than
 *     courant / 50, 0.1 % by default: losses are booked a step at a time. (Examples keep within 0.012 %; a reef knot at full
 *     size, ribbons that rub without loss: 0.02 %.)
 *   kicks of gravity, which all come at once: a step's change of momentum times the fastest speed. Where they find a contact
 *     the energy is off by half of it. */
double verify_drift_allowed(const carom_frame *f, const frame_energy *energy, drift_steps steps, double scale,
                            double flow);

#endif

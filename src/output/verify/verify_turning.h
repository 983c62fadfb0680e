/* The angular momentum about the origin of a frame with rotating particles. It shares no code with the engines. */
#ifndef CAROM_OUTPUT_VERIFY_VERIFY_TURNING_H
#define CAROM_OUTPUT_VERIFY_VERIFY_TURNING_H

#include "frame/frame.h"

typedef struct turning_sum {
    bool known;        /* no external torque: no gravity, no walls, no periodic axis */
    double angular[3]; /* true units */
    double scale;      /* sum of the magnitudes of its terms: the scale of rounding errors */
} turning_sum;

turning_sum verify_turning(const carom_frame *f);

#endif

/* The angular momentum of a frame whose particles turn, about the origin. It shares no code with the engines. */
#ifndef CAROM_OUTPUT_VERIFY_VERIFY_TURNING_H
#define CAROM_OUTPUT_VERIFY_VERIFY_TURNING_H

#include "frame/frame.h"

typedef struct turning_sum {
    bool known;        /* nothing from outside turns it: no gravity, no walls, no periodic axis */
    double angular[3]; /* true units */
    double scale;      /* sum of its terms: what rounding is measured by */
} turning_sum;

turning_sum verify_turning(const carom_frame *f);

#endif

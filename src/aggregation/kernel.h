/* The compiled copies of the kernels, by method and dimension. */
#ifndef CAROM_AGGREGATION_KERNEL_H
#define CAROM_AGGREGATION_KERNEL_H

#include "engine/engine.h"

extern const engine_kernel aggregation_events_2d, aggregation_events_3d;
extern const engine_kernel aggregation_steps_2d, aggregation_steps_3d;
extern const engine_kernel aggregation_rotating_2d, aggregation_rotating_3d;

#endif

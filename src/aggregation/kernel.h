/* The compiled copies of the kernels, by method and dimension. */
#ifndef CAROM_AGGREGATION_KERNEL_H
#define CAROM_AGGREGATION_KERNEL_H

#include "engine/engine.h"

/* The copy that is being compiled. */
#define AGGREGATION_KERNEL(method) AGGREGATION_KERNEL_OF(method, CAROM_DIM)
#define AGGREGATION_KERNEL_OF(method, dimension) AGGREGATION_KERNEL_NAME(method, dimension)
#define AGGREGATION_KERNEL_NAME(method, dimension) aggregation_##method##_##dimension##d

extern const engine_kernel aggregation_events_2d, aggregation_events_3d;
extern const engine_kernel aggregation_steps_2d, aggregation_steps_3d;
extern const engine_kernel aggregation_rotating_2d, aggregation_rotating_3d;

#endif

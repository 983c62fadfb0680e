/* The compiled copies of the kernel, by dimension. */
#ifndef CAROM_VARIATIONAL_KERNEL_H
#define CAROM_VARIATIONAL_KERNEL_H

#include "engine/engine.h"

extern const engine_kernel variational_kernel_2d, variational_kernel_3d;

#endif

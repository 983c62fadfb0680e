/* The compiled variants of the kernel, by dimension and by variational.contact. */
#ifndef CAROM_VARIATIONAL_KERNEL_H
#define CAROM_VARIATIONAL_KERNEL_H

#include "engine/engine.h"

extern const engine_kernel kernel_variational_2d, kernel_variational_3d;
extern const engine_kernel kernel_variational_3d_avx2;
extern const engine_kernel kernel_variational_2d_impulses, kernel_variational_3d_impulses;
extern const engine_kernel kernel_variational_2d_realigned, kernel_variational_3d_realigned;

/* The variant for an instruction set (base/cores.h), of variational.contact: layers. NULL: this build has none, or the machine
 * lacks it. */
const engine_kernel *variational_kernel_level(int dimension, int level);

#endif

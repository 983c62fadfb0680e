/* Interface of each variant of the kernel (dimension, number type). */
#ifndef CAROM_HARD_KERNEL_H
#define CAROM_HARD_KERNEL_H

#include "engine/engine.h"

typedef struct hard_kernel {
    engine_kernel run;
    /* Starts growth of all radii at `rate` (1 / time, relative to the present radii), up to `factor` times their
     * size. */
    carom_status (*grow)(void *self, double rate, double factor, error *e);
} hard_kernel;

extern const hard_kernel hard_kernel_2d_float, hard_kernel_3d_float;
extern const hard_kernel hard_kernel_2d_double, hard_kernel_3d_double;
extern const hard_kernel hard_kernel_2d_double_remedies, hard_kernel_3d_double_remedies; /* for hard.detection */
#ifdef CAROM_HAVE_ISA_LEVELS
extern const hard_kernel hard_kernel_2d_double_avx2, hard_kernel_3d_double_avx2;
extern const hard_kernel hard_kernel_2d_double_avx512, hard_kernel_3d_double_avx512;
#endif
extern const hard_kernel hard_kernel_2d_long_double, hard_kernel_3d_long_double;
#ifdef CAROM_HAVE_QUAD
extern const hard_kernel hard_kernel_2d_quad, hard_kernel_3d_quad;
#endif

/* Double precision for any machine (level 0), for AVX2 (1) and AVX-512 (2), with the same bits. NULL if the machine
 * lacks the instructions. */
const hard_kernel *hard_kernel_level(int dimension, int level);

/* The fastest of these kernels. */
const hard_kernel *hard_kernel_double(int dimension);

#endif

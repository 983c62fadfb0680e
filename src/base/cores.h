/* Cores that this process may use, and their instruction sets. */
#ifndef CAROM_BASE_CORES_H
#define CAROM_BASE_CORES_H

/* Number of cores that this process may use: a job of a batch system may have only some of those of the machine, a
 * container only a share of their time. At least 1. */
int cores_usable(void);

/* Instruction sets for which kernels are compiled, each with those before it. */
enum { CORES_ANY, CORES_AVX2, CORES_AVX512, CORES_LEVELS };

/* The last of them that this machine has and this build uses. */
int cores_level(void);

#endif

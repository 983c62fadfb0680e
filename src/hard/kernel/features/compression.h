/* Compression during a run. */
#ifndef CAROM_HARD_KERNEL_COMPRESSION_H
#define CAROM_HARD_KERNEL_COMPRESSION_H

#include "hard/kernel/gas.h"

typedef struct compression {
    double kinetic;  /* kinetic energy at the start */
    double virial;   /* trace of the virial at the last re-basing */
    double pressure; /* P V / (N T) at the last re-basing */
} compression;

/* Local time at which a re-basing is due, because of the growth of the spheres. */
static real compression_due(const gas *g);

/* Adds the work of surfaces that move apart at `speed` during an impulse. */
static void compression_count_work(gas *g, real impulse, real speed);

#endif

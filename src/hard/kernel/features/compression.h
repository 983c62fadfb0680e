/* Runs that compress. */
#ifndef CAROM_HARD_KERNEL_COMPRESSION_H
#define CAROM_HARD_KERNEL_COMPRESSION_H

#include "hard/kernel/gas.h"

typedef struct compression {
    double kinetic;  /* energy of motion at the start, */
    double virial;   /* trace of the virial, */
    double pressure; /* and P V / (N T), as of the last re-basing */
} compression;

/* Local time at which clocks have to be re-based, as spheres may not grow further. */
static real compression_due(const gas *g);

/* Surfaces that grow at `speed` do work in a contact. */
static void compression_count_work(gas *g, real impulse, real speed);

#endif

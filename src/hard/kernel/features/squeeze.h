/* Runs that compress. */
#ifndef CAROM_HARD_KERNEL_SQUEEZE_H
#define CAROM_HARD_KERNEL_SQUEEZE_H

#include "hard/kernel/gas.h"

static inline bool is_squeezed(const gas *g)
{
    return g->settings->compression.rate > 0;
}

static void squeeze_start(gas *g);

/* Makes box and walls fit the size. */
static void squeeze_fit(gas *g);

/* Local time at which clocks have to be re-based, as spheres may not grow further. */
static real squeeze_due(const gas *g);

/* What is due when clocks are re-based at local time t. */
static void squeeze(gas *g, real t);

/* Surfaces that grow at `speed` do work in a contact. */
static void squeeze_count_work(gas *g, real impulse, real speed);

#endif

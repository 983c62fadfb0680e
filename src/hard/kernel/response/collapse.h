/* Inelastic collapse, and runs without progress. */
#ifndef CAROM_HARD_KERNEL_COLLAPSE_H
#define CAROM_HARD_KERNEL_COLLAPSE_H

#include "hard/kernel/gas.h"

/* In single precision a body gets somewhere while it comes nearer by the rounding of a gap: there sliding is no
 * standing still. */
enum { DETECTS_SLIDING = CAROM_REAL != 3 };

/* Watches a collision of body i at local time t, the one before having been at `before`; false: inelastic collapse. */
static bool collapse_watch(gas *g, uint32_t i, real t, real before);
static void collapse_report(const gas *g, uint32_t i, error *e);

/* Watches the stage that ends with a re-basing now; false: no progress, time hardly passes for any body. */
static bool progress_watch(gas *g);
static carom_status progress_report(const gas *g, error *e);

#endif

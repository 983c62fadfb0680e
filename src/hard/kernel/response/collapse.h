/* Detection of inelastic collapse and of runs without progress. */
#ifndef CAROM_HARD_KERNEL_COLLAPSE_H
#define CAROM_HARD_KERNEL_COLLAPSE_H

#include "hard/kernel/gas.h"

/* In single precision a body moves noticeably while it approaches by the rounding of a gap: sliding is progress
 * there. */
enum { DETECTS_SLIDING = CAROM_REAL != 3 };

/* Registers a collision of body i at local time t, after one at `before`. Returns false at inelastic collapse. */
static bool collapse_watch(gas *g, uint32_t i, real t, real before);
static void collapse_report(const gas *g, uint32_t i, error *e);

/* Tests the stage that ends with the present re-basing. Returns false without progress: time hardly advances. */
static bool progress_watch(gas *g);
static bool may_be_stalled(const gas *g); /* a condition for that without sums over bodies */
static carom_status progress_report(const gas *g, error *e);

#endif

/* Predictions of a body against its neighbours and surfaces. */
#ifndef CAROM_HARD_KERNEL_PREDICT_H
#define CAROM_HARD_KERNEL_PREDICT_H

#include "hard/kernel/gas.h"

/* Improves the plan of i by the bodies of a list (padded with i itself to a multiple of 8). */
static void predict(const gas *g, uint32_t i, const uint32_t *list, uint32_t length, plan *p);

/* Improves the plan of each body of a list by the body at the same place in the other list: spheres without features
 * that affect the prediction. Both lists are padded with one body to a multiple of 8. */
static void predict_pairs(gas *g, const uint32_t *i, const uint32_t *j, uint32_t count);

/* Improves the plan of i by walls and planes. */
static void plan_surfaces(const gas *g, uint32_t i, plan *p);

#endif

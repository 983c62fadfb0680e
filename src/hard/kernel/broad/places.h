/* The places of the bodies in the structures that find neighbours, in checkpoints. */
#ifndef CAROM_HARD_KERNEL_PLACES_H
#define CAROM_HARD_KERNEL_PLACES_H

#include "hard/kernel/gas.h"

/* `searched`: the gas with lists or cells; g itself, or a domain of it. `origins`: the list origins of the bodies; NULL:
 * those in the plans of g. */
static carom_status places_save(const gas *g, const gas *searched, const void *origins, snapshot *out, error *e);

/* Finds neighbours and makes new predictions after all other parts of a checkpoint have been loaded. */
static carom_status places_load(gas *g, const snapshot *in, error *e);

#endif

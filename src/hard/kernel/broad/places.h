/* The places of the bodies in the structures that find neighbours, in checkpoints. */
#ifndef CAROM_HARD_KERNEL_PLACES_H
#define CAROM_HARD_KERNEL_PLACES_H

#include "hard/kernel/gas.h"

/* `searched`: the gas with lists or cells to which the places in the plans of g belong; g itself, or a domain of it. */
static carom_status places_save(const gas *g, const gas *searched, snapshot *out, error *e);

/* Finds neighbours and makes new predictions after all other parts of a checkpoint have been loaded. */
static carom_status places_load(gas *g, const snapshot *in, error *e);

#endif

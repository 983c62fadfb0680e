/* The reference path: the paper's algorithms 2 to 5, with one event per force, one certificate per pair, all pairs,
 * and one binary heap. */
#ifndef CAROM_VARIATIONAL_REFERENCE_H
#define CAROM_VARIATIONAL_REFERENCE_H

#include "variational/kernel/world.h"

static const observer reference_observer;

#endif

/* The oracle: the paper's algorithms 2 to 5, one event a force, one certificate a pair, all pairs, one binary heap. */
#ifndef CAROM_VARIATIONAL_REFERENCE_H
#define CAROM_VARIATIONAL_REFERENCE_H

#include "variational/kernel/world.h"

static const observer reference_observer;

#endif

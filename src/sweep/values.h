/* The values of a parameter. */
#ifndef CAROM_SWEEP_VALUES_H
#define CAROM_SWEEP_VALUES_H

#include "scene/language/reader.h"
#include "sweep/sweep.h"

/* Any value that a scene may hold: a scalar, a list, a map. False where it is none; reported. */
bool sweep_read_value(reader *r, const node *n, sweep_value *out);

#endif

/* The values of a parameter. */
#ifndef CAROM_SWEEP_VALUES_H
#define CAROM_SWEEP_VALUES_H

#include "scene/language/reader.h"
#include "sweep/sweep.h"

/* Any value in a scene: a scalar, a list, or a map. Returns false, with a message, for anything else. */
bool sweep_read_value(reader *r, const node *n, sweep_value *out);

#endif

/* The beginning of a drive that holds nodes that were free before: only the scene moves them from then on. */
#ifndef CAROM_VARIATIONAL_DRIVE_HOLD_H
#define CAROM_VARIATIONAL_DRIVE_HOLD_H

#include "variational/kernel/world.h"

/* Stops the nodes at time t at their present positions. They then need new certificates. If one of them presses on a
 * driven element, only w->progress.squeezed changes. */
static carom_status drive_hold_nodes(world *w, uint32_t drive, const uint32_t *at, uint32_t count, double t, error *e);

#endif

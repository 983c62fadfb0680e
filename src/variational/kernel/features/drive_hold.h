/* A drive begins, and holds the nodes that it has left free: only the scene moves them from then on. */
#ifndef CAROM_VARIATIONAL_DRIVE_HOLD_H
#define CAROM_VARIATIONAL_DRIVE_HOLD_H

#include "variational/kernel/world.h"

/* They stand still at time t, where they are, and are to be given certificates. Where one of them presses on something
 * that gives no way either nothing is changed but w->squeezed. */
static carom_status drive_hold_nodes(world *w, uint32_t drive, const uint32_t *at, uint32_t count, double t, error *e);

#endif

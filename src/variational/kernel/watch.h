/* What watches the sleeping layers, all of which follows from the state. */
#ifndef CAROM_VARIATIONAL_WATCH_H
#define CAROM_VARIATIONAL_WATCH_H

#include "variational/kernel/world.h"

/* Nothing is awake, nobody is near anybody; the clocks of springs and gravity run. */
carom_status watch_begin(world *w, error *e);
void watch_end(world *w);

/* Takes up a contact from a checkpoint. */
void watch_adopt(world *w, const contact *from);

#endif

/* The commented scenes that `carom init` writes: src/sim/starters/NAME.yaml, compiled in. The first line of each is
 * "# NAME: what it is". */
#ifndef CAROM_SIM_STARTER_H
#define CAROM_SIM_STARTER_H

#include "base/text.h"

/* The scene of a name, or of an engine; NULL where there is none. A name of NULL is the first engine. */
const char *starter_scene(const char *name);

/* The name of the starter that other words for it mean, or the nearest; NULL where none is near. */
const char *starter_near(const char *word);

/* A line each: its name, and what it is. */
void starter_list(text_buffer *to);

#endif

/* The commented scenes that `carom init` writes: src/sim/starters/NAME.yaml, compiled in. The first line of each is
 * "# NAME: what it is". */
#ifndef CAROM_SIM_STARTER_H
#define CAROM_SIM_STARTER_H

#include "base/text.h"

/* The scene with a name, or that of an engine; NULL: none. A name of NULL is the first engine. */
const char *starter_scene(const char *name);

/* The starter with this synonym, or the nearest name; NULL if no name is near. */
const char *starter_near(const char *word);

/* One line for each: name and description. */
void starter_list(text_buffer *to);

#endif

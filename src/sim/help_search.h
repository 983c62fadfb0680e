/* `carom help WORD` for a word that is not a key. */
#ifndef CAROM_SIM_HELP_SEARCH_H
#define CAROM_SIM_HELP_SEARCH_H

#include "base/error.h"

/* Keys, observables and sections of the guides on a word, best match first. CAROM_USAGE if there are none; the
 * message suggests the nearest word. Freed with memory_free. */
carom_status help_search(const char *word, char **out, error *e);

/* Adds the sections of the guides on a word to a text, which is reallocated. */
carom_status help_add_guides(const char *word, char **text, error *e);

#endif

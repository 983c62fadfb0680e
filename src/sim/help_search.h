/* `carom help WORD`, where the word is no key. */
#ifndef CAROM_SIM_HELP_SEARCH_H
#define CAROM_SIM_HELP_SEARCH_H

#include "base/error.h"

/* The keys, observables and sections of the guides that are about a word, best first. CAROM_USAGE, with the nearest word
 * there is, where nothing is. Freed with memory_free. */
carom_status help_search(const char *word, char **out, error *e);

/* Adds the sections of the guides about a word to a text, which moves. */
carom_status help_add_guides(const char *word, char **text, error *e);

#endif

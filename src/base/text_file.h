/* Text files as a whole. */
#ifndef CAROM_BASE_TEXT_FILE_H
#define CAROM_BASE_TEXT_FILE_H

#include "base/error.h"

/* All of a file in *text (freed with memory_free, also after a failure). `what` names its kind in messages ("scene"),
 * `remedy` says what to do where it is larger than 1 GB. CAROM_NO_INPUT where it cannot be opened or read. */
carom_status text_file_read(const char *path, const char *what, const char *remedy, char **text, size_t *length,
                            error *e);

/* The folder part of a path, with its '/' only where it is the root; "" where it has none. NULL: no memory. Freed with
 * memory_free. */
char *text_file_folder(const char *path);

#endif

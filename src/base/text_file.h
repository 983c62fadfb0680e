/* Reading of complete text files. */
#ifndef CAROM_BASE_TEXT_FILE_H
#define CAROM_BASE_TEXT_FILE_H

#include "base/error.h"

/* The contents of a file in *text (freed with memory_free, also after a failure). `what` is its kind in messages
 * ("scene"), `remedy` the recommended action for files above 1 GB. CAROM_NO_INPUT if it cannot be opened or read. */
carom_status text_file_read(const char *path, const char *what, const char *remedy, char **text, size_t *length,
                            error *e);

/* The folder part of a path, with its '/' only for the root; "" if it has none. NULL: no memory. Freed with
 * memory_free. */
char *text_file_folder(const char *path);

#endif

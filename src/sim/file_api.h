/* What of a carom_file others of this room need. */
#ifndef CAROM_SIM_FILE_API_H
#define CAROM_SIM_FILE_API_H

#include "output/read.h"

/* The reader of a result that has frames; CAROM_BAD_DATA where there are none to `purpose`. It stays the file's. */
carom_status file_frames(carom_file *file, const char *purpose, reader **out, error *e);

#endif

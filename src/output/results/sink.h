/* A text file that is written: buffered, and each failure kept until the end. */
#ifndef CAROM_OUTPUT_RESULTS_SINK_H
#define CAROM_OUTPUT_RESULTS_SINK_H

#include "base/error.h"
#include "base/text.h"

typedef struct sink {
    char *path;
    int fd;
    int failure;      /* errno of the first write that failed */
    bool made;        /* the file is ours to remove */
    text_buffer text; /* what has not been written yet */
} sink;

/* Makes the folders that `path` names and that are not there. CAROM_NO_CREATE where the file exists and !force, or cannot be made. */
carom_status sink_open(sink *s, const char *path, bool force, error *e);

/* Writes out what has gathered, once it is much. To be called now and then. */
void sink_pass(sink *s);

/* Writes the rest and closes. `status`: of the work so far; unless that and the writing went well, the file is
 * removed. */
carom_status sink_close(sink *s, carom_status status, error *e);

#endif

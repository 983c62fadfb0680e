/* A text file for writing, buffered; failures are reported at the end. */
#ifndef CAROM_OUTPUT_RESULTS_SINK_H
#define CAROM_OUTPUT_RESULTS_SINK_H

#include "base/error.h"
#include "base/text.h"

typedef struct sink {
    char *path;
    int fd;
    int failure;      /* errno of the first failed write */
    bool made;        /* a regular file, to be removed after a failure */
    text_buffer text; /* data not yet written */
} sink;

/* Opens the file and creates missing folders of `path`. CAROM_NO_CREATE: the file exists and !force, or cannot be
 * created. */
carom_status sink_open(sink *s, const char *path, bool force, error *e);

/* Writes the buffer if it is large. To be called repeatedly. */
void sink_pass(sink *s);

/* Writes the rest and closes. `status`: the status so far; after an error, or if writing fails, the file is removed. */
carom_status sink_close(sink *s, carom_status status, error *e);

#endif

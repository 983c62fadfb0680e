/* The open file of a reader, for the files that read parts of it. */
#ifndef CAROM_OUTPUT_RESULTS_READ_FILE_H
#define CAROM_OUTPUT_RESULTS_READ_FILE_H

#include "output/results/read.h"

hid_t reader_file(const reader *r);

/* Reports that `what` cannot be read. */
carom_status reader_broken(const reader *r, const char *what, error *e);

/* ---- read_events.c ---- */

/* Compares the blocks that contain the first `rows` events with their digests. */
carom_status reader_check_events(const reader *r, uint64_t rows, error *e);

/* Makes the first `rows` events of a file that is being written readable; false: they are not there. */
bool reader_refresh_events(const reader *r, uint64_t rows);

#endif

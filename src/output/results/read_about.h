/* Reading of the properties of the run, without its frames. */
#ifndef CAROM_OUTPUT_RESULTS_READ_ABOUT_H
#define CAROM_OUTPUT_RESULTS_READ_ABOUT_H

#include "output/results/read.h"

/* Fills all members but `bytes` and `live`; frames: number of complete ones by the file. CAROM_BAD_DATA: *fault
 * names the unreadable data (no text is set). Freed with about_free, also after a failure. */
carom_status about_read(result_about *about, hid_t file, const char **fault, error *e);
/* The part for /carom/observables; `complete` is the number of complete rows of each table in order. */
carom_status about_read_observables(result_about *about, hid_t file, const uint64_t *complete, size_t count,
                                    const char **fault, error *e);

/* Opens the dataset of a column; negative on failure. */
hid_t about_open_column(hid_t file, const reader_observable *o, size_t table, size_t column);
void about_free_observables(result_about *about);

void about_free(result_about *about);

/* Compares rows [0, rows) of a series with their digests; CAROM_BAD_DATA without a text. *column: the one that
 * cannot be read, or SIZE_MAX. */
carom_status about_check_series(hid_t file, const reader_observable *o, size_t table, uint64_t rows, size_t *column,
                                error *e);

#endif

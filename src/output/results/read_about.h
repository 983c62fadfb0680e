/* The part of reading that is about the run, not its frames. */
#ifndef CAROM_OUTPUT_RESULTS_READ_ABOUT_H
#define CAROM_OUTPUT_RESULTS_READ_ABOUT_H

#include "output/results/read.h"

/* Fills everything but `bytes` and `live`; frames as the file says they are whole. CAROM_BAD_DATA: *fault is what
 * cannot be read (no text is set); CAROM_INTERNAL: no memory. What is there is freed with about_free also after a
 * failure. */
carom_status about_read(result_about *about, hid_t file, const char **fault, error *e);
/* Its part for /carom/observables; `complete` is the number of whole rows of each table in turn. */
carom_status about_read_observables(result_about *about, hid_t file, const uint64_t *complete, size_t count,
                                    const char **fault, error *e);

/* Opens a column's dataset; negative where that fails. */
hid_t about_open_column(hid_t file, const reader_observable *o, size_t table, size_t column);
void about_free_observables(result_about *about);

void about_free(result_about *about);

/* Whether rows [0, rows) of a series are what was written; CAROM_BAD_DATA without a text. *column: the one that cannot
 * be read, or SIZE_MAX. */
carom_status about_check_series(hid_t file, const reader_observable *o, size_t table, uint64_t rows, size_t *column,
                                error *e);

#endif

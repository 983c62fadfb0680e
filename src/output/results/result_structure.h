/* Structure of a result file before its first frame. */
#ifndef CAROM_OUTPUT_RESULTS_RESULT_STRUCTURE_H
#define CAROM_OUTPUT_RESULTS_RESULT_STRUCTURE_H

#include "output/results/layout.h"
#include "output/results/result.h"

/* Creates all groups, datasets and attributes of the file: SWMR permits no new ones. has[i]: whether channel i is
 * stored. */
bool result_lay_out(hid_t file, const result_header *header, const result_observable *watched, size_t watched_count,
                    const carom_frame *first, const bool has[FRAME_CHANNELS_MOST], bool digests);

/* The part for events: result_events.c. */
bool events_make(hid_t file, const result_header *header, int dimension);

#endif

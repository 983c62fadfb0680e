/* A result file before its first frame, made in memory: HDF5 survives a failed write badly, least so when new. */
#ifndef CAROM_OUTPUT_RESULT_IMAGE_H
#define CAROM_OUTPUT_RESULT_IMAGE_H

#include "output/layout.h"
#include "output/result.h"

/* The bytes of the file, with all that it will ever hold but the rows. Freed with free. CAROM_INTERNAL. */
carom_status result_image(void **image, size_t *size, const result_header *header, const result_observable *watched,
                          size_t watched_count, const carom_frame *first, error *e);

#endif

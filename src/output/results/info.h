/* Contents of a result or a checkpoint, as text or as one JSON object. */
#ifndef CAROM_OUTPUT_RESULTS_INFO_H
#define CAROM_OUTPUT_RESULTS_INFO_H

#include "output/results/checkpoint.h"
#include "output/results/read.h"

/* *out is freed with memory_free. CAROM_INTERNAL: no memory. */
carom_status info_result(const reader *r, bool json, char **out, error *e);
carom_status info_checkpoint(const checkpoint *c, const char *path, bool json, char **out, error *e);

#endif

/* The JSON output of info. */
#ifndef CAROM_OUTPUT_RESULTS_INFO_JSON_H
#define CAROM_OUTPUT_RESULTS_INFO_JSON_H

#include "output/results/checkpoint.h"
#include "output/results/read.h"

carom_status info_result_json(const reader *r, const result_links *links, const carom_frame *last, char **out,
                              error *e);
carom_status info_checkpoint_json(const checkpoint *c, const char *path, char **out, error *e);

#endif

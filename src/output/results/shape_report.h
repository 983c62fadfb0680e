/* Report of a study of shapes, as text for a terminal, JSON and CSV (docs/formats.md). */
#ifndef CAROM_OUTPUT_RESULTS_SHAPE_REPORT_H
#define CAROM_OUTPUT_RESULTS_SHAPE_REPORT_H

#include "measure/shape.h"

typedef struct shape_report {
    const shape_study *study;
    const char *const *files;
    size_t file_count;
    int64_t frame; /* requested frame: a number, CAROM_SHAPE_LAST or CAROM_SHAPE_ALL */
} shape_report;

/* *out is freed with memory_free. CAROM_INTERNAL: no memory. */
carom_status shape_report_text(const shape_report *r, char **out, error *e);
carom_status shape_report_json(const shape_report *r, char **out, error *e);
carom_status shape_report_csv(const shape_report *r, char **out, error *e);

extern const char *const shape_state_names[], *const shape_source_names[];

#endif

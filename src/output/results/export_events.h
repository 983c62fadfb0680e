/* Recorded events as a table. */
#ifndef CAROM_OUTPUT_RESULTS_EXPORT_EVENTS_H
#define CAROM_OUTPUT_RESULTS_EXPORT_EVENTS_H

#include "output/results/read.h"
#include "output/results/sink.h"

carom_status export_events(const reader *r, sink *s, error *e);

#endif

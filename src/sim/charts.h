/* Charts of what a run observes, for the live page: series are thinned out as they grow, other tables are as they
 * were last. */
#ifndef CAROM_SIM_CHARTS_H
#define CAROM_SIM_CHARTS_H

#include "measure/measure.h"
#include "output/results/read.h"

typedef struct charts charts;

charts *charts_new(void); /* NULL: no memory */
void charts_free(charts *c);

/* What observable number k of the scene gives now: of its series, the rows that have not been taken. */
carom_status charts_take(charts *c, size_t k, const char *what, const measure_result *now, error *e);

/* All that a result stores. */
carom_status charts_take_result(charts *c, const reader *r, error *e);

/* Whether something was taken since charts_text was called. */
bool charts_changed(const charts *c);

/* One JSON object (docs/view.md); freed with memory_free. NULL: no memory. */
char *charts_text(charts *c);

#endif

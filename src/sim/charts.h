/* Charts of the observables of a run, for the live page: long series are thinned out, other tables show their last
 * contents. */
#ifndef CAROM_SIM_CHARTS_H
#define CAROM_SIM_CHARTS_H

#include "measure/measure.h"
#include "output/results/read.h"

typedef struct charts charts;

charts *charts_new(void); /* NULL: no memory */
void charts_free(charts *c);

/* Takes the present tables of observable number k of the scene: of series, the rows since the last call. */
carom_status charts_take(charts *c, size_t k, const char *what, const measure_result *now, error *e);

/* Takes all tables stored in a result. */
carom_status charts_take_result(charts *c, const reader *r, error *e);

/* Whether there are new data since the last call of charts_text. */
bool charts_changed(const charts *c);

/* One JSON object (docs/view.md); freed with memory_free. NULL: no memory. */
char *charts_text(charts *c);

#endif

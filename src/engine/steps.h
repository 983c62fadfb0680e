/* The time steps of a run, kind by kind, and the elements that determine them: what `carom check` shows. */
#ifndef CAROM_ENGINE_STEPS_H
#define CAROM_ENGINE_STEPS_H

#include "base/error.h"

enum { STEPS_MOST = 12 };

typedef struct engine_steps {
    carom_step at[STEPS_MOST];
    size_t count;
} engine_steps;

/* A new row; bound: of stability, 0 where there is none. */
carom_step *steps_add(engine_steps *all, const char *kind, double step, double bound, uint64_t elements);

/* The row of a kind; NULL: there is none. */
carom_step *steps_find(engine_steps *all, const char *kind);

/* What elements cost, in kicks per unit of time. */
typedef struct steps_costs {
    double *rates; /* [count] by which elements are removed, the highest first; sorted here, descending */
    size_t count;
    double (*up_to)(void *data, double rate); /* cost of those elements alone whose rate is not above `rate` */
    void *data;
} steps_costs;

/* Warns, on the row, of the fewest elements that cost ten times all the others together: what the run costs with them,
 * less what it costs without, over the latter. 1, 2, 4, ... of them are tried, up to a hundredth of all; of fewer than a
 * thousand up to a tenth and ten. Elements of equal rates stay together. `remedy`: what to do. */
void steps_find_outliers(carom_step *row, const steps_costs *costs, const char *remedy);

#endif

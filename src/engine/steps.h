/* The time steps of a run, by kind, and the elements that determine them, for `carom check`. */
#ifndef CAROM_ENGINE_STEPS_H
#define CAROM_ENGINE_STEPS_H

#include "base/error.h"

enum { STEPS_MOST = 12 };

typedef struct engine_steps {
    carom_step at[STEPS_MOST];
    size_t count;
} engine_steps;

/* Adds a row. bound: limit of stability, 0 if there is none. */
carom_step *steps_add(engine_steps *all, const char *kind, double step, double bound, uint64_t elements);

/* The row of a kind; NULL if there is none. */
carom_step *steps_find(engine_steps *all, const char *kind);

/* The cost of elements, in kicks per unit of time. */
typedef struct steps_costs {
    double *rates; /* [count] rates by which elements are removed, highest first; sorted here in descending order */
    size_t count;
    double (*up_to)(void *data, double rate); /* cost of the elements with rates of at most `rate` */
    void *data;
} steps_costs;

/* Adds a warning to the row if a few elements cost ten times as much as all others together; it reports the smallest
 * such number of elements. The reported ratio is the additional cost of these elements divided by the cost of the run
 * without them. The numbers 1, 2, 4, ... are tested, up to a hundredth of all elements; below a thousand elements up to
 * a tenth, and at most ten. Elements of equal rates stay together. `remedy`: recommended action. */
void steps_find_outliers(carom_step *row, const steps_costs *costs, const char *remedy);

#endif

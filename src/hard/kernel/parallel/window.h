/* Windows of time: the steps of a domain. Each may follow the one before only when all domains have done that. */
#ifndef CAROM_HARD_KERNEL_WINDOW_H
#define CAROM_HARD_KERNEL_WINDOW_H

#include "hard/kernel/parallel/domain.h"

/* Executes all events up to crew.until, and writes the histories of bodies that have copies elsewhere. Begins with the
 * end of the window before (crew.ending). */
static void window_run(domain *d);

/* Compares the histories of copies with those of their originals. Sets domain.halt to the first time at which they may
 * differ. */
static void window_compare(domain *d);

/* Ends a window: takes over its events, and the states of copies from their originals; or returns to its start. */
static void window_end(domain *d);

#endif

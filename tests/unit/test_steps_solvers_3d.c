/* test_steps_solvers.c in three dimensions. */
#define CAROM_DIM 3
#include "test_steps_solvers.c"

/* Detects what test_steps_solvers.c detects, in three dimensions. */
#define CAROM_DIM 3
#include "test_steps_solvers.c"

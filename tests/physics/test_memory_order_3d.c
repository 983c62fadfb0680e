/* Detects what test_memory_order.c detects, in three dimensions. */
#define CAROM_DIM 3
#include "test_memory_order.c"

/* The kernel of clusters that turn: that of events, with the files of this folder in place of those of the same
 * name. */
#define CAROM_ROTATING 1
#include "aggregation/kernel/events/kernel.c"

/* The kernel of rotating clusters: the kernel of events, in which files of this folder replace those of the same
 * name. */
#define CAROM_ROTATING 1
#include "aggregation/kernel/events/kernel.c"

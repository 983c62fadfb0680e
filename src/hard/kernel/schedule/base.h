/* The state as it was at the last re-basing, which checkpoints hold. */
#ifndef CAROM_HARD_KERNEL_BASE_H
#define CAROM_HARD_KERNEL_BASE_H

#include "hard/kernel/features/feature.h"

enum { CORE_PARTS = 19, MOST_PARTS = CORE_PARTS + MOST_SAVED };

struct base {
    snapshot_part part[MOST_PARTS]; /* in `bytes` */
    int count;
    size_t size;
    char *bytes;
};

/* The parts of the state. `loading`: without those whose sizes vary, which features load by themselves. */
static int parts_of(gas *g, bool loading, snapshot_part parts[MOST_PARTS]);

/* Makes the state as it is the one that checkpoints tell, with the events since. */
static carom_status gas_keep(gas *g, error *e);
static void base_destroy(gas *g);

#endif

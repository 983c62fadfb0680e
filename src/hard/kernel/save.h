/* Checkpoints: the list of saved arrays, the copy of the state at the last re-basing, and saving. */
#ifndef CAROM_HARD_KERNEL_SAVE_H
#define CAROM_HARD_KERNEL_SAVE_H

#include "hard/kernel/features/features.h"

enum { CORE_PARTS = 20, MOST_PARTS = CORE_PARTS + MOST_SAVED, SEARCH_PARTS = 5 };

struct base {
    snapshot_part part[MOST_PARTS]; /* in `bytes` */
    int count;
    size_t size;
    char *bytes;
};

/* The arrays of the state. `loading`: without those of variable size, which features load themselves. */
static int state_parts(gas *g, bool loading, snapshot_part parts[MOST_PARTS]);

/* Results of the searches for the end of a run. They are saved separately: a frame may start such a search. */
static void search_parts(gas *g, snapshot_part parts[SEARCH_PARTS]);

/* Stores the present state as the base of checkpoints, and resets the count of events since then. */
static carom_status base_store(gas *g, error *e);
static void base_destroy(gas *g);

static carom_status gas_save(const void *self, snapshot *out, error *e);

#endif

/* Checkpoints: the list of saved arrays, and saving. */
#ifndef CAROM_HARD_KERNEL_SAVE_H
#define CAROM_HARD_KERNEL_SAVE_H

#include "hard/kernel/features/features.h"

enum { ARRAY_PARTS = 4, CORE_PARTS = 19, MOST_PARTS = CORE_PARTS + MOST_SAVED, SEARCH_PARTS = 5 };

/* The arrays of the state, without images; the first ARRAY_PARTS are those of bodies. `loading`: without those of variable
 * size, which features load themselves. */
static int state_parts(gas *g, bool loading, snapshot_part parts[MOST_PARTS]);

static carom_status load_images(gas *g, const snapshot *in, error *e);

/* Results of the searches for the end of a run. They are saved separately: a frame may start such a search. */
static void search_parts(gas *g, snapshot_part parts[SEARCH_PARTS]);

/* The state without the places of the bodies in lists or cells. */
static carom_status state_save(gas *g, snapshot *out, error *e);

#endif

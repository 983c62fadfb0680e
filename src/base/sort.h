/* Sorting of integers, and selection, in time proportional to their number. */
#ifndef CAROM_BASE_SORT_H
#define CAROM_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sorts keys[] in ascending order; `space` is work space of the same size. */
void sort_u64(uint64_t *keys, uint64_t *space, size_t count);

typedef struct sort_key {
    double key;
    uint32_t item;
} sort_key;

/* Hoare's selection: smaller keys come before `nth`, larger keys after it. */
void sort_select(sort_key *keys, size_t count, size_t nth);

#endif

/* Sorting of whole numbers, and selection, in time that grows with their count alone. */
#ifndef CAROM_BASE_SORT_H
#define CAROM_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sorts keys[] in rising order; `space` is work space of as many elements. */
void sort_u64(uint64_t *keys, uint64_t *space, size_t count);

typedef struct sort_key {
    double key;
    uint32_t item;
} sort_key;

/* Hoare's selection: the smaller keys before `nth`, the larger behind. */
void sort_select(sort_key *keys, size_t count, size_t nth);

#endif

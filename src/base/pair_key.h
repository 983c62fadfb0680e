/* Unordered pairs of numbers as one number each, for sorted lists. */
#ifndef CAROM_BASE_PAIR_KEY_H
#define CAROM_BASE_PAIR_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline uint64_t pair_key(uint32_t i, uint32_t j)
{
    return i < j ? (uint64_t)i << 32 | j : (uint64_t)j << 32 | i;
}

/* Whether i and j are one of the pairs; keys in ascending order. */
static inline bool pair_keys_have(const uint64_t *keys, size_t count, uint32_t i, uint32_t j)
{
    const uint64_t key = pair_key(i, j);
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && keys[low] == key;
}

#endif

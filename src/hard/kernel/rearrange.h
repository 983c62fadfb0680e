/* Sorting of arrays into the order of the bodies along the curve. */
#ifndef CAROM_HARD_KERNEL_REARRANGE_H
#define CAROM_HARD_KERNEL_REARRANGE_H

#include <string.h>

#include "neighbors/curve.h"

/* Moves element from[i].item of an array to index i, for all i, along the cycles; `held` has room for one element. The
 * keys mark the elements done. */
static inline void rearrange(void *array, size_t size, curve_place *from, uint32_t count, void *held)
{
    char *a = array;
    for (uint32_t i = 0; i < count; i++) from[i].key = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (from[i].key != 0) continue;
        memcpy(held, a + i * size, size);
        uint32_t to = i;
        for (; from[to].item != i; to = from[to].item) {
            memcpy(a + to * size, a + from[to].item * size, size);
            from[to].key = 1;
        }
        memcpy(a + to * size, held, size);
        from[to].key = 1;
    }
}

#endif

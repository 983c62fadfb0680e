/* The images of bodies in periodic boxes. They rarely need more than 32 bits: the higher ones are in a second array, whose
 * memory is not touched while all of them are zero. */
#ifndef CAROM_HARD_KERNEL_IMAGES_H
#define CAROM_HARD_KERNEL_IMAGES_H

#include "hard/kernel/gas.h"

static inline int64_t image_at(const gas *g, uint32_t i, int k)
{
    const uint64_t low = (uint64_t)(int64_t)g->image[i][k];
    return (int64_t)(g->images_long ? low + ((uint64_t)(uint32_t)g->image_high[i][k] << 32) : low);
}

static inline void image_put(gas *g, uint32_t i, int k, int64_t image)
{
    const int32_t low = (int32_t)(uint32_t)(uint64_t)image;
    const int32_t high = (int32_t)(uint32_t)(((uint64_t)image - (uint64_t)(int64_t)low) >> 32);
    g->image[i][k] = low;
    if (high == 0 && !g->images_long) return;
    g->images_long = true;
    g->image_high[i][k] = high;
}

static inline void images_get(const gas *g, uint32_t i, int64_t image[DIM])
{
    for (int k = 0; k < DIM; k++) image[k] = image_at(g, i, k);
}

static inline void images_put(gas *g, uint32_t i, const int64_t image[DIM])
{
    for (int k = 0; k < DIM; k++) image_put(g, i, k, image[k]);
}

#endif

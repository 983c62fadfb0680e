/* Trees in an array: parent[i] is the parent of i; a root is its own parent. */
#ifndef CAROM_BASE_FOREST_H
#define CAROM_BASE_FOREST_H

#include <stdint.h>

/* Shortens the path for later calls. */
static inline uint32_t forest_root(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

#endif

/* Pairs and triples of particles that occur twice; [i, j, k] and [k, j, i] are the same. */
#ifndef CAROM_SCENE_TUPLES_H
#define CAROM_SCENE_TUPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tuple {
    uint32_t at[3], place; /* in a pair, at[2] is 0 */
} tuple;

tuple tuple_of(const uint32_t *numbers, size_t width, size_t place);

/* Equal tuples become adjacent, in the order of their places. */
void tuples_sort(tuple *all, size_t count);
bool tuples_equal(const tuple *a, const tuple *b);

#endif

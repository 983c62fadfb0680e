/* Lists of a domain, and notes of what happens to bodies in its present window. */
#ifndef CAROM_HARD_KERNEL_NOTES_H
#define CAROM_HARD_KERNEL_NOTES_H

#include "hard/kernel/gas.h"

/* The image of body i is about to change: an undo needs the present one. */
static void note_image(struct domain *d, uint32_t i);

/* The body has crossed `count` sides of cells: an undo sorts it again. */
static void note_crossings(struct domain *d, uint32_t i, uint32_t count);

/* Grow an array, at `pointer`, to `room` elements; to `wanted` at least. False without memory. */
static bool widen_array(void *pointer, uint32_t before, uint32_t room, size_t size);
static bool reserve(void *pointer, uint32_t *room, uint32_t wanted, size_t size);

/* Appends to a list; false without memory. */
static bool push(uint32_t **list, uint32_t *count, uint32_t *room, uint32_t value);

/* The domain stops for lack of memory. */
static void out_of_memory(struct domain *d, const char *what);

#endif

/* The future-event list: at most one entry an id, ordered by (time, tie).
 *
 * A calendar of buckets for the coming time, a heap for the bucket at hand, one overflow list beyond the calendar:
 * schedule, move and remove cost O(1), pop O(1) amortised (Paul, J. Comput. Phys. 221, 615 (2007)).  */
#ifndef CAROM_QUEUE_FEL_H
#define CAROM_QUEUE_FEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Orders two ids whose times are equal (-0.0 equals 0.0): true where a comes before b. A strict weak order; what it
 * leaves equal goes by id. At any call at most one present id may have changed its place in this order since it was
 * last scheduled: change one, schedule it (at the same time, if that has not changed), then change the next. */
typedef bool fel_before(const void *context, uint32_t a, uint32_t b);

/* Called for ids that will soon come up, so that their data can be prefetched: with `ahead` 1 when they are about a
 * bucket of a few events away, with 0 when the bucket is the current one. Any id may come up without a call. */
typedef void fel_hint(const void *context, uint32_t id, int ahead);

typedef struct fel fel;

/* For ids 0 .. count-1, all absent. before NULL: ties go by id. */
carom_status fel_create(fel **out, uint32_t count, fel_before *before, const void *context, error *e);
void fel_destroy(fel *q);

/* From now on `hint` is called, with the context of the list, at `ahead` and below. */
void fel_set_hint(fel *q, fel_hint *hint, int ahead);

/* Prefetches what scheduling id again will touch. */
void fel_prefetch(const fel *q, uint32_t id);

/* Puts id at time, wherever it was. +infinity takes it out. time must not be NaN nor -infinity. */
void fel_schedule(fel *q, uint32_t id, double time);

/* The earliest entry, left in place; false where the list is empty. */
bool fel_peek(fel *q, uint32_t *id, double *time);

/* Takes everything out and makes `start` the earliest possible time (after a change of the time origin). */
void fel_reset(fel *q, double start);

/* Bytes for count ids. For many, without those of a heap of all entries: they are touched only if most times are equal. */
size_t fel_memory(uint32_t count);

#endif

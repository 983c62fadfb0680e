/* Detects crashes and silent misreads of checkpoints with arbitrary content: each is read whole or refused with a
 * message. Size and checksum are corrected first, so that the reader gets past them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "output/results/checkpoint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SIZE_AT = 24, LEAST = 40, SUM = 8, BLOCK = 1 << 20 };

static void need(bool truth)
{
    if (!truth) abort();
}

static void look_at(const checkpoint *c, size_t size)
{
    need(c->version != NULL && c->commit != NULL && c->scene != NULL && c->title != NULL && c->engine != NULL);
    need(c->length_count <= size && (c->length_count == 0 || c->lengths != NULL));
    for (size_t i = 0; i < c->state.count; i++) {
        const snapshot_array *array = &c->state.arrays[i];
        need(array->name != NULL && array->data != NULL);
        need(array->count * snapshot_element_size(array->type) <= size);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    checkpoint c;
    error e = {0};
    uint8_t *copy = malloc(size + 1);
    if (copy == NULL) return 0;
    if (size > 0) memcpy(copy, data, size);
    if (size >= LEAST && size < BLOCK) {
        uint64_t bytes = size;
        memcpy(copy + SIZE_AT, &bytes, sizeof bytes);
        uint64_t sum = hash_finish(hash_bytes(HASH_START, copy, size - SUM));
        memcpy(copy + size - SUM, &sum, sizeof sum);
    }
    carom_status status = checkpoint_parse(&c, "fuzz", copy, size, &e);
    need(status == e.status);
    if (status == CAROM_OK)
        look_at(&c, size);
    else
        need(status == CAROM_BAD_DATA && e.length > 0 && c.state.count == 0);
    checkpoint_free(&c);
    error_clear(&e);
    free(copy);
    return 0;
}

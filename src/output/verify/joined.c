#include "output/verify/joined.h"

#include <stdlib.h>

#include "base/memory.h"

static int compare_keys(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

static uint64_t pair_key(uint32_t i, uint32_t j)
{
    return i < j ? (uint64_t)i << 32 | j : (uint64_t)j << 32 | i;
}

carom_status joined_create(joined *j, const result_links *links, error *e)
{
    const size_t bonds = links->longest != NULL ? links->springs : 0;
    *j = (joined){NEW_ARRAY(links->segments + bonds, uint64_t), 0};
    if (j->key == NULL) return error_memory(e, "segments and bonds", (links->segments + bonds) * sizeof *j->key);
    for (size_t n = 0; n < links->segments; n++)
        j->key[j->count++] = pair_key(links->segment[0][n], links->segment[1][n]);
    for (size_t n = 0; n < bonds; n++) j->key[j->count++] = pair_key(links->spring[0][n], links->spring[1][n]);
    qsort(j->key, j->count, sizeof *j->key, compare_keys);
    return CAROM_OK;
}

void joined_destroy(joined *j)
{
    memory_free(j->key);
    *j = (joined){0};
}

bool joined_has(const joined *j, uint32_t a, uint32_t b)
{
    const uint64_t key = pair_key(a, b);
    return j->count > 0 && bsearch(&key, j->key, j->count, sizeof key, compare_keys) != NULL;
}

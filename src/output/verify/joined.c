#include "output/verify/joined.h"

#include "base/memory.h"
#include "base/pair_key.h"
#include "base/sort.h"

carom_status joined_create(joined *j, const result_links *links, error *e)
{
    const size_t bonds = links->longest != NULL ? links->springs : 0;
    uint64_t *space = NEW_ARRAY(links->segments + bonds, uint64_t);
    *j = (joined){NEW_ARRAY(links->segments + bonds, uint64_t), 0};
    if (j->key == NULL || space == NULL) {
        memory_free(space);
        return error_memory(e, "segments and bonds", (links->segments + bonds) * sizeof *j->key);
    }
    for (size_t n = 0; n < links->segments; n++)
        j->key[j->count++] = pair_key(links->segment[0][n], links->segment[1][n]);
    for (size_t n = 0; n < bonds; n++) j->key[j->count++] = pair_key(links->spring[0][n], links->spring[1][n]);
    sort_u64(j->key, space, j->count);
    memory_free(space);
    return CAROM_OK;
}

void joined_destroy(joined *j)
{
    memory_free(j->key);
    *j = (joined){0};
}

bool joined_has(const joined *j, uint32_t a, uint32_t b)
{
    return pair_keys_have(j->key, j->count, a, b);
}

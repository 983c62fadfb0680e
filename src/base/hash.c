#include "base/hash.h"

#include <string.h>

uint64_t hash_u64(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * 0x100000001b3ull ^ (hash >> 47);
}

uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    while (size >= 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        hash = hash_u64(hash, word);
        bytes += 8;
        size -= 8;
    }
    while (size-- > 0) hash = hash_u64(hash, *bytes++);
    return hash;
}

uint64_t hash_finish(uint64_t hash)
{
    hash ^= hash >> 33;
    hash *= 0xff51afd7ed558ccdull;
    hash ^= hash >> 33;
    hash *= 0xc4ceb9fe1a85ec53ull;
    return hash ^ hash >> 33;
}

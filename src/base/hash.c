#include "base/hash.h"

#include <string.h>

static uint64_t rotate(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

/* Bijective in each argument. Every bit of a value, including the sign of a number, affects high and low bits. */
uint64_t hash_u64(uint64_t hash, uint64_t value)
{
    value = rotate(value * 0x87c37b91114253d5ull, 31) * 0x4cf5ad432745937full;
    return rotate(hash ^ value, 27) * 5 + 0x52dce729;
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

/* A 64-bit hash of exact bits (the rounds of MurmurHash3 over 64-bit words, a final avalanche), for state_hash. It is
 * not cryptographic. Start with HASH_START, add data with hash_bytes or hash_u64, and end with hash_finish. Each byte
 * after the last complete word counts as a word. */
#ifndef CAROM_BASE_HASH_H
#define CAROM_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_START 0xcbf29ce484222325ull

static inline uint64_t hash_rotate(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

/* Bijective in each argument. Every bit of a value, including the sign of a number, affects high and low bits. */
static inline uint64_t hash_u64(uint64_t hash, uint64_t value)
{
    value = hash_rotate(value * 0x87c37b91114253d5ull, 31) * 0x4cf5ad432745937full;
    return hash_rotate(hash ^ value, 27) * 5 + 0x52dce729;
}

static inline uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
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

uint64_t hash_finish(uint64_t hash);

#endif

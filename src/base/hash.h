/* A 64-bit hash of exact bits (the rounds of MurmurHash3 over 64-bit words, a final avalanche), for state_hash. It is
 * not cryptographic. Start with HASH_START, add data with hash_bytes or hash_u64, and end with hash_finish. Each byte
 * after the last complete word counts as a word. */
#ifndef CAROM_BASE_HASH_H
#define CAROM_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START 0xcbf29ce484222325ull

uint64_t hash_bytes(uint64_t hash, const void *data, size_t size);
uint64_t hash_u64(uint64_t hash, uint64_t value);
uint64_t hash_finish(uint64_t hash);

#endif

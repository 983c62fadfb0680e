/* Counter-based random numbers: Philox4x32-10 (Random123), keyed by (seed, stream), counted by (entity, index). Any
 * number can be computed at any time in any order; nothing is stored. */
#ifndef CAROM_BASE_RANDOM_H
#define CAROM_BASE_RANDOM_H

#include <stdint.h>

/* One stream for each purpose, so that a change of the count of numbers for one purpose does not affect the others. */
typedef enum random_stream {
    RANDOM_SPECIES = 1,
    RANDOM_DIAMETER,
    RANDOM_POSITION,
    RANDOM_VELOCITY,
    RANDOM_GENERAL,
    RANDOM_SPIN,
    RANDOM_WAIT,     /* waiting times of a heat bath */
    RANDOM_KICK,     /* kicks of a heat bath */
    RANDOM_EMISSION, /* emission from thermal walls */
    RANDOM_ORIENTATION,
    RANDOM_INFLOW /* places of particles that enter */
} random_stream;

typedef struct random_key {
    uint64_t seed;
    uint32_t stream;
} random_key;

/* Two independent numbers in [0, 1) with 53 bits. */
void random_uniform2(random_key key, uint64_t entity, uint64_t index, double out[2]);
double random_uniform(random_key key, uint64_t entity, uint64_t index);

/* Two independent standard normal numbers (Box-Muller). */
void random_normal2(random_key key, uint64_t entity, uint64_t index, double out[2]);

/* A uniform integer in [0, n). */
uint64_t random_below(random_key key, uint64_t entity, uint64_t index, uint64_t n);

#endif

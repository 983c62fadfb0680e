/* Random numbers for tests: the same on each machine and in each run (splitmix64, Steele, Lea and Flood 2014). */
#ifndef CAROM_TESTS_DICE_H
#define CAROM_TESTS_DICE_H

#include <stdint.h>

typedef struct dice {
    uint64_t state;
} dice;

static inline uint64_t dice_bits(dice *d)
{
    d->state += 0x9e3779b97f4a7c15ull;
    uint64_t z = d->state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

static inline uint32_t dice_below(dice *d, uint32_t n)
{
    return (uint32_t)(dice_bits(d) % n);
}

static inline double dice_real(dice *d, double low, double high)
{
    return low + (high - low) * (double)(dice_bits(d) >> 11) * 0x1p-53;
}

static inline const char *dice_word(dice *d, const char *const *words, uint32_t n)
{
    return words[dice_below(d, n)];
}

#endif

#include "neighbors/curve.h"

/* PASSES: even, so that what is sorted ends where it was. */
enum { DIGIT = 8, DIGITS = 1 << DIGIT, PASSES = 32 / DIGIT };

int curve_levels(int dimension, uint64_t count)
{
    int levels = 0;
    while (levels < 32 / dimension && (uint64_t)1 << levels * dimension < count) levels++;
    return levels;
}

/* Spreads the bits of x so that there is room for those of the other axes between them. */
static uint32_t spread(int dimension, int levels, uint32_t x)
{
    uint32_t spread_out = 0;
    for (int bit = 0; bit < levels; bit++) spread_out |= (x >> bit & 1) << (bit * dimension);
    return spread_out;
}

uint32_t curve_key(int dimension, int levels, const double *x)
{
    const uint32_t cells = levels < 32 ? 1u << levels : 0;
    uint32_t key = 0;
    for (int k = 0; k < dimension; k++) {
        uint32_t cell = !(x[k] > 0) ? 0 : x[k] < 1 ? (uint32_t)(x[k] * cells) : cells - 1;
        key |= spread(dimension, levels, cell) << k;
    }
    return key;
}

void curve_sort(curve_place *p, curve_place *room, uint32_t count)
{
    for (int pass = 0; pass < PASSES; pass++) {
        const int shift = pass * DIGIT;
        uint32_t start[DIGITS + 1] = {0};
        for (uint32_t i = 0; i < count; i++) start[(p[i].key >> shift & (DIGITS - 1)) + 1]++;
        for (int d = 0; d < DIGITS; d++) start[d + 1] += start[d];
        for (uint32_t i = 0; i < count; i++) room[start[p[i].key >> shift & (DIGITS - 1)]++] = p[i];
        curve_place *other = p;
        p = room;
        room = other;
    }
}

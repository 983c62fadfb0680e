/* Sorting of 64-bit numbers: by insertion if there are few, otherwise by digits. */
#ifndef CAROM_AGGREGATION_STEPS_SORT_H
#define CAROM_AGGREGATION_STEPS_SORT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* One stable pass by the digit at `shift`; returns false if all numbers have the same digit. */
static inline int sort_pass(const uint64_t *from, uint64_t *to, size_t count, int shift)
{
    enum { DIGITS = 2048 };
    size_t place[DIGITS] = {0}, start = 0;
    for (size_t n = 0; n < count; n++) place[(from[n] >> shift) % DIGITS]++;
    if (place[(from[0] >> shift) % DIGITS] == count) return 0;
    for (size_t d = 0; d < DIGITS; d++) {
        size_t here = place[d];
        place[d] = start;
        start += here;
    }
    for (size_t n = 0; n < count; n++) to[place[(from[n] >> shift) % DIGITS]++] = from[n];
    return 1;
}

/* `work` has space for count numbers. */
static inline void sort_numbers(uint64_t *numbers, uint64_t *work, size_t count)
{
    enum { A_FEW = 200 };
    if (count <= A_FEW) {
        for (size_t n = 1; n < count; n++) {
            uint64_t x = numbers[n];
            size_t k = n;
            for (; k > 0 && numbers[k - 1] > x; k--) numbers[k] = numbers[k - 1];
            numbers[k] = x;
        }
        return;
    }
    uint64_t *from = numbers, *to = work;
    for (int shift = 0; shift < 64; shift += 11) {
        if (!sort_pass(from, to, count, shift)) continue;
        uint64_t *other = from;
        from = to;
        to = other;
    }
    if (from != numbers) memcpy(numbers, from, count * sizeof *numbers);
}

#endif

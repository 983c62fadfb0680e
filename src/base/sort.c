#include "base/sort.h"

#include <string.h>

enum { FEW = 64, DIGITS = 8, VALUES = 256 };

static void sort_few(uint64_t *keys, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uint64_t key = keys[i];
        size_t at = i;
        for (; at > 0 && keys[at - 1] > key; at--) keys[at] = keys[at - 1];
        keys[at] = key;
    }
}

static void place(const uint64_t *from, uint64_t *to, size_t count, int digit, size_t number[VALUES])
{
    size_t start = 0;
    for (int v = 0; v < VALUES; v++) {
        size_t here = number[v];
        number[v] = start;
        start += here;
    }
    for (size_t i = 0; i < count; i++) to[number[(from[i] >> (8 * digit)) & 255]++] = from[i];
}

void sort_u64(uint64_t *keys, uint64_t *space, size_t count)
{
    if (count <= FEW) {
        sort_few(keys, count);
        return;
    }
    size_t number[DIGITS][VALUES] = {{0}};
    for (size_t i = 0; i < count; i++)
        for (int d = 0; d < DIGITS; d++) number[d][(keys[i] >> (8 * d)) & 255]++;
    uint64_t *from = keys, *to = space;
    for (int d = 0; d < DIGITS; d++) {
        if (number[d][(from[0] >> (8 * d)) & 255] == count) continue; /* all digits are equal */
        place(from, to, count, d, number[d]);
        uint64_t *other = from;
        from = to;
        to = other;
    }
    if (from != keys) memcpy(keys, from, count * sizeof *keys);
}

static void swap(sort_key *a, sort_key *b)
{
    const sort_key kept = *a;
    *a = *b;
    *b = kept;
}

void sort_select(sort_key *keys, size_t count, size_t nth)
{
    size_t from = 0, to = count - 1;
    while (from < to) {
        const double pivot = keys[from + (to - from) / 2].key;
        size_t i = from, j = to;
        for (;;) {
            while (keys[i].key < pivot) i++;
            while (pivot < keys[j].key) j--;
            if (i >= j) break;
            swap(&keys[i++], &keys[j--]);
        }
        if (nth <= j)
            to = j;
        else
            from = j + 1;
    }
}

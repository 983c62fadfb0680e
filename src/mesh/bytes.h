/* Numbers in binary files. */
#ifndef CAROM_MESH_BYTES_H
#define CAROM_MESH_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* `size` bytes (1 to 8) as an unsigned integer; `big`: the first byte is the most significant. */
static inline uint64_t bytes_unsigned(const char *at, unsigned size, bool big)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++) value = value << 8 | (unsigned char)at[big ? i : size - 1 - i];
    return value;
}

static inline double bytes_float(const char *at, bool big)
{
    uint32_t bits = (uint32_t)bytes_unsigned(at, 4, big);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static inline double bytes_double(const char *at, bool big)
{
    uint64_t bits = bytes_unsigned(at, 8, big);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif

#include "view/server/sha1.h"

#include <assert.h>
#include <string.h>

static uint32_t rotate(uint32_t x, int bits)
{
    return x << bits | x >> (32 - bits);
}

static void schedule(const uint8_t block[64], uint32_t w[80])
{
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 | (uint32_t)block[4 * t + 2] << 8 |
               block[4 * t + 3];
    for (int t = 16; t < 80; t++) w[t] = rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
}

/* FIPS 180-4, section 6.1.2. */
static void add_block(uint32_t h[5], const uint8_t block[64])
{
    static const uint32_t k[] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
    uint32_t w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
    schedule(block, w);
    for (int t = 0; t < 80; t++) {
        const uint32_t f[] = {(b & c) | (~b & d), b ^ c ^ d, (b & c) | (b & d) | (c & d), b ^ c ^ d};
        uint32_t next = rotate(a, 5) + f[t / 20] + e + k[t / 20] + w[t];
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    const uint32_t sum[] = {a, b, c, d, e};
    for (int i = 0; i < 5; i++) h[i] += sum[i];
}

void sha1(const void *data, size_t size, uint8_t out[SHA1_SIZE])
{
    uint8_t padded[128] = {0};
    uint32_t h[] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    assert(size <= SHA1_MOST);
    size_t blocks = size < 56 ? 1 : 2, bits = 8 * size;
    memcpy(padded, data, size);
    padded[size] = 0x80;
    padded[64 * blocks - 2] = (uint8_t)(bits >> 8);
    padded[64 * blocks - 1] = (uint8_t)bits;
    for (size_t i = 0; i < blocks; i++) add_block(h, padded + 64 * i);
    for (int i = 0; i < SHA1_SIZE; i++) out[i] = (uint8_t)(h[i / 4] >> (24 - 8 * (i % 4)));
}

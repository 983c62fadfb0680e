#include "base/random.h"

#include <math.h>
#include <Random123/philox.h>

#include "base/pi.h"

static philox4x32_ctr_t draw(random_key key, uint64_t entity, uint64_t index)
{
    philox4x32_ctr_t counter = {{(uint32_t)entity, (uint32_t)(entity >> 32), (uint32_t)index, key.stream}};
    philox4x32_key_t seed = {{(uint32_t)key.seed, (uint32_t)(key.seed >> 32)}};
    counter.v[3] ^= (uint32_t)(index >> 32) << 8;
    return philox4x32(counter, seed);
}

static double unit(uint32_t high, uint32_t low)
{
    return (double)((((uint64_t)high << 32) | low) >> 11) * 0x1p-53;
}

void random_uniform2(random_key key, uint64_t entity, uint64_t index, double out[2])
{
    philox4x32_ctr_t bits = draw(key, entity, index);
    out[0] = unit(bits.v[0], bits.v[1]);
    out[1] = unit(bits.v[2], bits.v[3]);
}

double random_uniform(random_key key, uint64_t entity, uint64_t index)
{
    double pair[2];
    random_uniform2(key, entity, index, pair);
    return pair[0];
}

void random_normal2(random_key key, uint64_t entity, uint64_t index, double out[2])
{
    double u[2];
    random_uniform2(key, entity, index, u);
    double radius = sqrt(-2.0 * log1p(-u[0]));
    out[0] = radius * cos(2 * PI * u[1]);
    out[1] = radius * sin(2 * PI * u[1]);
}

uint64_t random_below(random_key key, uint64_t entity, uint64_t index, uint64_t n)
{
    philox4x32_ctr_t bits = draw(key, entity, index);
    unsigned __int128 product = (unsigned __int128)(((uint64_t)bits.v[0] << 32) | bits.v[1]) * n;
    return (uint64_t)(product >> 64);
}

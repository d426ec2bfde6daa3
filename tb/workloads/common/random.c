/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/random.c: splitmix64, and the ranges the workloads draw from. */
#include "tb/workloads/common/random.h"

uint64_t random_bits(struct random *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

uint64_t random_below(struct random *random, uint64_t bound)
{
    /* 2^64 mod bound values at the low end are drawn again, so that the rest divides evenly. */
    uint64_t uneven = -bound % bound;
    uint64_t bits;
    do {
        bits = random_bits(random);
    } while (bits < uneven);
    return bits % bound;
}

double random_unit(struct random *random)
{
    return (double)(random_bits(random) >> 11) * 0x1p-53;
}

float random_float(struct random *random)
{
    return (float)(random_bits(random) >> 40) * 0x1p-23f - 1.0f;
}

void random_floats(struct random *random, float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = random_float(random);
}

void random_permutation(struct random *random, uint32_t *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = (uint32_t)random_below(random, (uint64_t)i + 1);
        values[i] = values[j];
        values[j] = i;
    }
}

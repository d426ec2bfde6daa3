/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/poise_start.c: see poise_start.h. The step of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014) hashes one number after the
 * other. */
#include "tb/units/poise_start.h"

static uint64_t mix(uint64_t v)
{
    v += UINT64_C(0x9e3779b97f4a7c15);
    v = (v ^ v >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    v = (v ^ v >> 27) * UINT64_C(0x94d049bb133111eb);
    return v ^ v >> 31;
}

struct told_pair poise_start(uint64_t seed, uint64_t sm, uint64_t launch, uint64_t epoch,
                             uint64_t most)
{
    const uint64_t hash = mix(mix(mix(mix(seed) ^ sm) ^ launch) ^ epoch);
    uint64_t number = hash % (most * (most + 1) / 2),
             n = 1; /* in the order (1, 1), (2, 1), (2, 2), (3, 1) */
    while (number >= n)
        number -= n++;
    return (struct told_pair){n, number + 1};
}

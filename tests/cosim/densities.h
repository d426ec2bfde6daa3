/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/densities.h: how many warps random inputs of arbiters have at a time: none, few, half, most or all. */
#ifndef HEDDLE_TESTS_COSIM_DENSITIES_H
#define HEDDLE_TESTS_COSIM_DENSITIES_H

#include "cosim/stimulus.h"
#include "hw.h"

#define ALL_WARPS (~UINT64_C(0) >> (64 - NUM_WARPS))

/* How many warps tend to be set in a vector. */
enum density { NONE, FEW, HALF, MOST, ALL, NUM_DENSITIES };

/* Warps of a vector. */
static inline uint64_t warps(struct stimulus *s, uint64_t density)
{
    switch (density) {
    case NONE: return 0;
    case FEW:
        return UINT64_C(1) << stimulus_below(s, NUM_WARPS) |
               (stimulus_bits(s) & stimulus_bits(s) & stimulus_bits(s) & stimulus_bits(s) &
                ALL_WARPS);
    case HALF: return stimulus_bits(s) & ALL_WARPS;
    case MOST: return (stimulus_bits(s) | stimulus_bits(s) | stimulus_bits(s)) & ALL_WARPS;
    default: return ALL_WARPS;
    }
}

#endif

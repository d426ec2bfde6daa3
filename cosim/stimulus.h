/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/stimulus.h: constrained-random inputs for one unit, written by hand in
 * tests/cosim/<unit>_stimulus.c. Random but not uniform: a unit whose inputs are all coin flips
 * visits few of its interesting states. */
#ifndef HEDDLE_COSIM_STIMULUS_H
#define HEDDLE_COSIM_STIMULUS_H

#include <stdint.h>

struct stimulus {
    uint64_t random;   /* state of the generator; never 0 */
    uint64_t cycle;    /* from 0 */
    uint64_t clock;    /* what the unit's CLOCK will show in this cycle, not yet cut to its width */
    const void *state; /* the reference's state before this cycle */
    uint64_t scratch[64]; /* the unit's own; zero at cycle 0 */
};

/* Fills every field of the unit's `in`. What it says of the CLOCK does not count. */
typedef void stimulus_fn(struct stimulus *, void *in);

/* A run from reset that a seed decides, seed > 0. The clock begins anywhere, and in every fourth
 * run so that it wraps around within 4096 cycles, whatever its width. */
static inline struct stimulus stimulus_start(uint64_t seed)
{
    const uint64_t hash = seed * UINT64_C(0xd1b54a32d192ed03);
    const uint64_t clock = seed % 4 ? hash >> hash % 64 : -((hash >> 32) % 4096);
    const struct stimulus s = {seed * UINT64_C(0x9e3779b97f4a7c15) | 1, 0, clock, 0, {0}};
    return s;
}

/* The inputs of the next cycle are wanted: the clock goes on. */
static inline void stimulus_next(struct stimulus *s)
{
    s->cycle++;
    s->clock++;
}

/* 64 pseudo-random bits: xorshift64* (Vigna, "An experimental exploration of Marsaglia's xorshift
 * generators", 2016). */
static inline uint64_t stimulus_bits(struct stimulus *s)
{
    s->random ^= s->random >> 12;
    s->random ^= s->random << 25;
    s->random ^= s->random >> 27;
    return s->random * UINT64_C(2685821657736338717);
}

/* A number below n, n > 0 (the bias of 2^-32 * n does no harm here). */
static inline uint64_t stimulus_below(struct stimulus *s, uint64_t n)
{
    return (stimulus_bits(s) >> 32) * n >> 32;
}

/* True once in n calls. */
static inline int stimulus_once_in(struct stimulus *s, uint64_t n)
{
    return stimulus_below(s, n) == 0;
}

#endif

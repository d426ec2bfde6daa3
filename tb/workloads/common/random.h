/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/random.h: the workloads' random numbers: splitmix64 (Steele, Lea, Flood: Fast
 * Splittable Pseudorandom Number Generators, OOPSLA 2014). The same on every host: integers and
 * exact conversions only. */
#ifndef HEDDLE_TB_WORKLOADS_COMMON_RANDOM_H
#define HEDDLE_TB_WORKLOADS_COMMON_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* Start: {seed}. */
struct random {
    uint64_t state;
};

/* 64 random bits. */
uint64_t random_bits(struct random *);

/* Uniform in 0 .. bound - 1; bound > 0. */
uint64_t random_below(struct random *, uint64_t bound);

/* Uniform in [0, 1), a multiple of 2^-53. */
double random_unit(struct random *);

/* Uniform in [-1, 1), a multiple of 2^-23. */
float random_float(struct random *);

/* Fills `values` with such numbers. */
void random_floats(struct random *, float *values, size_t count);

/* Fills `values` with a permutation of 0 .. count - 1 (Fisher, Yates). */
void random_permutation(struct random *, uint32_t *values, uint32_t count);

#endif

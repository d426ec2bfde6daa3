/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/mem/random.h: the same random numbers every time. */
#ifndef HEDDLE_TESTS_TB_MEM_RANDOM_H
#define HEDDLE_TESTS_TB_MEM_RANDOM_H

#include <stdint.h>

static uint64_t random_seed = 1;

/* 0 to n - 1. */
static inline uint32_t below(uint32_t n)
{
    random_seed = random_seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_seed >> 33) % n;
}

/* Adds counts, member by member, and asserts that none stayed below `least`: nothing that is
 * counted may stay untested. */
#define ADD_COUNTS(sum, counts)                                                                    \
    do {                                                                                           \
        for (size_t word_ = 0; word_ < sizeof(sum) / sizeof(uint64_t); word_++)                    \
            ((uint64_t *)&(sum))[word_] += ((const uint64_t *)&(counts))[word_];                   \
    } while (0)
#define ASSERT_ALL_REACHED(sum, least)                                                             \
    do {                                                                                           \
        for (size_t word_ = 0; word_ < sizeof(sum) / sizeof(uint64_t); word_++)                    \
            if (((const uint64_t *)&(sum))[word_] < (least))                                       \
                fail_msg("counter %zu reached only %llu", word_,                                   \
                         (unsigned long long)((const uint64_t *)&(sum))[word_]);                   \
    } while (0)

#endif

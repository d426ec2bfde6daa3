/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/seen_loop.h: what observers of units that know loops share, and no socket. */
#ifndef HEDDLE_TB_OBSERVE_SEEN_LOOP_H
#define HEDDLE_TB_OBSERVE_SEEN_LOOP_H

#include <stdint.h>

#include "hw.h"

/* Loops that have no number of their own share the last one. */
#define LOOPS_BEYOND ((UINT64_C(1) << LOOP_BITS) - 1)

static inline uint64_t at_most(uint64_t value, uint64_t most)
{
    return value > most ? most : value;
}

static inline uint64_t seen_loop(uint64_t number)
{
    return at_most(number, LOOPS_BEYOND);
}

/* A loop without a number of its own does not begin. */
static inline uint64_t seen_begin(uint64_t number)
{
    return number < LOOPS_BEYOND ? number : 0;
}

#endif

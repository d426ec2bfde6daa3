/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/loop_number.h: a loop's number as hardware has it. The highest stands for all loops beyond,
 * of which nothing is known. Loops are numbered so that those inside another one follow it; so it is
 * inside the others in which they are. */
#ifndef HEDDLE_TB_UNITS_LOOP_NUMBER_H
#define HEDDLE_TB_UNITS_LOOP_NUMBER_H

#include <stdint.h>

#include "hw.h"

#define UNKNOWN_LOOP ((UINT64_C(1) << LOOP_BITS) - 1)

static inline uint64_t loop_number(uint64_t number)
{
    return number < UNKNOWN_LOOP ? number : UNKNOWN_LOOP;
}

/* The same, but 0, no loop, for those beyond. */
static inline uint64_t known_loop(uint64_t number)
{
    return number < UNKNOWN_LOOP ? number : 0;
}

#endif

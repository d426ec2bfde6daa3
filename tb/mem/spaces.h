/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/spaces.h: what a cache does for each of two address spaces, and how many of its lines are of each. */
#ifndef HEDDLE_TB_MEM_SPACES_H
#define HEDDLE_TB_MEM_SPACES_H

#include "tb/mem/memory.h"

struct spaces {
    struct space_counters counters[MEMORY_SPACES];
    uint64_t held[MEMORY_SPACES], since; /* lines of each; counted for cycles before `since` */
};

/* Counts up to all cycles before this one: to be called before lines come or go. */
static inline void spaces_account(struct spaces *s, uint64_t cycle)
{
    for (unsigned i = 0; i < MEMORY_SPACES; i++)
        s->counters[i].line_cycles += s->held[i] * (cycle - s->since);
    s->since = cycle;
}

#endif

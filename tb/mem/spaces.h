/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/spaces.h: what a cache does for each of two address spaces, and how many of its lines are of each. */
#ifndef HEDDLE_TB_MEM_SPACES_H
#define HEDDLE_TB_MEM_SPACES_H

#include "tb/mem/memory.h"

#define NO_SPACE MEMORY_SPACES /* of an empty way */

struct spaces {
    struct space_counters counters[MEMORY_SPACES];
    uint64_t held[NO_SPACE + 1]; /* lines of each; the last means nothing */
    uint64_t since;              /* they are counted for cycles before */
};

/* Counts up to all cycles before this one. */
static inline void spaces_account(struct spaces *s, uint64_t cycle)
{
    for (unsigned i = 0; i < MEMORY_SPACES; i++)
        s->counters[i].line_cycles += s->held[i] * (cycle - s->since);
    s->since = cycle;
}

/* In this cycle a line of `from` goes, and one of `to` comes. */
static inline void spaces_move(struct spaces *s, uint64_t cycle, unsigned from, unsigned to)
{
    if (from == to)
        return;
    spaces_account(s, cycle);
    s->held[from]--;
    s->held[to]++;
}

#endif

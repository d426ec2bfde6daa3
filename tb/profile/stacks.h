/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/stacks.h: how far down a line is in its set, where lines lie in the order in which they were used (Mattson et al., IBM Systems
 * Journal 9(2), 1970), each address space on stacks of its own: the histogram from which CAMP has how often a program misses alone with any
 * number of ways (thesis 3.2, 3.3). */
#ifndef HEDDLE_TB_PROFILE_STACKS_H
#define HEDDLE_TB_PROFILE_STACKS_H

#include <stdint.h>

#include "tb/config.h"
#include "tb/events.h"
#include "tb/mem/memory.h"

#define STACK_DEPTH 64 /* lines of a set that are told apart: l1d.ways, l2.ways */

/* at[space][i]: accesses to what was the i-th line, from 0, the most recently used; the last: further down, or not there. */
struct stack_counts {
    uint64_t at[MEMORY_SPACES][STACK_DEPTH + 1];
};

struct stacks {
    uint64_t
        *lines; /* by space, then by set, the most recently used first; NO_LINE: an empty place */
    uint64_t num_sets;
    struct stack_counts counts;
};

/* Returns 0, or -1: no memory. */
int stacks_open(struct stacks *, uint64_t num_sets);
void stacks_close(struct stacks *);

/* No line has been used. Counts stay. */
void stacks_forget(struct stacks *);

/* An access to the line. */
void stacks_touch(struct stacks *, unsigned space, uint64_t set, uint64_t line);

/* The line is there no more; its place stays empty until the next one fills it. */
void stacks_remove(struct stacks *, unsigned space, uint64_t set, uint64_t line);

void stack_counts_add(struct stack_counts *sum, const struct stack_counts *term);

/* The stacks of L1D of an SM, a guest of it: loads touch lines, stores and atomics remove them, as they do there. */
struct l1d_stacks;
struct l1d_stacks *l1d_stacks_new(const struct config *); /* NULL: no memory */
void l1d_stacks_free(struct l1d_stacks *);
struct listener *l1d_stacks_listener(struct l1d_stacks *);

/* A kernel begins while no other runs: L1D is empty, unless it keeps its lines. */
void l1d_stacks_begin(struct l1d_stacks *);
const struct stack_counts *l1d_stacks_counts(const struct l1d_stacks *);

#endif

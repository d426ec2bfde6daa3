/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/l1_state.h: the inside of a first-level cache, for l1.c, and for tb/observe, which only
 * looks. */
#ifndef HEDDLE_TB_MEM_L1_STATE_H
#define HEDDLE_TB_MEM_L1_STATE_H

#include "tb/mem/l1.h"
#include "tb/mem/mshr.h"
#include "tb/mem/spaces.h"
#include "tb/mem/tags.h"

struct l1 {
    struct tags tags;
    struct mshrs mshrs;
    struct mshrs untracked; /* not hardware of the cache: loads that bypass it without an MSHR */
    uint32_t bypassing;     /* MSHRs of loads without a way: they must be searched for */
    uint32_t first_tag, first_untracked;
    int keeps; /* its lines, from kernel to kernel */
    uint32_t line_bytes;
    uint32_t sectors_of_memory; /* in a line of the memory, which may be longer */
    struct memory *memory;
    const struct listener *listener;
    unsigned port;
    uint64_t waiting, since; /* loads that wait for lines; counted for cycles before `since` */
    struct l1_counters counters;
    struct spaces spaces;
};

/* An MSHR of an atomic holds no line that a load could wait for. */
#define ATOMIC_LINE NO_LINE

#endif

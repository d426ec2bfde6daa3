/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/list.h: what memory holds of a kernel's groups of blocks, as the units of the GPU read it: of each group its first and its last
 * position in a list of all blocks, and that list. A reply comes a fixed number of cycles after the request, whatever else memory
 * does; for each SM one at a time is due.
 * Source: PAVER 5.1. */
#ifndef HEDDLE_TB_GPU_LIST_H
#define HEDDLE_TB_GPU_LIST_H

#include "hw.h"
#include "tb/units/view.h"

struct list {
    uint64_t latency; /* cycles, at least 1 */
    const struct block_groups *groups;
    struct list_request {
        uint64_t due, sm, group, at;
    } requests[NUM_SMS]; /* a ring: `count` of them, from `first` on, are due */
    unsigned first, count;
};

/* These are in memory now; NULL: none. What was asked for is forgotten. */
void list_start(struct list *, const struct block_groups *);

enum list_status { LIST_ASKED, LIST_TWICE, LIST_NOTHING };

/* A request in `cycle`: for group number `at`, or for the block at that position. LIST_TWICE: a reply for the SM is due; LIST_NOTHING:
 * there is no such SM, group or position. */
enum list_status list_ask(struct list *, uint64_t sm, int group, uint64_t at, uint64_t cycle);

/* The cycle of the next reply; UINT64_MAX: none is due. */
uint64_t list_due(const struct list *);

/* The reply of a cycle; `valid` is 0: there is none. Cycles with replies must not be left out. */
struct list_reply list_reply(struct list *, uint64_t cycle);

#endif

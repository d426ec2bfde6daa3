/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/l2.h: one bank of the L2 cache: write-back, write-allocate without fetching, sectors of 32
 * bytes, least recently used, requests served in order. A hit is answered l2.latency cycles after
 * it was served, a miss l2.latency cycles after its line has come from DRAM. */
#ifndef HEDDLE_TB_MEM_L2_H
#define HEDDLE_TB_MEM_L2_H

#include "tb/mem/dram.h"
#include "tb/mem/mshr.h"
#include "tb/mem/packet.h"
#include "tb/mem/spaces.h"
#include "tb/mem/tags.h"

struct l2_bank {
    struct tags tags;
    struct mshrs mshrs;
    const struct packet_queue *requests;     /* that arrive at it; l2_step takes them */
    struct packet_queue replies;             /* as they become ready */
    struct dram *dram;                       /* its channel */
    uint64_t interleave, neighbours, number; /* of a channel's banks this is the number-th */
    uint64_t free;                           /* it can serve a request from this cycle on */
    uint64_t stalled_since;                  /* NEVER: it is not stalled */
    uint64_t *stalled_by;                    /* counter of the cause */
    uint64_t latency, interval;
    uint32_t line_bytes;
    uint8_t all_sectors;
    struct l2_counters counters;
    struct spaces spaces;
    struct l2_listener listener; /* NULL: nobody listens */
};

/* `reply_places`: most requests that can be unanswered. `number` is its place among the banks of
 * the channel. Returns 0, or -1: no memory. */
int l2_init(struct l2_bank *, const struct config *, struct dram *, unsigned number,
            const struct packet_queue *requests, uint32_t reply_places);
void l2_free(struct l2_bank *);

/* Forgets all requests; lines stay. */
void l2_reset(struct l2_bank *);

/* Serves the first request if it is due and the bank is free. Returns whether it did: then the
 * caller takes it out of the queue. `dram_moved`: the channel has changed since the last call, a
 * stalled request is tried again. */
int l2_step(struct l2_bank *, uint64_t cycle, int dram_moved);

/* The line that MSHR `number` waits for has come from DRAM. */
void l2_fill(struct l2_bank *, uint64_t cycle, uint32_t number);

/* The first cycle in which l2_step has something to do, if the channel does not move. */
static inline uint64_t l2_event(const struct l2_bank *b)
{
    const uint64_t due = b->stalled_since == NEVER ? b->requests->due : NEVER;
    return due > b->free ? due : b->free;
}

/* Counts up to all cycles before `cycle`. */
void l2_account(struct l2_bank *, uint64_t cycle);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/l2.h: one bank of the L2 cache: write-back, write-allocate without fetching, sectors of 32
 * bytes, least recently used, requests served in order. A hit is answered l2.latency cycles after
 * it was served, a miss l2.latency cycles after its line has come from DRAM. */
#ifndef HEDDLE_TB_MEM_L2_H
#define HEDDLE_TB_MEM_L2_H

#include "tb/mem/dram.h"
#include "tb/mem/mshr.h"
#include "tb/mem/tags.h"

/* A request at a bank, and its answer on the way back. */
struct l2_packet {
    uint64_t due;  /* arrival at the bank; or ready to leave it */
    uint16_t port; /* who asks */
    uint16_t tag;
    uint8_t kind; /* enum memory_kind */
    uint8_t sectors;
    uint64_t line; /* the bank's own address of its first byte */
};

/* A first-in first-out queue of packets. */
struct l2_queue {
    struct l2_packet *packets;
    uint32_t first, count, places; /* places: a power of two; first: not reduced modulo it */
};

/* For at least this many packets. Returns 0, or -1: no memory. */
int l2_queue_init(struct l2_queue *, uint32_t places);

static inline struct l2_packet *l2_head(const struct l2_queue *q)
{
    return &q->packets[q->first & (q->places - 1)];
}

static inline void l2_pop(struct l2_queue *q)
{
    q->first++;
    q->count--;
}

static inline void l2_push(struct l2_queue *q, const struct l2_packet *p)
{
    q->packets[(q->first + q->count++) & (q->places - 1)] = *p;
}

/* Puts a packet behind all that are not due later. New ones belong near the end. */
void l2_insert(struct l2_queue *, const struct l2_packet *);

struct l2_bank {
    struct tags tags;
    struct mshrs mshrs;
    struct l2_queue requests, replies;       /* as they arrive; as they become ready */
    struct dram *dram;                       /* its channel */
    uint64_t interleave, neighbours, number; /* of a channel's banks this is the number-th */
    uint64_t free;                           /* it can serve a request from this cycle on */
    uint64_t stalled_since;                  /* NEVER: it is not stalled */
    uint64_t *stalled_by;                    /* counter of the cause */
    uint64_t latency, interval;
    uint32_t line_bytes;
    uint8_t all_sectors;
    struct l2_counters counters;
};

/* `request_places` and `reply_places`: most requests that can have arrived, or be unanswered.
 * `number` is its place among the banks of the channel. Returns 0, or -1: no memory. */
int l2_init(struct l2_bank *, const struct config *, struct dram *, unsigned number,
            uint32_t request_places, uint32_t reply_places);
void l2_free(struct l2_bank *);

/* Forgets all requests; lines stay. */
void l2_reset(struct l2_bank *);

/* Serves the next request if it is due and the bank is free. Returns 1 and the request, or 0: none
 * was served. `dram_moved`: the channel has changed since the last call, a stalled request is tried
 * again. */
int l2_step(struct l2_bank *, uint64_t cycle, int dram_moved, struct l2_packet *served);

/* The line that MSHR `number` waits for has come from DRAM. */
void l2_fill(struct l2_bank *, uint64_t cycle, uint32_t number);

/* The first cycle in which l2_step has something to do, if the channel does not move. */
static inline uint64_t l2_event(const struct l2_bank *b)
{
    if (!b->requests.count || b->stalled_since != NEVER)
        return NEVER;
    uint64_t due = l2_head(&b->requests)->due;
    return due > b->free ? due : b->free;
}

/* Counts up to all cycles before `cycle`. */
void l2_account(struct l2_bank *, uint64_t cycle);

#endif

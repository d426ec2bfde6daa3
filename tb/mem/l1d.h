/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/l1d.h: the L1 data cache of one SM: tags and MSHRs (data lives in tb/mem/gmem.h).
 * Sets and ways, least recently used, allocate on miss, write-evict without allocation, as all five
 * papers assume. */
#ifndef HEDDLE_TB_MEM_L1D_H
#define HEDDLE_TB_MEM_L1D_H

#include <stdint.h>

#include "tb/config.h"
#include "tb/mem/memory.h"

enum l1d_failure {
#define COUNTER(name, meaning)
#define FAILURE(name, meaning) L1D_FAIL_##name,
#include "tb/mem/l1d.def"
#undef COUNTER
#undef FAILURE
    NUM_L1D_FAILURES
};

struct l1d_counters {
#define COUNTER(name, meaning) uint64_t name;
#define FAILURE(name, meaning)
#include "tb/mem/l1d.def"
#undef COUNTER
#undef FAILURE
    uint64_t failures[NUM_L1D_FAILURES];
};

/* What became of an access. On L1D_FAILED nothing has changed except the count of the cause, in
 * *failure. */
enum l1d_result { L1D_HIT, L1D_MISS, L1D_SENT, L1D_FAILED };

struct l1d;

/* `port` is the SM's number at the memory. NULL: no memory. */
struct l1d *l1d_new(const struct config *, struct memory *, unsigned port);
void l1d_free(struct l1d *);

/* Empties the cache: no line, no MSHR, no counts. */
void l1d_reset(struct l1d *);

/* One line of a load by warp number `warp`. L1D_HIT: data after l1d.hit_latency. L1D_MISS: `waiter`
 * comes back from l1d_fill when the line arrives. */
enum l1d_result l1d_load(struct l1d *, uint64_t cycle, uint64_t line, unsigned warp,
                         uint32_t waiter, enum l1d_failure *failure);

/* One line of a store, `bytes` on the bus: L1D_SENT or L1D_FAILED. */
enum l1d_result l1d_store(struct l1d *, uint64_t cycle, uint64_t line, uint32_t bytes,
                          enum l1d_failure *failure);

/* One line of an atomic: L1D_SENT (`waiter` comes back from l1d_fill) or L1D_FAILED. It holds an
 * MSHR of its own. */
enum l1d_result l1d_atomic(struct l1d *, uint64_t cycle, uint64_t line, uint32_t bytes,
                           uint32_t waiter, enum l1d_failure *failure);

/* The reply with this tag has come. Returns how many requests waited for it and points *waiters to
 * them, in the order in which they came; valid until the next call. */
uint32_t l1d_fill(struct l1d *, uint32_t tag, const uint32_t **waiters);

struct l1d_counters *l1d_counters(struct l1d *);

#endif

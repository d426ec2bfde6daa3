/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/l1.h: a first-level cache of one SM, data (L1D), constants (L1C) or instructions
 * (L1I): tags and MSHRs (data lives in tb/mem/gmem.h). Sets and ways, least recently used, allocate
 * on miss, write-evict without allocation, as all five papers assume. */
#ifndef HEDDLE_TB_MEM_L1_H
#define HEDDLE_TB_MEM_L1_H

#include <stdint.h>

#include "tb/config.h"
#include "tb/events.h"
#include "tb/mem/memory.h"

enum l1_failure {
#define COUNTER(name, meaning)
#define FAILURE(name, meaning) L1_FAIL_##name,
#include "tb/mem/l1.def"
#undef COUNTER
#undef FAILURE
    NUM_L1_FAILURES
};

struct l1_counters {
#define COUNTER(name, meaning) uint64_t name;
#define FAILURE(name, meaning)
#include "tb/mem/l1.def"
#undef COUNTER
#undef FAILURE
    uint64_t failures[NUM_L1_FAILURES];
};

/* What became of an access. On L1_FAILED nothing has changed except the count of the cause, in
 * *failure. */
enum l1_result { L1_HIT, L1_MISS, L1_MERGED, L1_SENT, L1_FAILED };

struct l1;

/* What loads: a warp, by its number in the SM, with an instruction; `waiter` is the caller's. */
struct l1_user {
    uint32_t warp, pc, waiter;
};

/* `port` is the SM's number at the memory. NULL: no memory. The tags of L1D's requests are below
 * l1d.mshrs, those of L1C's and then of L1I's follow. L1D tells its events to the listener, which
 * must stay. */
struct l1 *l1d_new(const struct config *, struct memory *, unsigned port, const struct listener *);
struct l1 *l1c_new(const struct config *, struct memory *, unsigned port);
struct l1 *l1i_new(const struct config *, struct memory *, unsigned port); /* l1i.sets is not 0 */
void l1_free(struct l1 *);

/* What tags_set goes by to tell the set of a line in L1D; there are no lines in it. */
struct tags;
void l1d_shape(const struct config *, struct tags *);

/* Readies the cache for a kernel that starts at `cycle`: no line, unless l1d.keep or l1i.keep says
 * otherwise, no MSHR, no counts. */
void l1_reset(struct l1 *, uint64_t cycle);

/* These sectors of one line, for a load. L1_HIT: data after the hit latency. L1_MISS, and
 * L1_MERGED if they were on their way: the waiter comes back from l1_fill when they arrive. A
 * miss brings the line; one that does not `pollute` reserves none: it brings the sectors alone, past
 * the cache (Li et al.: PCAL, HPCA 2015; Poise, section III), and holds an MSHR or, if l1d.bypass_mshr
 * is 0, none: then others cannot merge with it. */
enum l1_result l1_load(struct l1 *, uint64_t cycle, uint64_t line, uint8_t sectors,
                       const struct l1_user *, int pollute, enum l1_failure *failure);

/* One line of a store, of these sectors: L1_SENT or L1_FAILED. */
enum l1_result l1_store(struct l1 *, uint64_t cycle, uint64_t line, uint8_t sectors,
                        enum l1_failure *failure);

/* One line of an atomic: L1_SENT (`waiter` comes back from l1_fill) or L1_FAILED. It holds an
 * MSHR of its own. */
enum l1_result l1_atomic(struct l1 *, uint64_t cycle, uint64_t line, uint8_t sectors,
                         uint32_t waiter, enum l1_failure *failure);

/* Whether an access to the line that failed by this cause, and would again, may succeed once the reply with this tag has come. */
int l1_unblocks(const struct l1 *, uint32_t tag, uint64_t line, enum l1_failure cause);

/* The reply with this tag has come. Returns how many requests waited for it and points *waiters to
 * them, in the order in which they came; valid until the next call. */
uint32_t l1_fill(struct l1 *, uint64_t cycle, uint32_t tag, const uint64_t **waiters);

/* Is the line valid? */
int l1_has(const struct l1 *, uint64_t line);

/* A new warp has this number: lines that the one before it has brought are nobody's. */
void l1_disown(struct l1 *, unsigned warp);

/* Brings the counts up to all cycles before `cycle`. */
void l1_account(struct l1 *, uint64_t cycle);

struct l1_counters *l1_counters(struct l1 *);

/* The same by address space: MEMORY_SPACES. */
const struct space_counters *l1_spaces(const struct l1 *);

#endif

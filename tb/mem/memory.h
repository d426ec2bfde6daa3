/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/memory.h: the door to the memory behind the L1 caches: crossbar, L2 banks, DRAM channels.
 * Timing only: data lives in tb/mem/gmem.h.
 *
 * The memory and its users run in windows of at most xbar.latency cycles. What one side sends in a
 * window reaches the other side after its end, so all SMs and all partitions (a DRAM channel with
 * its L2 banks) can run through a window independently, in any order or at the same time: the
 * result is the same. Between two windows stands memory_turn; then each port and partition collects
 * what was sent to it.
 *
 * Its users count cycles of their own clock, which may be slower than that of the memory (tb/clocks.h): all cycles here are theirs.
 *
 * Each SM has one port. A port's requests wait in its miss queue (l1d.miss_queue places) until they
 * enter the crossbar; a full queue is the backpressure. Reads and atomics are answered, writes are
 * not. A reply is never refused: the sender has reserved the place for the answer (an MSHR). */
#ifndef HEDDLE_TB_MEM_MEMORY_H
#define HEDDLE_TB_MEM_MEMORY_H

#include <stdint.h>

#include "tb/clocks.h"
#include "tb/config.h"

#define NEVER        UINT64_MAX /* a cycle that does not come */
#define SECTOR_BYTES 32         /* least that moves between caches */

/* Addresses of different address spaces differ from this bit on. Caches count what is theirs apart, of two: even and odd ones. */
#define SPACE_SHIFT   56
#define MEMORY_SPACES 2
static inline unsigned space_of(uint64_t address)
{
    return (unsigned)(address >> SPACE_SHIFT) & (MEMORY_SPACES - 1);
}

enum memory_kind { MEMORY_READ, MEMORY_WRITE, MEMORY_ATOMIC };

struct memory_request {
    uint64_t address; /* of a byte in the first sector */
    uint8_t kind;     /* enum memory_kind */
    uint8_t sectors; /* sectors moved: bit i: bytes 32i to 32i+31 of the L2 line (l1d.line bytes) */
    uint16_t tag;    /* comes back with the reply */
};

/* What a bank of L2 lacks when a request misses. */
enum l2_miss { L2_LINE, L2_SECTORS, L2_ON_ITS_WAY };

/* Hears what a bank serves, of a miss first that it is one, and steers nothing. It is called by the thread that runs the partition. */
struct l2_listener {
    void (*served)(void *user, unsigned space, uint64_t set, uint64_t line);
    void (*missed)(void *user, uint64_t line, enum l2_miss); /* line: its address */
    void *user;
};

/* Counts of one part of the memory, or sums over parts. */
struct xbar_counters {
#define COUNTER(name, meaning) uint64_t name;
#include "tb/mem/xbar.def"
#undef COUNTER
};
struct l2_counters {
#define COUNTER(name, meaning) uint64_t name;
#define FAILURE(name, meaning) uint64_t stalled_##name;
#include "tb/mem/l2.def"
#undef COUNTER
#undef FAILURE
};
struct space_counters {
#define COUNTER(name, meaning) uint64_t name;
#include "tb/mem/space.def"
#undef COUNTER
};
struct dram_counters {
#define COUNTER(name, meaning) uint64_t name;
#include "tb/mem/dram.def"
#undef COUNTER
};
struct memory_counters {
    struct xbar_counters xbar;
    struct l2_counters l2;
    struct space_counters l2_spaces[MEMORY_SPACES];
    struct dram_counters dram;
};

/* Tags that an SM's requests can have: one for each MSHR of L1D, then of L1C, then of L1I, if there
 * is one, then one for each load that bypasses L1D without an MSHR, of which there are as many as
 * L1D's MSHRs can hold loads. */
static inline uint32_t memory_untracked(const struct config *c)
{
    return c->l1d_bypass_mshr ? 0 : (uint32_t)(c->l1d_mshrs * c->l1d_mshr_merge);
}
static inline uint32_t memory_tags(const struct config *c)
{
    return (uint32_t)(c->l1d_mshrs + c->l1c_mshrs + (c->l1i_sets ? c->l1i_mshrs : 0)) +
           memory_untracked(c);
}

struct memory;

struct memory *memory_new(const struct config *, unsigned ports); /* NULL: no memory */
void memory_free(struct memory *);

/* Has a bank of L2 (below l2.banks) heard. Before anything runs. */
void memory_listen(struct memory *, unsigned bank, struct l2_listener);

/* From `cycle` on, which no port and no partition has gone through, the users' clock runs at `sixths`. It stands still for `stands` cycles
 * of the memory before it goes on, no more than xbar.latency: a window must end, and the next one begin in that cycle. */
void memory_pace(struct memory *, unsigned sixths, uint64_t cycle, uint64_t stands);

/* Both clocks, always in the same place. */
const struct clocks *memory_clocks(const struct memory *);

/* Forgets all requests on their way; cached lines stay and counters go on. */
void memory_reset(struct memory *);

/* Whether the port's miss queue has a free place in this cycle. */
int memory_room(struct memory *, unsigned port, uint64_t cycle);

/* Sends a request; the queue must have room. Calls of a port come in the order of their cycles. */
void memory_send(struct memory *, unsigned port, uint64_t cycle, const struct memory_request *);

/* Takes the port's next reply that is due by `cycle`: returns 1 and its tag, or 0: none is due. */
int memory_receive(struct memory *, unsigned port, uint64_t cycle, uint32_t *tag);

/* Where it stands, always in the same place: the first cycle at which the port has a reply or, when its queue
 * was full, room again; NEVER if that is not in this window. A requester that does not run in every cycle must
 * run in this one. */
const uint64_t *memory_next(const struct memory *, unsigned port);

unsigned memory_partitions(const struct memory *);

/* Runs a partition through a window: all cycles before `until`. */
void memory_run(struct memory *, unsigned partition, uint64_t until);

/* The first cycle in which a partition has something to do; 0: something is to be collected; NEVER:
 * all are quiet. */
uint64_t memory_event(const struct memory *);

/* The cycle after the last one in which a partition did something. */
uint64_t memory_ended(const struct memory *);

/* Ends a window, when no port or partition runs. */
void memory_turn(struct memory *);

/* Begins the window of a port, before all other calls for it. */
void memory_collect(struct memory *, unsigned port);

/* What the L2 banks have served since memory_new, between two windows. */
struct l2_served {
    uint64_t accesses, misses;
};
struct l2_served memory_l2_served(const struct memory *);

/* Totals since memory_new, up to all cycles before `cycle`. */
struct memory_counters memory_counters(struct memory *, uint64_t cycle);

#endif

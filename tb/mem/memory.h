/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/memory.h: the door to the memory behind the L1 data caches. Timing only: data lives in
 * tb/mem/gmem.h.
 *
 * Each SM has one port. A port's requests wait in its miss queue (l1d.miss_queue places) until the
 * memory takes them; a full queue is the backpressure. Reads and atomics are answered, writes are
 * not. A reply is never refused: who asks has reserved the place for the answer (an MSHR). Within a
 * cycle the order of the calls is the order of the requests. */
#ifndef HEDDLE_TB_MEM_MEMORY_H
#define HEDDLE_TB_MEM_MEMORY_H

#include <stdint.h>

#include "tb/config.h"

#define NEVER UINT64_MAX /* a cycle that does not come */

enum memory_kind { MEMORY_READ, MEMORY_WRITE, MEMORY_ATOMIC };

struct memory_request {
    enum memory_kind kind;
    uint64_t line;  /* address of its first byte */
    uint32_t bytes; /* moved over the bus */
    uint32_t tag;   /* comes back with the reply: the number of the MSHR, below l1d.mshrs */
};

struct memory_counters {
    uint64_t reads, writes, atomics, bytes;
};

struct memory;

struct memory *memory_new(const struct config *, unsigned ports); /* NULL: no memory */
void memory_free(struct memory *);

/* Forgets all requests on their way; counters go on. */
void memory_reset(struct memory *);

/* Whether the port's miss queue has a free place in this cycle. */
int memory_room(struct memory *, unsigned port, uint64_t cycle);

/* Sends a request; the queue must have room. At most l1d.mshrs requests of one port may wait for
 * their replies. */
void memory_send(struct memory *, unsigned port, uint64_t cycle, const struct memory_request *);

/* Takes the port's next reply that is due by `cycle`: returns 1 and its tag, or 0: none is due. */
int memory_receive(struct memory *, unsigned port, uint64_t cycle, uint32_t *tag);

/* The first cycle at which the port has a reply or, when its queue was full, room again; NEVER if
 * nothing is on its way. A requester that does not run in every cycle must run in this one. */
uint64_t memory_next(const struct memory *, unsigned port);

/* Totals since memory_new. */
const struct memory_counters *memory_counters(const struct memory *);

#endif

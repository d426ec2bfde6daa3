/* SPDX-License-Identifier: Apache-2.0 */
/* tb/capture/snapshot.h: a copy of global memory: what a capture knows of it. */
#ifndef HEDDLE_TB_CAPTURE_SNAPSHOT_H
#define HEDDLE_TB_CAPTURE_SNAPSHOT_H

#include <stdint.h>

#include "tb/mem/gmem.h"

#define SNAPSHOT_PIECE                                                                             \
    4096 /* bytes that are compared at once, from the beginning of an allocation on */

struct snapshot;

/* Of a memory without allocations. NULL: no memory. */
struct snapshot *snapshot_new(void);
void snapshot_free(struct snapshot *);

/* An allocation begins, with zeros, or ends. The address is above those of all that there have been. Returns 0, or -1: no memory,
 * or no such allocation. */
int snapshot_allocate(struct snapshot *, uint64_t base, uint64_t size);
int snapshot_release(struct snapshot *, uint64_t base);

/* The copy of [address, address + size), or NULL where any byte is in no allocation. */
uint8_t *snapshot_bytes(const struct snapshot *, uint64_t address, uint64_t size);

/* Who is told what has changed in memory since. NULL: nobody. */
struct snapshot_watch {
    void *context;
    void (*released)(void *context, uint64_t base);
    void (*allocated)(void *context, uint64_t base, uint64_t size);
    void (*changed)(void *context, uint64_t address, const uint8_t *bytes, uint64_t size);
};

/* Brings the copy up to date with memory, and tells of each difference: allocations that have ended, then those that have begun, then
 * pieces that differ, runs of them together. Returns 0, or -1: no memory. */
int snapshot_follow(struct snapshot *, const struct gmem *, const struct snapshot_watch *);

/* Where memory differs from the copy; both have the same allocations. */
struct snapshot_difference {
    uint64_t bytes;        /* how many do; 0: none, and nothing else is set */
    uint64_t address;      /* of the first */
    uint64_t base, size;   /* of the allocation that it is in */
    uint8_t copied, there; /* the byte in the copy, and in memory */
};
struct snapshot_difference snapshot_compare(const struct snapshot *, const struct gmem *);

/* Makes memory what the copy is; both have the same allocations. */
void snapshot_restore(const struct snapshot *, const struct gmem *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/stream.h: the executed stream, for whoever records it: every block of every kernel, and every
 * instruction of its warps when it issues. Unlike events (tb/events.h), which units hear, it has
 * the address of every lane. Where nobody records, it costs a test per instruction. */
#ifndef HEDDLE_TB_SM_STREAM_H
#define HEDDLE_TB_SM_STREAM_H

#include <stdint.h>

#include "tb/exec/exec.h"

/* An instruction that issues. */
struct stream_issue {
    const struct uop *uop;
    uint32_t pc, warp;                /* index in the kernel; warp of the block */
    uint32_t lanes;                   /* that execute it: active, and not guarded off */
    const struct exec_access *access; /* of one that goes to the load/store unit; else NULL */
};

/* What records the streams of all SMs. */
struct stream {
    void *context;
    /* A block of the kernel of this number goes to an SM. Called in the order in which blocks are
     * dispatched, while no SM runs. Returns what the other two are given, or NULL: this block is not
     * recorded. */
    void *(*place)(void *context, unsigned kernel, const uint32_t ctaid[3]);
    /* One of its warps issues; its last one has ended. SMs call these side by side, each for its
     * own blocks. */
    void (*issue)(void *block, const struct stream_issue *);
    void (*end)(void *block);
};

#endif

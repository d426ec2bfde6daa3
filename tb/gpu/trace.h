/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/trace.h: writes what is executed in the trace format of Accel-Sim, version 5, for
 * simulators that replay traces: kernelslist.g, which names the launches, as they began, and copies in
 * order, and kernel-<id>.traceg for each kernel. Blocks stand in the order in which they were
 * dispatched, each with the whole stream of each of its warps; so a block is kept until it has ended
 * and those of its kernel before it are written (tb/gpu/spool.h).
 *
 * Kernels that run at once have a file each, and are of different CUDA streams: those that have the
 * same number follow each other. */
#ifndef HEDDLE_TB_GPU_TRACE_H
#define HEDDLE_TB_GPU_TRACE_H

#include <stdint.h>
#include <stdio.h>

#include "tb/sm/stream.h"

/* Where shared and local memory of a trace begin, out of the way of global memory. */
#define TRACE_SHARED_BASE UINT64_C(0x10000000000)
#define TRACE_LOCAL_BASE  UINT64_C(0x20000000000)
#define TRACE_SPACE_BYTES                                                                          \
    (UINT64_C(4) << 40)                    /* from one address space of global memory to the next */
#define TRACE_MEMORY (UINT64_C(256) << 20) /* bytes of blocks that wait, before a file holds them */

struct trace;

/* Makes the folder, unless there is an empty one. Returns 0, or -1 with the reason on `err`. */
int trace_folder(const char *folder, FILE *err);

/* Begins a trace in a folder as above; `memory`: see spool_open. NULL with the reason on `err`. */
struct trace *trace_open(const char *folder, uint64_t memory, FILE *err);

/* Writes kernelslist.g, and frees. Returns 0, or -1 with the reason on `err`. */
int trace_close(struct trace *, FILE *err);

/* What the SMs are to be given: sm_record. */
const struct stream *trace_stream(const struct trace *);

/* A kernel begins, as the one of this number below GPU_KERNELS, whose global memory has the address
 * space `space`. Returns 0, or -1 with the reason on `err`. */
int trace_begin(struct trace *, unsigned number, const struct exec_launch *, uint32_t space,
                FILE *err);

/* While no SM runs: writes the blocks of a kernel that can be written. Returns 0, or -1 with the
 * reason on `err`: something could not be kept or written. */
int trace_collect(struct trace *, unsigned number, FILE *err);

/* The kernel has ended, and is written; or, unless it is `complete`, has failed, and leaves nothing.
 * Nothing happens if none has begun. Returns 0, or -1 with the reason on `err`. */
int trace_end(struct trace *, unsigned number, int complete, FILE *err);

/* The host has written global memory. */
void trace_copy(struct trace *, uint64_t address, uint64_t bytes);

#endif

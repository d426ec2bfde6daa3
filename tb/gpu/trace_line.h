/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/trace_line.h: the line of a trace that tells of one instruction. */
#ifndef HEDDLE_TB_GPU_TRACE_LINE_H
#define HEDDLE_TB_GPU_TRACE_LINE_H

#include "tb/sm/stream.h"

#define TRACE_LINE_MOST 1024 /* bytes: 32 lanes with differences of 20 digits, and the rest */

struct trace_line {
    uint32_t length; /* with the newline; no NUL */
    char text[TRACE_LINE_MOST];
};

/* A line of the kernel. `global`: where global memory of its address space begins in the trace. */
void trace_line_of(struct trace_line *, const struct ptx_kernel *, const struct stream_issue *,
                   uint64_t global);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/transfer.h: what the commands that touch buffers share. Every transfer is a copy of a box
 * of bytes between two places with row and slice pitches; the linear forms are boxes of one row.
 * What a transfer takes of simulated time follows from its bytes (duration.h). */
#ifndef HEDDLE_TB_OCL_TRANSFER_H
#define HEDDLE_TB_OCL_TRANSFER_H

#include "tb/ocl/command.h"

/* Flags of a buffer that the host may not read, or write. */
#define REFUSES_READ  (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)
#define REFUSES_WRITE (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)

/* One side of a copy: where the box begins, and the distances of its rows and slices. */
struct side {
    uint8_t *bytes;
    size_t row_pitch, slice_pitch;
};

struct copy {
    struct side to, from;
    size_t region[3];
};

/* What a command is enqueued with. */
struct target {
    cl_command_queue queue;
    cl_command_type type;
    cl_bool blocking;
    struct waits waits;
    cl_event *event;
};

/* Checks queue, memory object, their contexts and the wait list. */
cl_int transfer_check(const struct target *, cl_mem);

/* The same, and that it is a buffer. */
cl_int transfer_check_buffer(const struct target *, cl_mem);

/* Whether [offset, offset + size) lies in the buffer. */
int transfer_inside(cl_mem, size_t offset, size_t size);

/* Whether two buffers are, or are parts of, one. */
int transfer_same_memory(cl_mem, cl_mem);

/* Enqueues a copy; `second` is NULL where one side is the program's memory. */
cl_int transfer_submit(const struct target *, const struct copy *, cl_mem first, cl_mem second);

#endif

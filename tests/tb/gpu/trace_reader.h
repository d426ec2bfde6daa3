/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/trace_reader.h: reads a trace in Accel-Sim's format, strictly: what a reader may
 * skip is an error here. Written from the description of the format, and shares nothing with what
 * writes traces. */
#ifndef HEDDLE_TESTS_TB_GPU_TRACE_READER_H
#define HEDDLE_TESTS_TB_GPU_TRACE_READER_H

#include <stdint.h>

struct read_line {
    uint64_t pc;
    uint32_t mask;
    int num_dst, dst;
    char opcode[24];
    int num_src, src[4];
    uint32_t bytes; /* of a lane; 0: no access of memory */
    int mode;       /* of the addresses */
    uint64_t address[32];
};

struct read_warp {
    struct read_line *lines;
    uint64_t count;
};

struct read_block {
    uint32_t id[3];
    struct read_warp *warps;
};

struct read_kernel {
    char file[64], name[128];
    uint64_t id, stream, nregs, shmem, version, tracer, shared_base, local_base;
    uint32_t grid[3], block[3], num_warps;
    struct read_block *blocks;
    uint64_t num_blocks;
};

/* Of kernelslist.g: a launch, or a copy. */
struct read_command {
    struct read_kernel *kernel; /* NULL: a copy */
    uint64_t address, bytes;
};

struct read_trace {
    struct read_command *commands;
    uint64_t count;
};

#define READ_REASON 256

/* Reads the files of a folder. NULL with the reason. */
struct read_trace *trace_read(const char *folder, char reason[READ_REASON]);
void trace_read_free(struct read_trace *);

/* Reads the line of an instruction. Returns 0, or -1 with the reason. */
int trace_read_line(const char *text, struct read_line *, char reason[READ_REASON]);

#endif

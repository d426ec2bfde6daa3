/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/trace_witness.h: what a kernel has executed, by the machine's events and the warps'
 * registers, and whether a trace that was read says the same. It knows what writes traces as little
 * as the reader does. */
#ifndef HEDDLE_TESTS_TB_GPU_TRACE_WITNESS_H
#define HEDDLE_TESTS_TB_GPU_TRACE_WITNESS_H

#include "tb/gpu/machine.h"
#include "tests/tb/gpu/trace_reader.h"

/* What a trace may show, counted while it is compared. */
#define SIGHTS(X)                                                                                  \
    X(strides)                                                                                     \
    X(steps_backwards)                                                                             \
    X(differences)                                                                                 \
    X(single_lanes)                                                                                \
    X(accesses_of_no_lane)                                                                         \
    X(guards)                                                                                      \
    X(addresses)                                                                                   \
    X(lines_of_global)                                                                             \
    X(lines_of_local)                                                                              \
    X(LDG)                                                                                         \
    X(STG)                                                                                         \
    X(LDS)                                                                                         \
    X(STS)                                                                                         \
    X(LDL)                                                                                         \
    X(STL)                                                                                         \
    X(LDC)                                                                                         \
    X(ATOM)                                                                                        \
    X(RED)
enum sight {
#define SIGHT(name) SIGHT_##name,
    SIGHTS(SIGHT) NUM_SIGHTS
#undef SIGHT
};
extern const char *const sight_names[];

/* An instruction that has issued. */
struct witness_line {
    uint32_t pc, lanes, guarded;
    uint8_t space;        /* enum ptx_space of an access that a lane makes, else 0 */
    uint64_t lines;       /* of L1D, if the coalescer has told */
    uint64_t address[32]; /* of such an access, in its space */
};

struct witness_warp {
    struct witness_line *lines;
    uint64_t count, accesses; /* accesses: lines before this one have been told */
};

struct witness_block {
    uint64_t cycle; /* in which it began */
    uint32_t ctaid[3];
    struct witness_warp *warps;
};

struct witness {
    struct gpu *gpu;
    const struct ptx_kernel *kernel;
    uint32_t num_warps;
    uint64_t num_blocks, instructions;
    struct witness_block *blocks; /* by linear id */
    uint64_t warp_block[NUM_SMS][NUM_SLOTS];
    uint8_t *registers[NUM_SMS][NUM_SLOTS]; /* of each warp, after its last instruction */
    uint64_t seen[NUM_SIGHTS];
};

/* Hears what the next kernel of a machine of one host thread does; what it knew is forgotten. */
void witness_listen(struct witness *, struct gpu *);

/* The kernel has ended. The machine goes on without. */
void witness_stop(struct witness *, struct gpu *);

/* Returns 0, or -1 with the first difference. */
int witness_compare(struct witness *, const struct read_kernel *, char reason[READ_REASON]);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/op/bench.h: a kernel of instructions that are stepped one by one, in every build,
 * with the register block and all memory in the test's hands. */
#ifndef HEDDLE_TESTS_TB_EXEC_OP_BENCH_H
#define HEDDLE_TESTS_TB_EXEC_OP_BENCH_H

#include <string.h>

#include "tests/tb/exec/op/op.h"
#include "tests/tb/exec/support.h"

#define REGISTERS 8 /* of each kind */
#define SPREAD    16
#define REGION    (SPREAD * WARP_LANES + 32) /* bytes of each state space */

/* Kinds of registers: those of the rows, then %a and %c, which hold addresses, and %q, the guard.
 */
struct kind {
    char letter;
    const char *type, *show; /* an instruction that moves them */
    uint64_t bits;           /* that a lane holds */
    unsigned slot;           /* bytes of a lane; 0: a bit */
};
enum { KIND_ADDRESS = 7, KIND_ADDRESS32, KIND_GUARD, NUM_KINDS };
extern const struct kind bench_kinds[NUM_KINDS];
extern const struct kind bench_carry; /* CC.CF, which texts do not name */

/* The memory that a warp can reach. */
struct arena {
    _Alignas(64) uint8_t param[64];
    uint8_t global[REGION], constant[REGION], shared[REGION], local[WARP_LANES][REGION];
};

/* One build, with a warp and memory of its own. */
struct machine {
    unsigned build;
    struct program program;
    struct arena *arena;
    uint64_t global, constant; /* device addresses */
    struct exec_launch launch;
    struct exec_block block;
    struct exec_fault fault;
    struct exec_warp warp;
};

struct bench {
    struct op *ops;
    unsigned num_ops;
    struct machine machines[2];
    unsigned num_machines;
    const struct ptx_kernel *kernel; /* the first machine's; all are laid out alike */
    const struct uop *uops;          /* of the ops */
    uint32_t where[NUM_KINDS][REGISTERS], carry;
    uint8_t *before;  /* the register block of the next step, but for the place of "_" */
    size_t reg_bytes; /* of that */
    struct arena *memory, *expected; /* before the step, and after it */
};

/* All spellings of a row's text. */
void bench_open(struct bench *, const char *row);
void bench_close(struct bench *);

const struct kind *bench_kind(const struct bench *, uint32_t where); /* NULL: "_" */

/* One lane of a register. */
static inline uint64_t bench_get(const uint8_t *regs, const struct kind *kind, uint32_t where,
                                 unsigned lane)
{
    uint64_t x = 0;
    if (kind->slot == 0) {
        memcpy(&x, regs + where, 4);
        return x >> lane & 1;
    }
    memcpy(&x, regs + where + lane * kind->slot, kind->slot);
    return x;
}

static inline void bench_set(uint8_t *regs, const struct kind *kind, uint32_t where, unsigned lane,
                             uint64_t x)
{
    x &= kind->bits;
    if (kind->slot == 0) {
        uint32_t word;
        memcpy(&word, regs + where, 4);
        word = (word & ~(1u << lane)) | (uint32_t)x << lane;
        memcpy(regs + where, &word, 4);
        return;
    }
    memcpy(regs + where + lane * kind->slot, &x, kind->slot);
}

#endif

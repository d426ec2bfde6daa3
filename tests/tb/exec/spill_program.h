/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/spill_program.h: random programs that keep many values alive: kernel k(in, out)
 * with loops, divergence, guarded instructions, calls, barriers and shared memory. Each thread ends
 * by writing all its registers to out. */
#ifndef HEDDLE_TESTS_TB_EXEC_SPILL_PROGRAM_H
#define HEDDLE_TESTS_TB_EXEC_SPILL_PROGRAM_H

#include <stdint.h>

#define PROGRAM_THREADS 64

struct spill_program {
    uint32_t words, longs; /* live registers of 32 and of 64 bits */
    uint32_t statements;
    uint32_t state; /* of the generator, not 0 */
};

/* The PTX text; free() it. It has at most 32 loops. */
char *spill_program(struct spill_program);

/* One in which every instruction matters: a loop that mixes all registers, so that a wrong value
 * anywhere shows at the end. `statements` and `state` are not used. */
char *spill_dense_program(struct spill_program);

/* Bytes of `out` of one thread. */
uint32_t spill_program_bytes(const struct spill_program *);

#endif

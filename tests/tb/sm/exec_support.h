/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/sm/exec_support.h: what the tests of the executor share: PTX texts made ready to run,
 * launches with buffers, and tables of instructions that are executed on all combinations of given
 * operands under several masks. */
#ifndef HEDDLE_TESTS_TB_SM_EXEC_SUPPORT_H
#define HEDDLE_TESTS_TB_SM_EXEC_SUPPORT_H

#include <stdint.h>

#include "tb/sm/exec.h"
#include "tb/sm/exec_bind.h"

/* A parsed, placed and bound module with a memory of its own. */
struct program {
    struct ptx_module *module;
    struct gmem *gmem;
};

/* Fails the test where the text cannot be made ready. `build`: see exec_bind.h. */
struct program program_open(const char *text, unsigned build);
void program_close(struct program *);

/* Runs kernel `name` with blocks of block_x threads in a row of grid_x. `params` are param_bytes of
 * the kernel. Returns exec_run's value; *fault and *instructions may be NULL. */
struct run {
    const char *kernel;
    uint32_t grid[3], block[3];
    const void *params;
    uint32_t dynamic_shared;
};
int program_run(const struct program *, const struct run *, struct exec_fault *fault,
                uint64_t *instructions);

/* The head of every text: version, target, address size. */
#define PTX_HEAD ".version 6.0\n.target sm_70\n.address_size 64\n"

/* Operand values, as bits. */
struct values {
    const uint64_t *bits;
    unsigned count;
};
extern const struct values ONE, I16, I32, I64, SHIFTS, F32, F64, BITS;

/* One instruction. It reads operands a b c e as %h1..4 (.b16), %r1..4 (.b32), %d1..4 (.b64), %f1..4
 * (.f32), %g1..4 (.f64), which hold their low bits, and %p1..4 (.pred), which are their lowest
 * bits; they also lie in memory, 8 bytes each, from %d5 on. It writes %h0, %r0, %d0, %f0, %g0 or
 * %p0, as `result` says, or (m) the 8 bytes at %d6, which held OLD as all these registers did.
 * `expect` gives the bits of the result. */
#define OLD 0x5aa55aa5c33cc33cull
struct instruction {
    const char *text; /* with the semicolon */
    char result;      /* h r d f g p m */
    const struct values *a, *b, *c, *e;
    uint64_t (*expect)(uint64_t a, uint64_t b, uint64_t c, uint64_t e);
};

/* Executes the instruction for all combinations of its operands, unguarded and under masks, in
 * every build; fails the test where a result differs or an inactive lane changed. */
void check_instruction(const struct instruction *);

/* A table for check_instruction: rows X(name, text, result, a, b, c, e, expectation). */
#define EXPECTATION(name, text, result, A, B, C, E, value)                                         \
    static uint64_t expect_##name(uint64_t a, uint64_t b, uint64_t c, uint64_t e)                  \
    {                                                                                              \
        (void)a, (void)b, (void)c, (void)e;                                                        \
        return (uint64_t)(value);                                                                  \
    }
#define INSTRUCTION(name, text, result, A, B, C, E, value)                                         \
    {text ";", #result[0], &A, &B, &C, &E, expect_##name},
/* Rows of instructions with one to three operands of the result's kind, from one set. */
#define ROW1(X, name, op, r, A, value) X(name, op " %" #r "0, %" #r "1", r, A, ONE, ONE, ONE, value)
#define ROW2(X, name, op, r, A, value)                                                             \
    X(name, op " %" #r "0, %" #r "1, %" #r "2", r, A, A, ONE, ONE, value)
#define ROW3(X, name, op, r, A, value)                                                             \
    X(name, op " %" #r "0, %" #r "1, %" #r "2, %" #r "3", r, A, A, A, ONE, value)
#define CHECK_TABLE(list)                                                                          \
    list(EXPECTATION) static void list##_test(void **state)                                        \
    {                                                                                              \
        static const struct instruction table[] = {list(INSTRUCTION)};                             \
        (void)state;                                                                               \
        for (unsigned row = 0; row < sizeof table / sizeof *table; row++)                          \
            check_instruction(&table[row]);                                                        \
    }

/* One warp that the test steps by itself: the only one of a kernel `k` with parameters a and b
 * (.u64), which are params[], registers %p (.pred), %r (.b32) and %d (.b64), and this body. */
struct stepped {
    struct program program;
    const struct ptx_kernel *kernel;
    struct exec_launch launch;
    struct exec_block block;
    struct exec_fault fault;
    struct exec_access access;
    struct exec_warp warp;
    uint64_t params[4];
};
void step_open(struct stepped *, const char *body, uint32_t threads);
void step_close(struct stepped *);
enum exec_status step_once(struct stepped *);

/* Steps until the status is not EXEC_NEXT or EXEC_BRANCH; returns the deepest stack seen. */
uint32_t step_to_end(struct stepped *, enum exec_status *status);

/* The low words of the register that instruction `index` writes. */
const uint32_t *written(const struct stepped *, uint32_t index);

/* Bits and values. */
uint64_t bits_of_float(float);
uint64_t bits_of_double(double);
float float_of(uint64_t bits);
double double_of(uint64_t bits);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/op/op.h: tables of instructions and of what they give. A row stands for all
 * spellings of its text; each is executed in every build, on all combinations of the row's
 * operands, under mixed masks, and every register of every lane is compared. A check over
 * opcode.def makes sure that no combination the decoder accepts is without a row. */
#ifndef HEDDLE_TESTS_TB_EXEC_OP_OP_H
#define HEDDLE_TESTS_TB_EXEC_OP_OP_H

#include <stdint.h>

#include "tb/ptx/ptx.h"

/* b untyped, u, s, f, p predicate, x .f16x2; 1 bit for a predicate. */
struct op_type {
    char kind;
    unsigned bits;
};

/* One state space, or one way to address it. */
struct op_space {
    const char *modifier, *address; /* ".shared", "%c0" */
    enum ptx_space space;
    const char *uses; /* letters: see struct row */
};

/* One instruction, spelled out. */
struct op {
    char text[192];
    char opcode[96];
    struct op_type type, from; /* from: a cvt's source type, else type */
    char round;                /* n z m p: .rn or .rni ...; n where none is given */
    int integral;              /* the rounding is .rni, .rzi, .rmi or .rpi */
    int ftz, sat;
    unsigned vec;
    const struct op_space *space; /* NULL: it accesses no memory */
    unsigned offset;              /* of the address */
};

/* Results of one lane, from the bits of its operands: out[k] is the value for the k-th destination
 * register, which holds its low bits. `in` are 64 bits each; the instruction sees low bits of them.
 *   ld         in[0] and in[1] are the 16 bytes at the address
 *   st         out[0] and out[1] are the bytes to be stored
 *   atom, red  in[0] is what the memory holds, out[0] the old value, out[1] what memory must hold
 */
typedef void op_expect(const struct op *, const uint64_t in[4], uint64_t out[4]);

/* The text has no semicolon. It names registers %X0 to %X7, X being b h r d (untyped, 8 to 64
 * bits), f g (.f32, .f64) or p; 1 to 4 hold the operands, the others are for results. In it
 *   <x|y>   means each of x and y
 *   %0      a register of the instruction's type: %h0 for .u16
 *   %W0     one twice as wide
 *   %:0     one of the second type (cvt, set, slct)
 *   %*0     every register that may hold the type, %~1 the source type of a cvt
 *   @r $    every readable state space, as modifier and as address; @u of ldu, @w writable, @a for
 *           atomics
 * `operands` has a letter for each operand, the set of its values:
 *   t s     of the instruction's type, of the source type of a cvt
 *   c z     the type's, fewer of them; the second type's
 *   y       the carry that goes in, 0 and 1: the last operand, which no register in the text holds
 *   g       generic addresses
 *   w       of the type twice as wide
 *   n       shift amounts, positions and lengths
 *   i       positions of bits, and signed numbers of them
 *   p       0 and 1
 *   =       those of the operand before, another one each time, but not in all combinations
 *   v       words of bytes and half-words with and without sign bits
 *   R       random bits
 *   H M     all .f16; .f32 in the middle between two .f16 and beside it */
struct row {
    const char *text, *operands;
    op_expect *expect;
};

struct op_table {
    const char *name;
    const struct row *rows;
    unsigned count;
};
#define OP_TABLE(name, rows)                                                                       \
    const struct op_table op_##name = {#name, rows, sizeof rows / sizeof *rows};

/* In the order of the sources of tb/exec/. */
#define OP_TABLES(X)                                                                               \
    X(atom) X(bits) X(fields) X(cvt) X(float) X(half) X(int) X(mem) X(setp) X(video)
#define OP_DECLARE(name) extern const struct op_table op_##name;
OP_TABLES(OP_DECLARE)

#define OP_INTEGERS "<u16|s16|u32|s32|u64|s64>"
#define OP_UNTYPED  "<b16|b32|b64>"
#define OP_ROUND    "<|.rn|.rz|.rm|.rp>"

/* expand.c: calls `each` for all spellings of a row's text. */
void op_expand(const char *text, void (*each)(void *context, const struct op *), void *context);
int op_has(const struct op *, const char *modifier); /* ".hi" */

/* values.c: a set of operand values. */
struct op_values {
    const uint64_t *bits;
    unsigned count;
};
struct op_values op_values(const struct op *, char letter);

/* run.c: executes all spellings of all rows; the test fails where a result differs or anything else
 * has changed. Returns how many instructions there were. */
unsigned op_run(const struct op_table *);

/* coverage.c: fails the test unless every combination of opcode, modifiers, types and widths of
 * registers that the decoder accepts is among the tables' instructions; prints how many there are.
 */
void op_check_coverage(const struct op_table *const *tables, unsigned count);

/* An integer of the type from its bits, and held to the type's range. */
__int128 op_integer(struct op_type, uint64_t bits);
__int128 op_saturated(struct op_type, __int128);

#endif

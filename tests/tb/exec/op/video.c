/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/op/video.c: rows of tb/exec/video.c: the PTX ISA's pseudo-code of "Scalar Video
 * Instructions" and "SIMD Video Instructions", in 128 bits, from the instruction's text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tb/exec/op/exact.h"
#include "tests/tb/exec/op/op.h"

/* Whether the n-th type of the opcode is .s32. */
static int is_signed(const struct op *op, int n)
{
    for (const char *at = op->opcode; (at = strchr(at, '.')); at++)
        if (!strncmp(at, ".u32", 4) || !strncmp(at, ".s32", 4))
            if (n-- == 0)
                return at[1] == 's';
    return 0;
}

/* What stands behind the register of operand n: "b0", or "". */
static const char *selector(const struct op *op, int n, char room[8])
{
    const char *at = strchr(op->text, ' ');
    while (n-- > 0)
        at = strchr(at + 1, ',');
    const size_t length = strcspn(at + 1, ","), dot = strcspn(at + 1, ".");
    snprintf(room, 8, "%.*s", dot < length ? (int)(length - dot - 1) : 0, at + 2 + dot);
    return room;
}

static int is_negated(const struct op *op, int n)
{
    const char *at = strchr(op->text, ' ');
    while (n-- > 0)
        at = strchr(at + 1, ',');
    return at[1] == '-' || at[2] == '-';
}

static int128 extend(uint64_t x, unsigned bits, int with_sign)
{
    return op_integer((struct op_type){with_sign ? 's' : 'u', bits}, x);
}

/* partSelectSignExtend */
static int128 part(const struct op *op, const uint64_t *in, int n, int with_sign)
{
    char room[8];
    const char *which = selector(op, n, room);
    if (which[0] == 'b')
        return extend(in[n - 1] >> 8 * (which[1] - '0'), 8, with_sign);
    if (which[0] == 'h')
        return extend(in[n - 1] >> 16 * (which[1] - '0'), 16, with_sign);
    return extend(in[n - 1], 32, with_sign);
}

static int128 clamp(int128 x, unsigned bits, int with_sign)
{
    return op_saturated((struct op_type){with_sign ? 's' : 'u', bits}, x);
}

static int128 lesser(int128 a, int128 b)
{
    return a < b ? a : b;
}

/* optSaturate, optSecondaryOp, optMerge */
static uint64_t finish(const struct op *op, int128 tmp, uint64_t c, int with_sign)
{
    char room[8];
    const char *which = selector(op, 0, room);
    const unsigned bits = which[0] == 'b' ? 8 : which[0] == 'h' ? 16 : 32;
    const int128 extended = extend(c, 32, with_sign);
    if (op->sat)
        tmp = clamp(tmp, bits, with_sign);
    if (op_has(op, ".add"))
        return (uint64_t)(tmp + extended);
    if (op_has(op, ".min"))
        return (uint64_t)lesser(tmp, extended);
    if (op_has(op, ".max"))
        return (uint64_t)-lesser(-tmp, -extended);
    if (bits == 32)
        return (uint64_t)tmp;
    const unsigned shift = bits * (unsigned)(which[1] - '0');
    const uint64_t ones = (1u << bits) - 1;
    return ((uint64_t)tmp & ones) << shift | (c & ~(ones << shift));
}

static int is(const struct op *op, const char *mnemonic)
{
    return !strncmp(op->opcode, mnemonic, strlen(mnemonic));
}

static int128 operation(const struct op *op, int128 a, int128 b)
{
    if (is(op, "vadd"))
        return a + b;
    if (is(op, "vsub"))
        return a - b;
    if (is(op, "vabsdiff"))
        return a > b ? a - b : b - a;
    if (is(op, "vavrg"))
        return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1;
    return is(op, "vmin") ? lesser(a, b) : -lesser(-a, -b);
}

static void scalar(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const int128 a = part(op, in, 1, is_signed(op, 1)), b = part(op, in, 2, is_signed(op, 2));
    out[0] = finish(op, operation(op, a, b), in[2], is_signed(op, 0));
}

static void shift(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const int128 a = part(op, in, 1, is_signed(op, 1));
    int128 b = part(op, in, 2, 0), power = 1;
    b = op_has(op, ".wrap") ? b % 32 : b > 32 ? 32 : b;
    for (int128 i = 0; i < b; i++)
        power *= 2;
    const int128 down = a >= 0 ? a / power : -((-a + power - 1) / power); /* towards below */
    out[0] = finish(op, is(op, "vshl") ? a * power : down, in[2], is_signed(op, 0));
}

static int128 compared(const struct op *op, int128 a, int128 b)
{
    return op_has(op, ".eq")   ? a == b
           : op_has(op, ".ne") ? a != b
           : op_has(op, ".lt") ? a < b
           : op_has(op, ".le") ? a <= b
           : op_has(op, ".gt") ? a > b
                               : a >= b;
}

static void set(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const int128 a = part(op, in, 1, is_signed(op, 0)), b = part(op, in, 2, is_signed(op, 1));
    out[0] = finish(op, compared(op, a, b), in[2], 0);
}

static void product_sum(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const int minus = is_negated(op, 1) != is_negated(op, 2), minus_c = is_negated(op, 3);
    const int with_sign = is_signed(op, 1) || is_signed(op, 2) || minus || minus_c;
    int128 tmp = part(op, in, 1, is_signed(op, 1)) * part(op, in, 2, is_signed(op, 2));
    uint64_t c = in[2];
    int lsb = op_has(op, ".po");
    if (minus) {
        tmp = ~tmp;
        lsb = 1;
    } else if (minus_c) {
        c = ~c;
        lsb = 1;
    }
    tmp += extend(c, 32, with_sign) + lsb;
    tmp >>= op_has(op, ".shr7") ? 7 : op_has(op, ".shr15") ? 15 : 0;
    out[0] = (uint64_t)(op->sat ? clamp(tmp, 32, with_sign) : tmp);
}

/* Element `n` of a vector: digits of the selector count from the last one; by default operand 1's
 * elements, or operand 2's. */
static int128 element(const struct op *op, const uint64_t *in, int operand, unsigned n,
                      unsigned count, int with_sign)
{
    char room[8];
    const char *which = selector(op, operand, room);
    const unsigned bits = 32 / count;
    const unsigned pick =
        *which ? (unsigned)(which[count - n] - '0') : n + (operand == 2 ? count : 0);
    const uint64_t word = pick < count ? in[0] & 0xffffffff : in[1];
    return extend(word >> pick % count * bits, bits, with_sign);
}

static void simd(const struct op *op, const uint64_t *in, uint64_t *out)
{
    char room[8];
    const char *mask = selector(op, 0, room);
    const unsigned count = (unsigned)(strcspn(op->opcode, "24") < strlen(op->opcode)
                                          ? op->opcode[strcspn(op->opcode, "24")] - '0'
                                          : 0);
    const int comparison = is(op, "vset"), first = !comparison; /* vset has no type of its result */
    const unsigned bits = 32 / count;
    const uint64_t ones = (1u << bits) - 1;
    uint64_t d = op_has(op, ".add") ? in[2] : 0;
    for (unsigned n = 0; n < count; n++) {
        const char digit[2] = {(char)('0' + n), '\0'};
        const int written = !*mask || strstr(mask + 1, digit) != NULL;
        const int128 a = element(op, in, 1, n, count, is_signed(op, first));
        const int128 b = element(op, in, 2, n, count, is_signed(op, first + 1));
        int128 t = comparison ? compared(op, a, b) : operation(op, a, b);
        if (op->sat)
            t = clamp(t, bits, is_signed(op, 0));
        if (op_has(op, ".add"))
            d += written ? (uint64_t)t : 0;
        else
            d |= (written ? (uint64_t)t & ones : in[2] >> n * bits & ones) << n * bits;
    }
    out[0] = d;
}

#define TYPE     "<u32|s32>"
#define TYPES    "." TYPE "." TYPE "." TYPE
#define SCALARS  "<vadd|vsub|vabsdiff|vmin|vmax>"
#define SHIFTS   "<vshl|vshr><|.sat><.clamp|.wrap>." TYPE "." TYPE ".u32"
#define SECOND   "<.add|.min|.max>"
#define PARTS    "<.b0|.b1|.b2|.b3|.h0|.h1>"
#define COMPARED "<eq|ne|lt|le|gt|ge>"
#define SIMDS(n) "<vadd" n "|vsub" n "|vavrg" n "|vabsdiff" n "|vmin" n "|vmax" n ">"

static const struct row rows[] = {
    {SCALARS "<|.sat>" TYPES " %r0, %r1, %r2", "vv", scalar},
    {SCALARS "<|.sat>" SECOND TYPES " %r0, %r1, %r2, %r3", "vvv", scalar},
    {SCALARS "<|.sat>" TYPES " %r0, %r1" PARTS ", %r2<|.b2|.h1>", "vv", scalar},
    {SCALARS "<|.sat>" TYPES " %r0, %r1<|.b1|.h0>, %r2" PARTS, "vv", scalar},
    {SCALARS "<|.sat>" TYPES " %r0" PARTS ", %r1<|.b3>, %r2<|.h0>, %r3", "vv=", scalar},
    {SCALARS ".sat" SECOND TYPES " %r0, %r1.h1, %r2.b0, %r3", "vv=", scalar},
    {SHIFTS " %r0, %r1<|.b1|.h1>, %r2<|.b0|.h0>", "vn", shift},
    {"<vshl|vshr><|.sat><.clamp|.wrap>" SECOND "." TYPE "." TYPE ".u32 %r0, %r1, %r2, %r3", "vnv",
     shift},
    {SHIFTS " %r0" PARTS ", %r1<|.h0>, %r2, %r3", "vn=", shift},
    {"vmad<|.sat><|.shr7|.shr15>" TYPES " %r0, <|->%r1<|.b1|.h1>, <|->%r2<|.b3|.h0>, %r3", "vvv",
     product_sum},
    {"vmad<|.sat><|.shr7|.shr15>" TYPES " %r0, %r1<|.b2>, %r2<|.h1>, -%r3", "vvv", product_sum},
    {"vmad.po<|.sat><|.shr7|.shr15>" TYPES " %r0, %r1<|.b2>, %r2<|.h1>, %r3", "vvv", product_sum},
    {"vset." COMPARED "." TYPE "." TYPE " %r0, %r1<|.b1|.h1>, %r2<|.b0|.h0>", "vv", set},
    {"vset." COMPARED SECOND "." TYPE "." TYPE " %r0, %r1, %r2, %r3", "vvv", set},
    {"vset." COMPARED "." TYPE "." TYPE " %r0" PARTS ", %r1<|.b1|.h1>, %r2, %r3", "vv=", set},
    {SIMDS("2") "<|.sat|.add>" TYPES " %r0, %r1, %r2, %r3", "vvv", simd},
    {SIMDS("2") "<|.sat|.add>" TYPES " %r0<.h0|.h1|.h10>, %r1<|.h00|.h21>, %r2<.h10|.h31>, %r3",
     "vv=", simd},
    {"vset2." COMPARED "<|.add>." TYPE "." TYPE " %r0<|.h0|.h1>, %r1<|.h23>, %r2<|.h00>, %r3",
     "vv=", simd},
    {SIMDS("4") "<|.sat|.add>" TYPES " %r0, %r1, %r2, %r3", "vvv", simd},
    {SIMDS("4") "<|.sat|.add>" TYPES
                " %r0<.b0|.b1|.b2|.b3|.b20|.b321>, %r1<|.b7531>, %r2<.b3210|.b0426>, %r3",
     "vv=", simd},
    {"vset4." COMPARED "<|.add>." TYPE "." TYPE " %r0<|.b10|.b3>, %r1<|.b4567>, %r2<|.b0123>, %r3",
     "vv=", simd},
    /* c that does not matter; a destination that is a source; "_". */
    {"vadd.s32.u32.s32 %r0, %r1.b0, %r2.h1, %r3", "vv=", scalar},
    {"vsub.sat.s32.u32.s32 %r<1|2|3>.b1, %r1.b0, %r2.h1, %r3", "vv=", scalar},
    {"vmad.s32.s32.u32 %r<1|2|3>, -%r1.b0, %r2, %r3", "vv=", product_sum},
    {"vadd4.u32.s32.u32 %r<1|2|3>.b20, %r1, %r2.b0000, %r3", "vv=", simd},
    {"vmax2.u32.u32.u32 _, %r1, %r2, %r3", "vv=", simd},
};
OP_TABLE(video, rows)

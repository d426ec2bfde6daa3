/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/op/int.c: rows of tb/exec/int.c: PTX ISA, "Integer Arithmetic Instructions", in
 * 128 bits that are cut at the end. Where PTX leaves the result open (division by zero) the rows
 * hold what int.c promises. */
#include "tests/tb/exec/op/exact.h"
#include "tests/tb/exec/op/op.h"

#define A op_integer(op->type, in[0])
#define B op_integer(op->type, in[1])
#define C op_integer(op->type, in[2])

/* Only .s32 has .sat, and no sum of it overflows 128 bits. */
static uint64_t finish(const struct op *op, int128 x)
{
    return (uint64_t)(op->sat ? op_saturated(op->type, x) : x);
}

static void sum(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = finish(op, A + B);
}

static void difference(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = finish(op, A - B);
}

/* The low half of a product, the high half, or both. The unsigned product has the same low 128
 * bits, which are enough for all types. */
static int128 product_part(const struct op *op, const uint64_t *in)
{
    const uint128 product = (uint128)A * (uint128)B;
    const struct op_type whole = {op->type.kind, 2 * op->type.bits};
    if (op_has(op, ".wide"))
        return op_integer(whole, (uint64_t)product);
    return op_integer(op->type, (uint64_t)(op_has(op, ".hi") ? product >> op->type.bits : product));
}

static void product(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = (uint64_t)product_part(op, in);
}

static void product_sum(const struct op *op, const uint64_t *in, uint64_t *out)
{
    if (op_has(op, ".wide"))
        out[0] = (uint64_t)product_part(op, in) + in[2];
    else
        out[0] = finish(op, product_part(op, in) + C);
}

/* Bits 47 to 16, or 31 to 0, of the product of 24 bits. */
static int128 product24_part(const struct op *op, const uint64_t *in)
{
    int128 factor[2];
    for (int n = 0; n < 2; n++) {
        factor[n] = in[n] & 0xffffff;
        if (op->type.kind == 's' && factor[n] & 0x800000)
            factor[n] -= 0x1000000;
    }
    const uint128 product = (uint128)(factor[0] * factor[1]);
    return op_integer(op->type, (uint64_t)(op_has(op, ".hi") ? product >> 16 : product));
}

static void product24(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = (uint64_t)product24_part(op, in);
}

static void product24_sum(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = finish(op, product24_part(op, in) + C);
}

static void distance_sum(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = (uint64_t)(C + (A < B ? B - A : A - B));
}

/* By zero: all ones. The one overflow, least / -1, is cut like a sum. */
static int128 divided(int128 a, int128 b)
{
    if (b == 0)
        return -1;
    const int128 size = (a < 0 ? -a : a) / (b < 0 ? -b : b);
    return (a < 0) == (b < 0) ? size : -size;
}

static void quotient(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = (uint64_t)divided(A, B);
}

static void rest(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = B == 0 ? ~0ull : (uint64_t)(A - divided(A, B) * B);
}

static void negative(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = (uint64_t)-A;
}

static void size(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = (uint64_t)(A < 0 ? -A : A);
}

static void least(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = (uint64_t)(A < B ? A : B);
}

static void most(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = (uint64_t)(A > B ? A : B);
}

static void minus_3(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = (uint64_t)(A - 3);
}

static void from_5(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = (uint64_t)(5 - A);
}

/* Extended precision: out[1] is the bit above the result, of a difference the borrow; in[last] is
 * the one that goes in. Sums of unsigned numbers, so that it is 0 or 1. */
static void carried(const struct op *op, int128 x, uint64_t *out)
{
    out[0] = (uint64_t)x;
    out[1] = x >> op->type.bits & 1;
}

static uint128 low_bits(const struct op *op, uint64_t x)
{
    return (uint128)x % ((uint128)1 << op->type.bits);
}

#define UA (int128) low_bits(op, in[0])
#define UB (int128) low_bits(op, in[1])

static void sum_carry(const struct op *op, const uint64_t *in, uint64_t *out)
{
    carried(op, UA + UB + (int128)in[2], out);
}

static void difference_borrow(const struct op *op, const uint64_t *in, uint64_t *out)
{
    carried(op, UA - UB - (int128)in[2], out);
}

static void product_carry(const struct op *op, const uint64_t *in, uint64_t *out)
{
    carried(op,
            (int128)(low_bits(op, (uint64_t)product_part(op, in)) + low_bits(op, in[2]) + in[3]),
            out);
}

/* Part n of an operand, of so many bits and the operand's sign. */
static int128 part(struct op_type type, uint64_t x, unsigned n, unsigned bits)
{
    return op_integer((struct op_type){type.kind, bits}, x >> n * bits);
}

static void dot_product(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const unsigned count = op->opcode[2] - '0'; /* dp4a, dp2a */
    const unsigned skipped = op_has(op, ".hi") ? 2 : 0;
    int128 sum = (int128)in[2];
    for (unsigned n = 0; n < count; n++)
        sum += part(op->type, in[0], n, 32 / count) * part(op->from, in[1], skipped + n, 8);
    out[0] = (uint64_t)sum;
}

static const struct row rows[] = {
    {"add." OP_INTEGERS " %0, %1, %2", "tt", sum},
    {"add.sat.s32 %0, %1, %2", "tt", sum},
    {"sub." OP_INTEGERS " %0, %1, %2", "tt", difference},
    {"sub.sat.s32 %0, %1, %2", "tt", difference},
    {"mul.<lo|hi>." OP_INTEGERS " %0, %1, %2", "tt", product},
    {"mul.wide.<u16|s16|u32|s32> %W0, %1, %2", "tt", product},
    {"mad.<lo|hi>." OP_INTEGERS " %0, %1, %2, %3", "ttt", product_sum},
    {"mad.hi.sat.s32 %0, %1, %2, %3", "ttt", product_sum},
    {"mad.wide.<u16|s16|u32|s32> %W0, %1, %2, %W3", "ttw", product_sum},
    {"mul24.<lo|hi>.<u32|s32> %0, %1, %2", "tt", product24},
    {"mad24.<lo|hi>.<u32|s32> %0, %1, %2, %3", "ttt", product24_sum},
    {"mad24.hi.sat.s32 %0, %1, %2, %3", "ttt", product24_sum},
    {"sad." OP_INTEGERS " %0, %1, %2, %3", "ttt", distance_sum},
    {"div." OP_INTEGERS " %0, %1, %2", "tt", quotient},
    {"rem." OP_INTEGERS " %0, %1, %2", "tt", rest},
    {"neg.<s16|s32|s64> %0, %1", "t", negative},
    {"abs.<s16|s32|s64> %0, %1", "t", size},
    {"min." OP_INTEGERS " %0, %1, %2", "tt", least},
    {"max." OP_INTEGERS " %0, %1, %2", "tt", most},
    {"add.cc.<u32|s32|u64|s64> %0, %1, %2", "tt", sum_carry},
    {"addc<|.cc>.<u32|s32|u64|s64> %0, %1, %2", "tty", sum_carry},
    {"sub.cc.<u32|s32|u64|s64> %0, %1, %2", "tt", difference_borrow},
    {"subc<|.cc>.<u32|s32|u64|s64> %0, %1, %2", "tty", difference_borrow},
    {"mad.<lo|hi>.cc.<u32|s32|u64|s64> %0, %1, %2, %3", "ttt", product_carry},
    {"madc.<lo|hi><|.cc>.<u32|s32|u64|s64> %0, %1, %2, %3", "ttty", product_carry},
    {"dp4a.<u32|s32>.<u32|s32> %0, %1, %2, %3", "tt=", dot_product},
    {"dp2a.<lo|hi>.<u32|s32>.<u32|s32> %0, %1, %2, %3", "tt=", dot_product},
    /* A destination that is a source, "_", constants. */
    {"dp4a.u32.s32 %<1|2|3>, %1, %2, %3", "tt=", dot_product},
    {"add." OP_INTEGERS " %<1|2>, %1, %2", "tt", sum},
    {"mul.<lo|hi>.s32 _, %1, %2", "tt", product},
    {"div.<u16|s64> %2, %1, %2", "tt", quotient},
    {"addc.cc.<u32|s64> %<1|2>, %1, %2", "tty", sum_carry},
    {"madc.hi.cc.<s32|u64> %<1|3>, %1, %2, %3", "ttty", product_carry},
    {"subc.cc.u32 _, %1, %2", "tty", difference_borrow},
    {"sub.<s16|s32|s64> %0, %1, 3", "t", minus_3},
    {"add.<s16|s32|s64> %0, -3, %1", "t", minus_3},
    {"sub.<s16|u32|u64> %0, 5, %1", "t", from_5},
};
OP_TABLE(int, rows)

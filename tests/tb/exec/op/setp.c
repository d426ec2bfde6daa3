/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/op/setp.c: rows of tb/exec/setp.c: PTX ISA, "Comparison and Selection
 * Instructions". */
#include "tests/tb/exec/op/exact.h"
#include "tests/tb/exec/op/op.h"

/* How a lies to b. */
enum order { LESS, EQUAL, GREATER, UNORDERED };

static enum order float_order(const struct op *op, const uint64_t *in)
{
    struct exact x[2];
    for (int n = 0; n < 2; n++)
        x[n] = exact_of_float(op->from.bits,
                              op->ftz ? float_flush(op->from.bits, in[n] & 0xffffffff) : in[n]);
    if (x[0].kind == NOT_A_NUMBER || x[1].kind == NOT_A_NUMBER)
        return UNORDERED;
    if (x[0].kind == INFINITE && x[1].kind == INFINITE)
        return x[0].negative == x[1].negative ? EQUAL : x[0].negative ? LESS : GREATER;
    const struct exact d = exact_add(x[0], exact_negate(x[1]), 'n');
    return d.kind == NUMBER && d.m == 0 ? EQUAL : d.negative ? LESS : GREATER;
}

static enum order integer_order(const struct op *op, const uint64_t *in)
{
    const int128 a = op_integer(op->from, in[0]), b = op_integer(op->from, in[1]);
    return a == b ? EQUAL : a < b ? LESS : GREATER;
}

/* Each comparison is the set of orders in which it holds. */
static int holds(const struct op *op, enum order order)
{
    static const struct {
        const char *name, *orders;
    } table[] = {
        {
            ".eq",
            "=",
        },
        {".ne", "<>"},
        {".lt", "<"},
        {".le", "<="},
        {".gt", ">"},
        {".ge", ">="},
        {".lo", "<"},
        {".ls", "<="},
        {".hi", ">"},
        {".hs", ">="},
        {".equ", "=?"},
        {".neu", "<>?"},
        {".ltu", "<?"},
        {".leu", "<=?"},
        {".gtu", ">?"},
        {".geu", ">=?"},
        {".num", "<=>"},
        {".nan", "?"},
    };
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
        for (const char *at = table[i].orders; op_has(op, table[i].name) && *at; at++)
            if (*at == "<=>?"[order])
                return 1;
    return 0;
}

static int combined(const struct op *op, int result, int with)
{
    return op_has(op, ".and")   ? result && with
           : op_has(op, ".or")  ? result || with
           : op_has(op, ".xor") ? result != with
                                : result;
}

/* p and q; c is 1 where it is not combined. */
static void compare(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const int yes = holds(op, op->from.kind == 'f' ? float_order(op, in) : integer_order(op, in));
    out[0] = (uint64_t)combined(op, yes, in[2] & 1);
    out[1] = (uint64_t)combined(op, !yes, in[2] & 1);
}

static void compare_2(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const uint64_t with[4] = {in[0], 2};
    compare(op, with, out);
}

static void compare_not(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const uint64_t with[4] = {in[0], in[1], !in[2]};
    compare(op, with, out);
}

/* set: all ones or 1.0. */
static void set(const struct op *op, const uint64_t *in, uint64_t *out)
{
    compare(op, in, out);
    const uint64_t one = op->type.bits == 16 ? 0x3c00 : 0x3f800000;
    out[0] = out[0] == 0 ? 0 : op->type.kind == 'f' ? one : ~0ull;
}

static void set_not(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const uint64_t with[4] = {in[0], in[1], !in[2]};
    set(op, with, out);
}

/* .f16x2: what a and b hold in half n. */
static int holds_in(const struct op *op, const uint64_t *in, unsigned n)
{
    const struct op halves = {.from = {'f', 16}, .ftz = op->ftz};
    const uint64_t with[4] = {in[0] >> 16 * n & 0xffff, in[1] >> 16 * n & 0xffff};
    return holds(op, float_order(&halves, with));
}

static void compare_halves(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = (uint64_t)combined(op, holds_in(op, in, 0), in[2] & 1);
    out[1] = (uint64_t)combined(op, holds_in(op, in, 1), in[2] & 1);
}

static void compare_halves_not(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const uint64_t with[4] = {in[0], in[1], !in[2]};
    compare_halves(op, with, out);
}

/* Each half has its own result. */
static void set_halves(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const uint64_t one = op->type.kind == 'x' ? 0x3c00 : 0xffff;
    compare_halves(op, in, out);
    out[0] = (out[0] ? one : 0) | (out[1] ? one << 16 : 0);
}

/* slct: a where c is not below zero, nor NaN. */
static void chosen(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const uint64_t zero[4] = {in[2], 0};
    const enum order order = op->from.kind == 'f' ? float_order(op, zero) : integer_order(op, zero);
    out[0] = order == EQUAL || order == GREATER ? in[0] : in[1];
}

/* testp, by the fields of the float: a zero exponent with a fraction is subnormal. */
static void test(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const unsigned fraction_bits = op->type.bits == 32 ? 23 : 52;
    const uint64_t fraction = in[0] & ((1ull << fraction_bits) - 1);
    const uint64_t most = op->type.bits == 32 ? 0xff : 0x7ff, e = in[0] >> fraction_bits & most;
    out[0] = op_has(op, ".finite")       ? e < most
             : op_has(op, ".infinite")   ? e == most && !fraction
             : op_has(op, ".number")     ? e < most || !fraction
             : op_has(op, ".notanumber") ? e == most && fraction
             : op_has(op, ".normal")     ? e < most && (e || !fraction)
                                         : !e && fraction;
}

#define ORDERS   "<lt|le|gt|ge>"
#define UNSIGNED "<lo|ls|hi|hs>"
#define FLOATS   "<eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan>"
#define COMBINE  "<and|or|xor>"
#define ANY      "<b16|u16|s16|b32|u32|s32|b64|u64|s64>"

static const struct row rows[] = {
    {"setp.<eq|ne>." ANY " %p0|%p5, %1, %2", "tt", compare},
    {"setp." ORDERS "." OP_INTEGERS " %p0|%p5, %1, %2", "tt", compare},
    {"setp." UNSIGNED ".<u16|u32|u64> %p0|%p5, %1, %2", "tt", compare},
    {"setp." FLOATS "<|.ftz>.f32 %p0|%p5, %1, %2", "tt", compare},
    {"setp." FLOATS ".f64 %p0|%p5, %1, %2", "tt", compare},
    {"setp.<eq|ne>." COMBINE "." ANY " %p0|%p5, %1, %2, %p3", "ttp", compare},
    {"setp." ORDERS "." COMBINE "." OP_INTEGERS " %p0|%p5, %1, %2, !%p3", "ttp", compare_not},
    {"setp." UNSIGNED "." COMBINE ".<u16|u32|u64> %p0|%p5, %1, %2, %p3", "ttp", compare},
    {"setp." FLOATS "." COMBINE "<|.ftz>.f32 %p0|%p5, %1, %2, %p3", "ccp", compare},
    {"setp." FLOATS "." COMBINE ".f64 %p0|%p5, %1, %2, !%p3", "ccp", compare_not},
    {"set.<eq|ne>.<u32|s32|f32|f16>." ANY " %0, %:1, %:2", "ss", set},
    {"set." ORDERS ".<u32|s32|f32|f16>." OP_INTEGERS " %0, %:1, %:2", "ss", set},
    {"set." UNSIGNED ".<u32|s32|f32|f16>.<u16|u32|u64> %0, %:1, %:2", "ss", set},
    {"set." FLOATS "<|.ftz>.<u32|s32|f32|f16>.f32 %0, %:1, %:2", "ss", set},
    {"set." FLOATS ".<u32|s32|f32|f16>.f64 %0, %:1, %:2", "ss", set},
    {"set.<eq|ne>." COMBINE ".<u32|s32|f32|f16>." ANY " %0, %:1, %:2, %p3", "ssp", set},
    {"set." ORDERS "." COMBINE ".<u32|s32|f32|f16>." OP_INTEGERS " %0, %:1, %:2, !%p3", "ssp",
     set_not},
    {"set." UNSIGNED "." COMBINE ".<u32|s32|f32|f16>.<u16|u32|u64> %0, %:1, %:2, %p3", "ssp", set},
    {"set." FLOATS "." COMBINE "<|.ftz>.<u32|s32|f32|f16>.f32 %0, %:1, %:2, %p3", "zzp", set},
    {"set." FLOATS "." COMBINE ".<u32|s32|f32|f16>.f64 %0, %:1, %:2, !%p3", "zzp", set_not},
    {"setp." FLOATS "<|.ftz>.f16 %p0, %1, %2", "tt", compare},
    {"setp." FLOATS "." COMBINE "<|.ftz>.f16 %p0, %1, %2, !%p3", "ttp", compare_not},
    {"setp." FLOATS "<|.ftz>.f16x2 %p0|%p5, %1, %2", "tt", compare_halves},
    {"setp." FLOATS "." COMBINE "<|.ftz>.f16x2 %p0|%p5, %1, %2, !%p3", "ttp", compare_halves_not},
    {"setp.<eq|gtu>.f16x2 %p0, %1, %2", "tt", compare_halves},
    {"set." FLOATS "<|.ftz>.<f16|u16|s16|u32|s32>.f16 %0, %:1, %:2", "ss", set},
    {"set." FLOATS "." COMBINE "<|.ftz>.<f16|u16|s16|u32|s32>.f16 %0, %:1, %:2, %p3", "ssp", set},
    {"set." FLOATS "<|.ftz>.<f16x2|u32|s32>.f16x2 %0, %:1, %:2", "ss", set_halves},
    {"set." FLOATS "." COMBINE "<|.ftz>.<f16x2|u32|s32>.f16x2 %0, %:1, %:2, %p3", "ssp",
     set_halves},
    {"slct.<f32|f64>.s32 %0, %1, %2, %:3", "ccs", chosen},
    {"slct<|.ftz>.<f32|f64>.f32 %0, %1, %2, %:3", "ccs", chosen},
    {"slct." ANY ".s32 %0, %1, %2, %:3", "t=s", chosen},
    {"slct<|.ftz>." ANY ".f32 %0, %1, %2, %:3", "t=s", chosen},
    {"testp.<finite|infinite|number|notanumber|normal|subnormal>.<f32|f64> %p0, %1", "t", test},
    /* One destination, a constant, a destination that is the operand, "_". */
    {"setp.<ltu|ge>.f32 %p0, %1, %2", "tt", compare},
    {"setp.gt.<s16|u32|s64> %p0, %1, 2", "t", compare_2},
    {"setp.gt." COMBINE ".u32 %p3, %1, %2, %p3", "ttp", compare},
    {"setp.gt." COMBINE ".u32 %p3|%p0, %1, %2, %p3", "ttp", compare},
    {"setp.gt." COMBINE ".u32 %p0|%p3, %1, %2, %p3", "ttp", compare},
    {"setp.lt.s64 <_|%p0>|<%p5|_>, %1, %2", "tt", compare},
};
OP_TABLE(setp, rows)

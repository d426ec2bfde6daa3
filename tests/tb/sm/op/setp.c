/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/sm/op/setp.c: rows of tb/sm/exec_setp.c: PTX ISA, "Comparison and Selection
 * Instructions". */
#include "tests/tb/sm/op/exact.h"
#include "tests/tb/sm/op/op.h"

/* How a lies to b. */
enum order { LESS, EQUAL, GREATER, UNORDERED };

static enum order float_order(const struct op *op, const uint64_t *in)
{
    struct exact x[2];
    for (int n = 0; n < 2; n++)
        x[n] = exact_of_float(op->type.bits,
                              op->ftz ? float_flush(op->type.bits, in[n] & 0xffffffff) : in[n]);
    if (x[0].kind == NOT_A_NUMBER || x[1].kind == NOT_A_NUMBER)
        return UNORDERED;
    if (x[0].kind == INFINITE && x[1].kind == INFINITE)
        return x[0].negative == x[1].negative ? EQUAL : x[0].negative ? LESS : GREATER;
    const struct exact d = exact_add(x[0], exact_negate(x[1]), 'n');
    return d.kind == NUMBER && d.m == 0 ? EQUAL : d.negative ? LESS : GREATER;
}

static enum order integer_order(const struct op *op, const uint64_t *in)
{
    const int128 a = op_integer(op->type, in[0]), b = op_integer(op->type, in[1]);
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
    const int yes = holds(op, op->type.kind == 'f' ? float_order(op, in) : integer_order(op, in));
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
    /* One destination, a constant, a destination that is the operand, "_". */
    {"setp.<ltu|ge>.f32 %p0, %1, %2", "tt", compare},
    {"setp.gt.<s16|u32|s64> %p0, %1, 2", "t", compare_2},
    {"setp.gt." COMBINE ".u32 %p3, %1, %2, %p3", "ttp", compare},
    {"setp.gt." COMBINE ".u32 %p3|%p0, %1, %2, %p3", "ttp", compare},
    {"setp.gt." COMBINE ".u32 %p0|%p3, %1, %2, %p3", "ttp", compare},
    {"setp.lt.s64 <_|%p0>|<%p5|_>, %1, %2", "tt", compare},
};
OP_TABLE(setp, rows)

/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/op/fields.c: more rows of tb/exec/bits.c: masks and fields of sm_70, predicates that
 * are made or negated on the way, moves of vectors. */
#include <stdlib.h>
#include <string.h>

#include "tests/tb/exec/op/op.h"

static int bit(uint64_t x, uint64_t n)
{
    return x >> n & 1;
}

/* lop3.and, lop3.or: bit 4 a + 2 b + c of the table, which is the last but one of the text's operands;
 * whether any bit is set, and the predicate. */
static void looked_up_and_tested(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const char *table = strrchr(op->text, ',');
    const int q = strchr(op->text, '!') ? !in[3] : (int)in[3];
    do
        table--;
    while (*table != ' ');
    out[0] = 0;
    for (unsigned i = 0; i < 32; i++) {
        const unsigned n =
            4 * (unsigned)bit(in[0], i) + 2 * (unsigned)bit(in[1], i) + (unsigned)bit(in[2], i);
        out[0] |= (uint64_t)bit(strtoul(table, NULL, 0), n) << i;
    }
    out[1] = op_has(op, ".and") ? out[0] && q : out[0] || q;
}

/* PTX ISA, "bmsk" and "szext": bit by bit. */
static void mask(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const uint64_t a = in[0] & 0xffffffff, b = in[1] & 0xffffffff;
    const int clamps = op_has(op, ".clamp");
    out[0] = 0;
    if (clamps && a >= 32)
        return;
    for (uint64_t i = a % 32; i < 32; i++)
        if ((clamps && b >= 32) || i < a % 32 + b % 32)
            out[0] |= 1ull << i;
}

static void extension(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const uint64_t b = in[1] & 0xffffffff;
    out[0] = in[0];
    if (op_has(op, ".clamp") && b >= 32)
        return;
    const uint64_t width = b % 32;
    for (uint64_t i = width; i < 32; i++) {
        const int one = op->type.kind == 's' && width && bit(in[0], width - 1);
        out[0] = one ? out[0] | 1ull << i : out[0] & ~(1ull << i);
    }
}

/* PTX ISA, "fns", as its pseudo-code walks. */
static void nth_bit(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const int32_t offset = (int32_t)in[2];
    int64_t at = (int32_t)in[1], count = llabs((int64_t)offset);
    (void)op;
    out[0] = 0xffffffff;
    if (offset == 0 && at >= 0 && at < 32 && bit(in[0], (uint64_t)at))
        out[0] = (uint64_t)at;
    for (; offset && at >= 0 && at<32; at += offset> 0 ? 1 : -1)
        if (bit(in[0], (uint64_t)at) && --count == 0) {
            out[0] = (uint64_t)at;
            return;
        }
}

/* Operand n of a text that may negate it: !%p1. */
static int truth(const struct op *op, const uint64_t *in, unsigned n)
{
    const char negated[] = {'!', '%', 'p', (char)('1' + n), '\0'};
    return strstr(op->text, negated) ? !in[n] : (int)in[n];
}

static void logic(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const int a = truth(op, in, 0), b = truth(op, in, 1);
    out[0] = (uint64_t)(op->opcode[0] == 'a' ? a && b : op->opcode[0] == 'o' ? a || b : a != b);
}

static void same_or_not(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const int a = truth(op, in, 0);
    out[0] = (uint64_t)(op->opcode[0] == 'n' ? !a : a);
}

static void choice(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = truth(op, in, 2) ? in[0] : in[1];
}

static void vector(const struct op *op, const uint64_t *in, uint64_t *out)
{
    memcpy(out, in, op->vec * sizeof *out);
}

static void swapped(const struct op *op, const uint64_t *in, uint64_t *out)
{
    (void)op;
    out[0] = in[1];
    out[1] = in[0];
}

static void rotated(const struct op *op, const uint64_t *in, uint64_t *out)
{
    (void)op;
    for (unsigned n = 0; n < 4; n++)
        out[n] = in[(n + 1) % 4];
}

#define ALL "<b16|b32|b64|u16|s16|u32|s32|u64|s64|f32|f64>"

static const struct row rows[] = {
    {"lop3.<and|or>.b32 %r0|%p0, %1, %2, %3, <0x80|0x96|0|0xfe>, <|!>%p4", "ttzp",
     looked_up_and_tested},
    {"lop3.<and|or>.b32 <_|%r1>|%p4, %1, %2, %3, 0xc0, %p4", "ttzp", looked_up_and_tested},
    {"bmsk.<clamp|wrap>.b32 %0, %1, %2", "nn", mask},
    {"bmsk.<clamp|wrap>.b32 %0, %1, %2", "RR", mask},
    {"szext.<clamp|wrap>.<u32|s32> %0, %1, %r2", "tn", extension},
    {"szext.<clamp|wrap>.<u32|s32> %<0|1|2>, %1, %r2", "Rn", extension},
    {"fns.b32 %<0|2>, %1, %r2, %r3", "tii", nth_bit},
    {"fns.b32 %0, %1, %r2, %r3", "Rii", nth_bit},
    {"<and|or|xor>.pred %p0, <|!>%p1, <|!>%p2", "pp", logic},
    {"<and|or|xor>.pred %p<1|2>, !%p1, <|!>%p2", "pp", logic},
    {"<mov|not>.pred %p<0|1>, <|!>%p1", "p", same_or_not},
    {"selp." ALL " %0, %1, %2, !%p3", "ttp", choice},
    {"selp.<b16|b64> %<1|2>, %1, %2, !%p3", "ttp", choice},
    {"mov.v2." ALL " {%0, %5}, {%1, %2}", "tt", vector},
    {"mov.v4.<b16|u16|s16|b32|u32|s32|f32> {%0, %5, %6, %7}, {%1, %2, %3, %4}", "t===", vector},
    {"mov.v2.<b16|u32|f64> {%1, %2}, {%2, %1}", "tt", swapped},
    {"mov.v4.<s16|f32> {%1, %2, %3, %4}, {%2, %3, %4, %1}", "t===", rotated},
    {"mov.v2.b32 {<_|%0>, %5}, {%1, %2}", "tt", vector},
};
OP_TABLE(fields, rows)

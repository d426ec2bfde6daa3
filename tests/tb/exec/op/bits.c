/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/op/bits.c: rows of tb/exec/bits.c: moves, logic, shifts, bit fields, predicates,
 * bit by bit as the PTX ISA's own pseudo-code goes. */
#include <stdlib.h>
#include <string.h>

#include "tests/tb/exec/op/exact.h"
#include "tests/tb/exec/op/op.h"

static int bit(uint64_t x, uint64_t n)
{
    return x >> n & 1;
}

static void copy(const struct op *op, const uint64_t *in, uint64_t *out)
{
    (void)op;
    out[0] = in[0];
}

static void conjunction(const struct op *op, const uint64_t *in, uint64_t *out)
{
    (void)op;
    out[0] = in[0] & in[1];
}

static void disjunction(const struct op *op, const uint64_t *in, uint64_t *out)
{
    (void)op;
    out[0] = in[0] | in[1];
}

static void exclusion(const struct op *op, const uint64_t *in, uint64_t *out)
{
    (void)op;
    out[0] = in[0] ^ in[1];
}

static void complement(const struct op *op, const uint64_t *in, uint64_t *out)
{
    (void)op;
    out[0] = ~in[0];
}

/* Bit i of x after a shift to the left by n; `fill` is what comes in. */
static int shifted_bit(uint64_t x, int bits, int64_t i, int64_t n, int fill)
{
    const int64_t from = i - n;
    return from < 0 || from >= bits ? fill : bit(x, (uint64_t)from);
}

static void shift(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const int bits = (int)op->type.bits;
    const int64_t amount = in[1] & 0xffffffff;
    const int fill = op->type.kind == 's' && bit(in[0], op->type.bits - 1);
    out[0] = 0;
    for (int i = 0; i < bits; i++)
        out[0] |=
            (uint64_t)shifted_bit(in[0], bits, i, op->opcode[2] == 'l' ? amount : -amount, fill)
            << i;
}

/* The 64 bits b:a shifted by c; to the right the low word, to the left the high one. */
static void funnel(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const uint64_t both = in[1] << 32 | (in[0] & 0xffffffff), c = in[2] & 0xffffffff;
    const int64_t amount = op_has(op, ".wrap") ? c % 32 : c < 32 ? c : 32;
    out[0] = 0;
    for (int i = 0; i < 32; i++)
        out[0] |= (uint64_t)(op_has(op, ".l") ? shifted_bit(both, 64, i + 32, amount, 0)
                                              : shifted_bit(both, 64, i, -amount, 0))
                  << i;
}

static void selection(const struct op *op, const uint64_t *in, uint64_t *out)
{
    (void)op;
    out[0] = in[2] ? in[0] : in[1];
}

static void field(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const unsigned position = in[1] & 0xff, length = in[2] & 0xff, top = op->type.bits - 1;
    const unsigned last = position + length - 1 < top ? position + length - 1 : top;
    const int sign = op->type.kind == 's' && length ? bit(in[0], last) : 0;
    out[0] = 0;
    for (unsigned i = 0; i <= top; i++)
        out[0] |= (uint64_t)(i < length && position + i <= top ? bit(in[0], position + i) : sign)
                  << i;
}

static void insertion(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const unsigned position = in[2] & 0xff, length = in[3] & 0xff;
    out[0] = in[1];
    for (unsigned i = 0; i < length && position + i < op->type.bits; i++)
        out[0] = (out[0] & ~(1ull << (position + i))) | (uint64_t)bit(in[0], i) << (position + i);
}

static void leading_zeros(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = 0;
    while (out[0] < op->type.bits && !bit(in[0], op->type.bits - 1 - out[0]))
        out[0]++;
}

static void ones(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = 0;
    for (unsigned i = 0; i < op->type.bits; i++)
        out[0] += (uint64_t)bit(in[0], i);
}

/* The highest bit that is no sign. */
static void found(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const unsigned top = op->type.bits - 1;
    const int skipped = op->type.kind == 's' && bit(in[0], top);
    out[0] = 0xffffffff;
    for (unsigned i = 0; i <= top; i++)
        if (bit(in[0], i) != skipped)
            out[0] = op_has(op, ".shiftamt") ? top - i : i;
}

static void mirrored(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = 0;
    for (unsigned i = 0; i < op->type.bits; i++)
        out[0] |= (uint64_t)bit(in[0], i) << (op->type.bits - 1 - i);
}

/* Each nibble of c picks a byte of b:a, or its sign. */
static void permutation(const struct op *op, const uint64_t *in, uint64_t *out)
{
    (void)op;
    out[0] = 0;
    for (unsigned n = 0; n < 4; n++) {
        const unsigned pick = in[2] >> 4 * n & 15, source = pick % 8;
        const uint64_t byte = in[source / 4] >> source % 4 * 8 & 0xff;
        out[0] |= (pick < 8 ? byte : byte < 128 ? 0 : 255) << 8 * n;
    }
}

static void permutation_5c1f(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const uint64_t with[4] = {in[0], in[1], 0x5c1f};
    permutation(op, with, out);
}

/* The modes of prmt: the numbers of the bytes from d.b3 to d.b0, for c = 0, 1, 2, 3. */
static void permutation_mode(const struct op *op, const uint64_t *in, uint64_t *out)
{
    static const struct {
        const char *name, *bytes[4];
    } modes[] = {
        {".f4e", {"3210", "4321", "5432", "6543"}}, {".b4e", {"5670", "6701", "7012", "0123"}},
        {".rc8", {"0000", "1111", "2222", "3333"}}, {".ecl", {"3210", "3211", "3222", "3333"}},
        {".ecr", {"0000", "1110", "2210", "3210"}}, {".rc16", {"1010", "3232", "1010", "3232"}},
    };
    for (unsigned i = 0; i < sizeof modes / sizeof *modes; i++)
        if (op_has(op, modes[i].name)) {
            const uint64_t with[4] = {in[0], in[1], strtoul(modes[i].bytes[in[2] & 3], NULL, 16)};
            permutation(op, with, out);
        }
}

/* Bit 4 a + 2 b + c of the table, which is the text's last operand. */
static void looked_up(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const unsigned table = (unsigned)strtoul(strrchr(op->text, ' '), NULL, 0);
    out[0] = 0;
    for (unsigned i = 0; i < 32; i++)
        out[0] |= (uint64_t)bit(table, 4 * (unsigned)bit(in[0], i) + 2 * (unsigned)bit(in[1], i) +
                                           (unsigned)bit(in[2], i))
                  << i;
}

static void is_zero(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = in[0] << (64 - op->type.bits) == 0;
}

static void sign_copy(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const uint64_t sign = 1ull << (op->type.bits - 1);
    out[0] = (in[0] & sign) + in[1] % sign;
}

/* Elements come lowest first. */
static void pack(const uint64_t *in, uint64_t *out, unsigned count, unsigned bits)
{
    out[0] = 0;
    for (unsigned n = 0; n < count; n++)
        out[0] |= in[n] % (1ull << bits) << n * bits;
}

static void pack_2(const struct op *op, const uint64_t *in, uint64_t *out)
{
    pack(in, out, 2, op->type.bits / 2);
}

static void pack_4(const struct op *op, const uint64_t *in, uint64_t *out)
{
    pack(in, out, 4, op->type.bits / 4);
}

static void unpack_2(const struct op *op, const uint64_t *in, uint64_t *out)
{
    for (unsigned n = 0; n < 2; n++)
        out[n] = in[0] >> n * op->type.bits / 2;
}

static void unpack_4(const struct op *op, const uint64_t *in, uint64_t *out)
{
    for (unsigned n = 0; n < 4; n++)
        out[n] = in[0] >> n * op->type.bits / 4;
}

/* Generic addresses: windows for shared and local memory, all other spaces are as they are. */
static void to_or_from_generic(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const uint64_t window = op_has(op, ".local") ? GENERIC_LOCAL_BASE
                            : op_has(op, ".param") || op_has(op, ".param::entry")
                                ? GENERIC_PARAM_BASE
                            : op_has(op, ".global") || op_has(op, ".const") ? 0
                                                                            : GENERIC_SHARED_BASE;
    out[0] = op_has(op, ".to") ? in[0] - window : in[0] + window;
}

static void nothing(const struct op *op, const uint64_t *in, uint64_t *out)
{
    (void)op, (void)in, (void)out;
}

/* The text's last operand: an integer, the bits of a float, or a decimal number. */
static void constant(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const char *at = strrchr(op->text, ' ') + 1;
    (void)in;
    if (at[0] == '0' && (at[1] == 'f' || at[1] == 'd')) {
        out[0] = strtoull(at + 2, NULL, 16);
    } else if (strchr(at, '.')) {
        const double x = strtod(at, NULL);
        const float single = (float)x;
        memcpy(out, op->type.bits == 32 ? (const void *)&single : &x, op->type.bits / 8);
    } else {
        out[0] = at[0] == '-' ? (uint64_t)strtoll(at, NULL, 0) : strtoull(at, NULL, 0);
    }
}

static void either(const struct op *op, const uint64_t *in, uint64_t *out)
{
    (void)op;
    out[0] = in[0] ? 7 : 0xfffffffffffffffe;
}

static void shift_3(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const uint64_t with[4] = {in[0], 3};
    shift(op, with, out);
}

static void field_4_9(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const uint64_t with[4] = {in[0], 4, 9};
    field(op, with, out);
}

#define LOGICAL "<b16|b32|b64|pred>"
#define ALL     "<b16|b32|b64|u16|s16|u32|s32|u64|s64|f32|f64>"

static const struct row rows[] = {
    {"and." LOGICAL " %0, %1, %2", "tt", conjunction},
    {"or." LOGICAL " %0, %1, %2", "tt", disjunction},
    {"xor." LOGICAL " %0, %1, %2", "tt", exclusion},
    {"not." LOGICAL " %0, %1", "t", complement},
    {"shl." OP_UNTYPED " %0, %1, %r2", "tn", shift},
    {"shr.<b16|b32|b64|u16|s16|u32|s32|u64|s64> %0, %1, %r2", "tn", shift},
    {"shf.<l|r>.<wrap|clamp>.b32 %0, %1, %2, %r3", "ttn", funnel},
    {"mov." ALL " %0, %1", "t", copy},
    {"mov.pred %p0, %p1", "t", copy},
    {"mov.b32 %<r|f>0, %<f|r>1", "t", copy},
    {"mov.b64 %<d|g>0, %<g|d>1", "t", copy},
    {"mov.b16 %h0, {%b1, %b2}", "tt", pack_2},
    {"mov.b32 %r0, {%h1, %h2}", "tt", pack_2},
    {"mov.b64 %d0, {%r1, %f2}", "tt", pack_2},
    {"mov.b32 %r0, {%b1, %b2, %b3, %b4}", "t===", pack_4},
    {"mov.b64 %d0, {%h1, %h2, %h3, %h4}", "t===", pack_4},
    {"mov.b16 {%b0, %b5}, %h1", "t", unpack_2},
    {"mov.b32 {%h0, %h5}, %r1", "t", unpack_2},
    {"mov.b64 {<%r0|%r1|_>, %<f5|f0>}, %<d|g>1", "t", unpack_2},
    {"mov.b32 {%b5, %b0, %b1, %b7}, %r1", "t", unpack_4},
    {"mov.b64 {%h5, %h0, %h7, %h1}, %d1", "t", unpack_4},
    {"cvta<|.to>.<global|shared|shared::cta|local|const|param|param::entry>.u64 %d0, %d1", "t",
     to_or_from_generic},
    {"selp." ALL " %0, %1, %2, %p3", "ttp", selection},
    {"bfe.<u32|s32|u64|s64> %0, %1, %r2, %r3", "tnn", field},
    {"bfi.<b32|b64> %0, %1, %2, %r3, %r4", "ttnn", insertion},
    {"clz.<b32|b64> %r0, %1", "t", leading_zeros},
    {"popc.<b32|b64> %r0, %1", "t", ones},
    {"bfind<|.shiftamt>.<u32|s32|u64|s64> %r0, %1", "t", found},
    {"brev.<b32|b64> %0, %1", "t", mirrored},
    {"prmt.b32 %0, %1, %2, %3", "ttt", permutation},
    {"prmt.b32.<f4e|b4e|rc8|ecl|ecr|rc16> %0, %1, %2, %r3", "ttn", permutation_mode},
    {"lop3.b32 %0, %1, %2, %3, <0|1|2|4|8|0x10|0x20|0x40|0x80>", "ttt", looked_up},
    {"lop3.b32 %0, %1, %2, %3, <255|0x96|0xe8|0xca|0xfe|0x6a|0xf0|0xcc|0xaa>", "ttt", looked_up},
    {"cnot.<b16|b32|b64> %0, %1", "t", is_zero},
    {"copysign.<f32|f64> %0, %1, %2", "tt", sign_copy},
    {"membar.<cta|gl|sys|gpu>", "", nothing},
    {"<membar|fence>.proxy.alias", "", nothing},
    {"fence<|.sc|.acq_rel>.<cta|gpu|sys|gl>", "", nothing},
    /* Constants. */
    {"mov.pred %0, <0|1|-1>", "", constant},
    {"mov.<b16|u16|s16> %0, <0|-5|65531|-32768|0xffff|0177>", "", constant},
    {"mov.<b32|u32|s32> %0, <1|-2147483648|0xffffffffU|4294967295>", "", constant},
    {"mov.<b64|u64|s64> %0, <-5|0xfffffffffffffffbU|-9223372036854775808>", "", constant},
    {"mov.<b32|f32> %0, <0f3FC00000|0f7fc00001|0f80000001>", "", constant},
    {"mov.<b64|f64> %0, 0dfff4000012345678", "", constant},
    {"mov.<f32|f64> %0, <1.5|-0.1|1.0e-40|3.4e38>", "", constant},
    {"and.pred %0, %1, 1", "t", copy},
    {"xor.pred %0, -1, %1", "t", complement},
    {"selp.<b16|s32|u64> %0, 7, -2, %p1", "p", either},
    {"<shl.b16|shr.s32|shr.u64> %0, %1, 3", "t", shift_3},
    {"bfe.<u32|s64> %0, %1, 4, 9", "t", field_4_9},
    {"prmt.b32 %0, %1, %2, 0x5c1f", "tt", permutation_5c1f},
    /* A destination that is a source, "_". */
    {"selp.<b16|b64> %<1|2>, %1, %2, %p3", "ttp", selection},
    {"shl.b64 %1, %1, %r2", "tn", shift},
    {"bfi.b64 %<1|2>, %1, %2, %r3, %r4", "ttnn", insertion},
    {"popc.b32 _, %1", "t", ones},
    {"lop3.b32 %<1|2|3>, %1, %2, %3, <0x1b|0xd8>", "ttt", looked_up},
};
OP_TABLE(bits, rows)

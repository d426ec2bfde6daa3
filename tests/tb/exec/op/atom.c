/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/op/atom.c: rows of tb/exec/atom.c: PTX ISA, "atom", "red". Lanes that meet at one
 * address go in ascending order. */
#include "tests/tb/exec/op/exact.h"
#include "tests/tb/exec/op/op.h"

#define B op_integer(op->type, in[1])

/* .add.f32 flushes subnormals on global memory only. */
static uint64_t float_sum(const struct op *op, uint64_t old, uint64_t b)
{
    const unsigned bits = op->type.bits;
    const int flush = bits == 32 && op->space->space == SPACE_GLOBAL;
    if (bits == 32)
        b &= 0xffffffff;
    if (flush) {
        old = float_flush(bits, old);
        b = float_flush(bits, b);
    }
    const struct exact x = exact_add(exact_of_float(bits, old), exact_of_float(bits, b), 'n');
    const uint64_t sum = exact_to_float(x, bits, 'n');
    return flush ? float_flush(bits, sum) : sum;
}

/* .noftz: subnormals stay. */
static uint64_t half_sum(uint64_t old, uint64_t b)
{
    const struct exact x =
        exact_add(exact_of_float(16, old & 0xffff), exact_of_float(16, b & 0xffff), 'n');
    return exact_to_float(x, 16, 'n');
}

static void operate_on_halves(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = in[0];
    out[1] = half_sum(in[0], in[1]);
    if (op->type.kind == 'x')
        out[1] |= half_sum(in[0] >> 16, in[1] >> 16) << 16;
}

static void operate(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const int128 old = op_integer(op->type, in[0]);
    int128 x = 0;
    if (op_has(op, ".add"))
        x = op->type.kind == 'f' ? (int128)float_sum(op, (uint64_t)old, in[1]) : old + B;
    else if (op_has(op, ".min"))
        x = old < B ? old : B;
    else if (op_has(op, ".max"))
        x = old > B ? old : B;
    else if (op_has(op, ".and"))
        x = old & B;
    else if (op_has(op, ".or"))
        x = old | B;
    else if (op_has(op, ".xor"))
        x = old ^ B;
    else if (op_has(op, ".exch"))
        x = B;
    else if (op_has(op, ".cas"))
        x = old == B ? op_integer(op->type, in[2]) : old;
    else if (op_has(op, ".inc"))
        x = old >= B ? 0 : old + 1;
    else if (op_has(op, ".dec"))
        x = old == 0 || old > B ? B : old - 1;
    out[0] = (uint64_t)old;
    out[1] = (uint64_t)x;
}

/* b and c are constants. */
static void operate_2_7(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const uint64_t with[4] = {in[0], 2, 7};
    operate(op, with, out);
}

#define INTEGERS "<u32|s32|u64|s64>"
#define BITS     "<b32|b64>"

static const struct row rows[] = {
    {"atom@a.add.<u32|s32|u64> %0, [$], %2", "tt", operate},
    {"atom@a.add.<f32|f64> %0, [$], %2", "tt", operate},
    {"atom@a.<min|max>." INTEGERS " %0, [$], %2", "tt", operate},
    {"atom@a.<and|or|xor|exch>." BITS " %0, [$], %2", "tt", operate},
    {"atom@a.cas." BITS " %0, [$], %2, %3", "tt=", operate},
    {"atom@a.cas.b16 %0, [$], %2, %3", "tt=", operate},
    {"atom@a.cas.b16 %<2|3>, [$+2], %2, %3", "tt=", operate},
    {"atom@a.add.noftz.<f16|f16x2> %0, [$], %2", "tt", operate_on_halves},
    {"atom@a.add.noftz.<f16|f16x2> %2, [$+4], %2", "RR", operate_on_halves},
    {"red@a.add.noftz.<f16|f16x2> [$], %2", "tt", operate_on_halves},
    {"atom@a.<inc|dec>.u32 %0, [$], %2", "tt", operate},
    {"red@a.add.<u32|s32|u64> [$], %2", "tt", operate},
    {"red@a.add.<f32|f64> [$], %2", "tt", operate},
    {"red@a.<min|max>." INTEGERS " [$], %2", "tt", operate},
    {"red@a.<and|or|xor>." BITS " [$], %2", "tt", operate},
    {"red@a.<inc|dec>.u32 [$], %2", "tt", operate},
    /* The old value on top of an operand, or nowhere; offsets; constants; qualifiers that change
       nothing. */
    {"atom@a.add.<u32|f64> %2, [$+8], %2", "tt", operate},
    {"atom@a.cas.b32 %<2|3>, [$+4], %2, %3", "tt=", operate},
    {"atom@a.exch.b64 _, [$], %2", "tt", operate},
    {"atom@a.cas.<b32|b64> %0, [$], 2, 7", "t", operate_2_7},
    {"<atom@a.max.s64 %0, [$], 2|red@a.inc.u32 [$], 2>", "t", operate_2_7},
    {"atom<.relaxed|.acquire|.release|.acq_rel><.cta|.gpu|.sys>@a.add.u32 %0, [$], %2", "tt",
     operate},
    {"red<.relaxed|.release><.cta|.gpu|.sys>@a.xor.b64 [$], %2", "tt", operate},
};
OP_TABLE(atom, rows)

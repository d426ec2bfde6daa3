/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/op/cvt.c: rows of tb/exec/cvt.c: PTX ISA, "cvt": every pair of types in every
 * register that may hold them, all roundings, .sat, .ftz. */
#include "tests/tb/exec/op/exact.h"
#include "tests/tb/exec/op/op.h"

static struct exact source(const struct op *op, const uint64_t *in)
{
    const uint64_t x = op->from.bits == 32 ? in[0] & 0xffffffff : in[0];
    if (op->from.kind != 'f')
        return exact_of_integer(op_integer(op->from, x));
    return exact_of_float(op->from.bits, op->ftz && op->from.bits == 32 ? float_flush(32, x) : x);
}

/* Cut to the type, or held to its range. */
static void integer_to_integer(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const int128 x = op_integer(op->from, in[0]);
    out[0] = (uint64_t)(op->sat ? op_saturated(op->type, x) : op_integer(op->type, (uint64_t)x));
}

/* Always held to the range. NaN is 0 between 32 bits and less, else the sign bit alone. */
static void float_to_integer(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const struct exact x = source(op, in);
    if (x.kind == NOT_A_NUMBER) {
        const uint64_t top = (uint64_t)1 << (op->type.bits - 1);
        const int wide = op->type.bits == 64 || op->from.bits == 64;
        out[0] = wide ? (uint64_t)op_integer(op->type, top) : 0;
        return;
    }
    out[0] = (uint64_t)op_saturated(op->type, exact_to_integer(exact_to_integral(x, op->round)));
}

static void to_float(const struct op *op, const uint64_t *in, uint64_t *out)
{
    struct exact x = source(op, in);
    if (op->integral)
        x = exact_to_integral(x, op->round);
    out[0] = exact_to_float(x, op->type.bits, op->integral ? 'n' : op->round);
    if (op->ftz && op->type.bits == 32)
        out[0] = float_flush(32, out[0]);
    if (op->sat)
        out[0] = float_saturate(op->type.bits, out[0]);
}

/* .satfinite: nothing is beyond the largest number. */
static void to_finite(const struct op *op, const uint64_t *in, uint64_t *out)
{
    to_float(op, in, out);
    if ((out[0] & 0x7fff) == 0x7c00)
        out[0] = (out[0] & 0x8000) | 0x7bff;
}

/* cvt.pack: a and b, held to the first of the opcode's types, above which c moves up. */
static void packed(const struct op *op, const uint64_t *in, uint64_t *out)
{
    static const struct {
        const char *name;
        struct op_type type;
    } parts[] = {{".u16", {'u', 16}}, {".s16", {'s', 16}}, {".u8", {'u', 8}}, {".s8", {'s', 8}},
                 {".u4", {'u', 4}},   {".s4", {'s', 4}},   {".u2", {'u', 2}}, {".s2", {'s', 2}}};
    unsigned n = 0;
    while (!op_has(op, parts[n].name))
        n++;
    const struct op_type part = parts[n].type, word = {'s', 32};
    const uint64_t a = (uint64_t)op_saturated(part, op_integer(word, in[0])) % (1ull << part.bits);
    const uint64_t b = (uint64_t)op_saturated(part, op_integer(word, in[1])) % (1ull << part.bits);
    out[0] = in[2] << 2 * part.bits | a << part.bits | b;
    if (part.bits == 16)
        out[0] = a << 16 | b;
}

#define ANY       "<u8|s8|u16|s16|u32|s32|u64|s64>"
#define ROUND     "<.rn|.rz|.rm|.rp>"
#define ROUND_INT "<.rni|.rzi|.rmi|.rpi>"
#define D_A       " %*0, %~1"

static const struct row rows[] = {
    {"cvt." ANY "." ANY D_A, "s", integer_to_integer},
    {"cvt.sat.u8.<s8|u16|s16|u32|s32|u64|s64>" D_A, "s", integer_to_integer},
    {"cvt.sat.s8.<u8|u16|s16|u32|s32|u64|s64>" D_A, "s", integer_to_integer},
    {"cvt.sat.u16.<s8|s16|u32|s32|u64|s64>" D_A, "s", integer_to_integer},
    {"cvt.sat.s16.<u16|u32|s32|u64|s64>" D_A, "s", integer_to_integer},
    {"cvt.sat.u32.<s8|s16|s32|u64|s64>" D_A, "s", integer_to_integer},
    {"cvt.sat.s32.<u32|u64|s64>" D_A, "s", integer_to_integer},
    {"cvt.sat.u64.<s8|s16|s32|s64>" D_A, "s", integer_to_integer},
    {"cvt.sat.s64.u64" D_A, "s", integer_to_integer},
    {"cvt" ROUND_INT "<|.sat>." ANY ".<f16|f32|f64>" D_A, "s", float_to_integer},
    {"cvt" ROUND_INT ".ftz<|.sat>." ANY ".f32" D_A, "s", float_to_integer},
    {"cvt" ROUND "<|.sat>.<f16|f32|f64>." ANY D_A, "s", to_float},
    {"cvt" ROUND ".ftz<|.sat>.f32." ANY D_A, "s", to_float},
    {"cvt" ROUND "<|.sat>.f16.<f32|f64>" D_A, "s", to_float},
    {"cvt" ROUND "<|.sat>.f32.f64" D_A, "s", to_float},
    {"cvt" ROUND ".ftz<|.sat>.<f16.f32|f32.f64>" D_A, "s", to_float},
    {"cvt<|.sat>.<f32.f16|f64.f16|f64.f32>" D_A, "s", to_float},
    {"cvt.ftz<|.sat>.<f32.f16|f64.f32>" D_A, "s", to_float},
    {"cvt<|.rni|.rzi|.rmi|.rpi><|.sat>.<f16.f16|f32.f32|f64.f64>" D_A, "s", to_float},
    {"cvt<|.rni|.rzi|.rmi|.rpi>.ftz<|.sat>.f32.f32" D_A, "s", to_float},
    {"cvt.<rn|rz>.satfinite.f16.f32" D_A, "s", to_finite},
    {"cvt.<f32|f64>.f16 %0, %h1", "H", to_float},
    {"cvt" ROUND ".f16.f32 %h0, %f1", "M", to_float},
    {"cvt.pack.sat.<u16|s16>.s32 %r<0|1|2>, %r1, %r2", "ss", packed},
    {"cvt.pack.sat.<u8|s8|u4|s4|u2|s2>.s32.b32 %r<0|1|2|3>, %r1, %r2, %r3", "ssv", packed},
    /* A destination that is the source, "_". */
    {"cvt.s64.s8 %d1, %d1", "s", integer_to_integer},
    {"cvt.sat.u8.s32 %r1, %r1", "s", integer_to_integer},
    {"cvt.rn.f32.s32 _, %r1", "s", to_float},
};
OP_TABLE(cvt, rows)

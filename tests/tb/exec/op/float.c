/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/op/float.c: rows of tb/exec/float.c: PTX ISA, "Floating-Point Instructions", in
 * exact.h's numbers. What PTX only bounds must be the nearest float all the same, which is within
 * every bound; the special values of its tables hold exactly. */
#include <math.h>
#include <string.h>

#include "tests/tb/exec/op/exact.h"
#include "tests/tb/exec/op/op.h"

/* Operand n with .ftz. */
static uint64_t bits_of(const struct op *op, const uint64_t *in, int n)
{
    const uint64_t x = op->type.bits == 32 ? in[n] & 0xffffffff : in[n];
    return op->ftz ? float_flush(op->type.bits, x) : x;
}

static struct exact operand(const struct op *op, const uint64_t *in, int n)
{
    return exact_of_float(op->type.bits, bits_of(op, in, n));
}

#define A operand(op, in, 0)
#define B operand(op, in, 1)
#define C operand(op, in, 2)

/* Rounds, then .ftz and .sat. */
static uint64_t finish(const struct op *op, struct exact x)
{
    uint64_t bits = exact_to_float(x, op->type.bits, op->round);
    bits = op->ftz ? float_flush(op->type.bits, bits) : bits;
    return op->sat ? float_saturate(op->type.bits, bits) : bits;
}

static void sum(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = finish(op, exact_add(A, B, op->round));
}

static void difference(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = finish(op, exact_add(A, exact_negate(B), op->round));
}

static void product(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = finish(op, exact_mul(A, B));
}

static void product_sum(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = finish(op, exact_add(exact_mul(A, B), C, op->round));
}

static void quotient(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = finish(op, exact_div(A, B));
}

/* Beyond 2^126 the reciprocal that div.approx multiplies by is a subnormal number, and zero. */
static void fast_quotient(const struct op *op, const uint64_t *in, uint64_t *out)
{
    struct exact b = B;
    if ((in[1] & 0x7fffffff) > 0x7e800000 && b.kind == NUMBER)
        b.kind = INFINITE;
    out[0] = finish(op, exact_div(A, b));
}

static void reciprocal(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = finish(op, exact_div(exact_of_integer(1), A));
}

static void root(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = finish(op, exact_sqrt(A));
}

/* In .f64 the square root is rounded before it is inverted. */
static void reciprocal_root(const struct op *op, const uint64_t *in, uint64_t *out)
{
    struct exact x = exact_sqrt(A);
    if (op->type.bits == 64)
        x = exact_of_float(64, exact_to_float(x, 64, 'n'));
    out[0] = finish(op, exact_div(exact_of_integer(1), x));
}

/* The operations on the upper word of a .f64: the lower one is ignored, and zero in the result. */
static void upper_word(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const uint64_t upper = in[0] & 0xffffffff00000000;
    if (op->opcode[1] == 'c')
        reciprocal(op, &upper, out);
    else
        reciprocal_root(op, &upper, out);
    out[0] = float_is_nan(64, out[0]) ? 0x7fffffff00000000 : out[0] & 0xffffffff00000000;
}

static void negative(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = finish(op, exact_negate(A));
}

/* A .f64 NaN is passed through unchanged. */
static void size(const struct op *op, const uint64_t *in, uint64_t *out)
{
    struct exact x = A;
    x.negative = 0;
    out[0] = x.kind == NOT_A_NUMBER && op->type.bits == 64 ? in[0] : finish(op, x);
}

/* Numbers in the order of their bits: -0 before +0. */
static int64_t rank(const struct op *op, uint64_t bits)
{
    const int64_t size = (int64_t)(bits & (((uint64_t)1 << (op->type.bits - 1)) - 1));
    return bits >> (op->type.bits - 1) & 1 ? -1 - size : size;
}

static uint64_t chosen(const struct op *op, const uint64_t *in, int greater)
{
    const uint64_t a = bits_of(op, in, 0), b = bits_of(op, in, 1);
    if (A.kind == NOT_A_NUMBER && B.kind == NOT_A_NUMBER)
        return finish(op, A);
    if ((A.kind == NOT_A_NUMBER || B.kind == NOT_A_NUMBER) && op_has(op, ".NaN"))
        return finish(op, A.kind == NOT_A_NUMBER ? A : B);
    if (A.kind == NOT_A_NUMBER || B.kind == NOT_A_NUMBER)
        return A.kind == NOT_A_NUMBER ? b : a;
    return (rank(op, a) < rank(op, b)) != greater ? a : b;
}

static void least(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = chosen(op, in, 0);
}

static void most(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = chosen(op, in, 1);
}

static void plus_tenth(const struct op *op, const uint64_t *in, uint64_t *out)
{
    out[0] = finish(op, exact_add(A, exact_of_float(32, 0x3dcccccd), 'n'));
}

/* The C library in 64 bits, then the nearest float: no other plain method is at hand. */
static uint64_t from_library(const struct op *op, const uint64_t *in, long double f(long double))
{
    const uint32_t bits = (uint32_t)bits_of(op, in, 0);
    float x;
    memcpy(&x, &bits, sizeof x);
    x = (float)f(x);
    uint32_t result;
    memcpy(&result, &x, sizeof x);
    return finish(op, exact_of_float(32, result));
}

#define LIBRARY(name, f)                                                                           \
    static void name(const struct op *op, const uint64_t *in, uint64_t *out)                       \
    {                                                                                              \
        out[0] = from_library(op, in, f);                                                          \
    }
LIBRARY(power, exp2l)
LIBRARY(logarithm, log2l)
LIBRARY(sine, sinl)
LIBRARY(cosine, cosl)
LIBRARY(hyperbolic_tangent, tanhl)

#define MODES    OP_ROUND "<|.ftz><|.sat>.f32"
#define ROUNDED  "<.rn|.rz|.rm|.rp><|.ftz>.f32"
#define APPROX   ".approx<|.ftz>.f32"
#define ROUNDS64 "<.rn|.rz|.rm|.rp>.f64"

static const struct row rows[] = {
    {"add" MODES " %0, %1, %2", "tt", sum},
    {"add" OP_ROUND ".f64 %0, %1, %2", "tt", sum},
    {"sub" MODES " %0, %1, %2", "tt", difference},
    {"sub" OP_ROUND ".f64 %0, %1, %2", "tt", difference},
    {"mul" MODES " %0, %1, %2", "tt", product},
    {"mul" OP_ROUND ".f64 %0, %1, %2", "tt", product},
    {"mad" MODES " %0, %1, %2, %3", "ccc", product_sum},
    {"mad" OP_ROUND ".f64 %0, %1, %2, %3", "ccc", product_sum},
    {"fma<.rn|.rz|.rm|.rp><|.ftz><|.sat>.f32 %0, %1, %2, %3", "ccc", product_sum},
    {"fma" ROUNDS64 " %0, %1, %2, %3", "ccc", product_sum},
    {"div" ROUNDED " %0, %1, %2", "tt", quotient},
    {"div.full<|.ftz>.f32 %0, %1, %2", "tt", quotient},
    {"div" APPROX " %0, %1, %2", "tt", fast_quotient},
    {"div" ROUNDS64 " %0, %1, %2", "tt", quotient},
    {"rcp" ROUNDED " %0, %1", "t", reciprocal},
    {"rcp" APPROX " %0, %1", "t", reciprocal},
    {"rcp" ROUNDS64 " %0, %1", "t", reciprocal},
    {"sqrt" ROUNDED " %0, %1", "t", root},
    {"sqrt" APPROX " %0, %1", "t", root},
    {"sqrt" ROUNDS64 " %0, %1", "t", root},
    {"rsqrt" APPROX " %0, %1", "t", reciprocal_root},
    {"rsqrt.approx.f64 %0, %1", "t", reciprocal_root},
    {"<rcp|rsqrt>.approx.ftz.f64 %0, %1", "t", upper_word},
    {"ex2" APPROX " %0, %1", "t", power},
    {"lg2" APPROX " %0, %1", "t", logarithm},
    {"sin" APPROX " %0, %1", "t", sine},
    {"cos" APPROX " %0, %1", "t", cosine},
    {"tanh.approx.f32 %0, %1", "t", hyperbolic_tangent},
    {"neg<|.ftz>.f32 %0, %1", "t", negative},
    {"neg.f64 %0, %1", "t", negative},
    {"abs<|.ftz>.f32 %0, %1", "t", size},
    {"abs.f64 %0, %1", "t", size},
    {"min<|.ftz><|.NaN>.f32 %0, %1, %2", "tt", least},
    {"min.f64 %0, %1, %2", "tt", least},
    {"max<|.ftz><|.NaN>.f32 %0, %1, %2", "tt", most},
    {"max.f64 %0, %1, %2", "tt", most},
    /* A destination that is a source, "_", constants. */
    {"fma<.rn|.rp>.<f32|f64> %<1|2|3>, %1, %2, %3", "ccc", product_sum},
    {"min.f32 %2, %1, %2", "tt", least},
    {"sqrt.rz.f64 _, %1", "t", root},
    {"add.f32 %0, %1, <0f3DCCCCCD|0.1>", "t", plus_tenth},
};
OP_TABLE(float, rows)

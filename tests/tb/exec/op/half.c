/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/op/half.c: rows of tb/exec/half.c: PTX ISA, "Half Precision Floating-Point
 * Instructions", in exact.h's numbers, rounded once. */
#include <math.h>
#include <string.h>

#include "tests/tb/exec/op/exact.h"
#include "tests/tb/exec/op/op.h"

typedef struct exact calculation(struct exact a, struct exact b, struct exact c);

static struct exact operand(const struct op *op, uint64_t in, unsigned n)
{
    const uint64_t x = in >> 16 * n & 0xffff;
    return exact_of_float(16, op->ftz ? float_flush(16, x) : x);
}

/* One half after the other; .ftz and .sat of each. */
static void each_half(const struct op *op, const uint64_t *in, uint64_t *out, calculation *f)
{
    out[0] = 0;
    for (unsigned n = 0; n < (op->type.kind == 'x' ? 2 : 1); n++) {
        const struct exact x =
            f(operand(op, in[0], n), operand(op, in[1], n), operand(op, in[2], n));
        uint64_t bits = exact_to_float(x, 16, 'n');
        bits = op->ftz ? float_flush(16, bits) : bits;
        out[0] |= (op->sat ? float_saturate(16, bits) : bits) << 16 * n;
    }
}

#define CALCULATION(name, e)                                                                       \
    static struct exact name##_of(struct exact a, struct exact b, struct exact c)                  \
    {                                                                                              \
        (void)b, (void)c;                                                                          \
        return e;                                                                                  \
    }                                                                                              \
    static void name(const struct op *op, const uint64_t *in, uint64_t *out)                       \
    {                                                                                              \
        each_half(op, in, out, name##_of);                                                         \
    }
CALCULATION(sum, exact_add(a, b, 'n'))
CALCULATION(difference, exact_add(a, exact_negate(b), 'n'))
CALCULATION(product, exact_mul(a, b))
CALCULATION(product_sum, exact_add(exact_mul(a, b), c, 'n'))
CALCULATION(negative, exact_negate(a))
CALCULATION(size, a.negative ? exact_negate(a) : a)

/* Numbers in the order of their bits: -0 before +0. */
static int rank(uint64_t bits)
{
    const int size = (int)(bits & 0x7fff);
    return bits & 0x8000 ? -1 - size : size;
}

static uint64_t chosen(const struct op *op, uint64_t a, uint64_t b, int greater)
{
    const int a_is_nan = float_is_nan(16, a), b_is_nan = float_is_nan(16, b);
    if ((a_is_nan && b_is_nan) || ((a_is_nan || b_is_nan) && op_has(op, ".NaN")))
        return 0x7fff;
    if (a_is_nan || b_is_nan)
        return a_is_nan ? b : a;
    return (rank(a) < rank(b)) != greater ? a : b;
}

static void choose(const struct op *op, const uint64_t *in, uint64_t *out, int greater)
{
    out[0] = 0;
    for (unsigned n = 0; n < (op->type.kind == 'x' ? 2 : 1); n++) {
        uint64_t x[2];
        for (unsigned i = 0; i < 2; i++) {
            x[i] = in[i] >> 16 * n & 0xffff;
            x[i] = op->ftz ? float_flush(16, x[i]) : x[i];
        }
        out[0] |= chosen(op, x[0], x[1], greater) << 16 * n;
    }
}

static void least(const struct op *op, const uint64_t *in, uint64_t *out)
{
    choose(op, in, out, 0);
}

static void most(const struct op *op, const uint64_t *in, uint64_t *out)
{
    choose(op, in, out, 1);
}

/* What PTX only bounds, 2^-9.9 of the result and 2^-10.987: the nearest .f16 is within. */
static void approximate(const struct op *op, const uint64_t *in, uint64_t *out,
                        long double f(long double))
{
    out[0] = 0;
    for (unsigned n = 0; n < (op->type.kind == 'x' ? 2 : 1); n++) {
        uint64_t bits = exact_to_float(exact_of_float(16, in[0] >> 16 * n & 0xffff), 64, 'n');
        double x;
        memcpy(&x, &bits, sizeof x);
        x = (double)f(x);
        memcpy(&bits, &x, sizeof x);
        out[0] |= exact_to_float(exact_of_float(64, bits), 16, 'n') << 16 * n;
    }
}

static void power(const struct op *op, const uint64_t *in, uint64_t *out)
{
    approximate(op, in, out, exp2l);
}

static void hyperbolic_tangent(const struct op *op, const uint64_t *in, uint64_t *out)
{
    approximate(op, in, out, tanhl);
}

#define HALVES "<f16|f16x2>"
#define MODES  "<|.ftz><|.sat>."

static const struct row rows[] = {
    {"add<|.rn>" MODES HALVES " %0, %1, %2", "tt", sum},
    {"sub<|.rn>" MODES HALVES " %0, %1, %2", "tt", difference},
    {"mul<|.rn>" MODES HALVES " %0, %1, %2", "tt", product},
    {"fma.rn" MODES HALVES " %0, %1, %2, %3", "ttt", product_sum},
    {"neg<|.ftz>." HALVES " %0, %1", "t", negative},
    {"abs<|.ftz>." HALVES " %0, %1", "t", size},
    {"<neg|abs>.f16 _, %1", "H", negative},
    {"neg<|.ftz>.f16 %0, %1", "H", negative},
    {"abs<|.ftz>.f16 %0, %1", "H", size},
    {"add<|.ftz>." HALVES " %0, %1, %2", "RR", sum},
    {"sub." HALVES " %0, %1, %2", "RR", difference},
    {"mul<|.ftz|.sat>." HALVES " %0, %1, %2", "RR", product},
    {"fma.rn<|.ftz>." HALVES " %0, %1, %2, %3", "RR=", product_sum},
    {"fma.rn.f16 %0, %1, %2, %3", "R=R", product_sum},
    {"min<|.ftz><|.NaN>." HALVES " %0, %1, %2", "tt", least},
    {"max<|.ftz><|.NaN>." HALVES " %0, %1, %2", "tt", most},
    {"min." HALVES " %<1|2>, %1, %2", "RR", least},
    {"ex2.approx.f16 %0, %1", "H", power},
    {"ex2.approx." HALVES " %0, %1", "R", power},
    {"tanh.approx.f16 %0, %1", "H", hyperbolic_tangent},
    {"tanh.approx." HALVES " %0, %1", "R", hyperbolic_tangent},
    /* A destination that is a source. */
    {"fma.rn." HALVES " %<1|2|3>, %1, %2, %3", "tt=", product_sum},
};
OP_TABLE(half, rows)

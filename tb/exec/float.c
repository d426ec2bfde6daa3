/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/float.c: float arithmetic. PTX ISA, "Floating Point Instructions". Everything with a
 * rounding mode is IEEE 754 exact. What PTX only bounds (.approx, .full) is exact too (rcp, div,
 * sqrt), or the C library's double result rounded to float; where PTX says what an approximation
 * loses (div.approx, rcp and rsqrt.approx.ftz.f64), it is lost. Each operation comes plain, to
 * nearest even, and in a general form with .ftz, .sat and rounding. */
#include "tb/exec/minmax.h"

/* Lists of X(op, type, expression). */
#define FLOAT_UNARY_LIST(X)                                                                        \
    X(NEG, F32, -a)                                                                                \
    X(NEG, F64, -a)                                                                                \
    X(ABS, F32, __builtin_fabsf(a))                                                                \
    X(RCP, F32, 1 / a)                                                                             \
    X(RCP, F64, 1 / a)                                                                             \
    X(SQRT, F32, sqrtf(a))                                                                         \
    X(SQRT, F64, sqrt(a))
#define FLOAT_BINARY_LIST(X)                                                                       \
    X(ADD, F32, a + b)                                                                             \
    X(ADD, F64, a + b)                                                                             \
    X(SUB, F32, a - b)                                                                             \
    X(SUB, F64, a - b)                                                                             \
    X(MUL, F32, a *b)                                                                              \
    X(MUL, F64, a *b)                                                                              \
    X(DIV, F32, a / b)                                                                             \
    X(DIV, F64, a / b)                                                                             \
    X(MIN, F32, min_F32(a, b))                                                                     \
    X(MIN, F64, min_F64(a, b))                                                                     \
    X(MAX, F32, max_F32(a, b))                                                                     \
    X(MAX, F64, max_F64(a, b))
#define FLOAT_TERNARY_LIST(X)                                                                      \
    X(FMA, F32, __builtin_fmaf(a, b, c))                                                           \
    X(FMA, F64, __builtin_fma(a, b, c))
/* div.approx is a * (1/b), and the reciprocal of what is beyond 2^126 is flushed to zero. */
#define FLOAT_APPROXIMATE_LIST(X)                                                                  \
    X(DIV, F32, a / (__builtin_fabsf(b) > 0x1p126f ? b * INFINITY : b))
#define FLOAT_LIBRARY_LIST(X)                                                                      \
    X(RSQRT, F32, 1 / sqrt(a))                                                                     \
    X(RSQRT, F64, 1 / sqrt(a))                                                                     \
    X(EX2, F32, exp2(a))                                                                           \
    X(LG2, F32, log2(a))                                                                           \
    X(SIN, F32, sin(a))                                                                            \
    X(COS, F32, cos(a))                                                                            \
    X(TANH, F32, tanh(a))

#define UNARY_PLAIN(op, T, e)   DEFINE_UNARY(op##_##T, T, T, canonical_##T(e))
#define BINARY_PLAIN(op, T, e)  DEFINE_BINARY(op##_##T, T, T, T, canonical_##T(e))
#define TERNARY_PLAIN(op, T, e) DEFINE_TERNARY(op##_##T, T, T, T, T, canonical_##T(e))
FLOAT_UNARY_LIST(UNARY_PLAIN)
FLOAT_BINARY_LIST(BINARY_PLAIN)
FLOAT_TERNARY_LIST(TERNARY_PLAIN)

/* The general form's operands and result. */
#define OPERAND(T, name) const value_##T name = flush_##T(name##_lanes[i], mode.least)
#define RESULT(T, e)     finish_##T((value_##T)(e), mode)
#define MODIFIERS(T)     const struct mode_##T mode = mode_of_##T(u)

#define UNARY_GENERAL(op, T, e)                                                                    \
    static void op##_##T##_GENERAL(OP_ARGUMENTS)                                                   \
    {                                                                                              \
        MODIFIERS(T);                                                                              \
        SOURCE(T, a, 0);                                                                           \
        TARGET(T);                                                                                 \
        rounding_begin(u->round);                                                                  \
        FOR_LANES                                                                                  \
        {                                                                                          \
            OPERAND(T, a);                                                                         \
            out[i] = RESULT(T, e);                                                                 \
        }                                                                                          \
        rounding_end(out);                                                                         \
        FINISH(T)                                                                                  \
    }
#define BINARY_GENERAL(op, T, e)                                                                   \
    static void op##_##T##_GENERAL(OP_ARGUMENTS)                                                   \
    {                                                                                              \
        MODIFIERS(T);                                                                              \
        SOURCE(T, a, 0);                                                                           \
        SOURCE(T, b, 1);                                                                           \
        TARGET(T);                                                                                 \
        rounding_begin(u->round);                                                                  \
        FOR_LANES                                                                                  \
        {                                                                                          \
            OPERAND(T, a);                                                                         \
            OPERAND(T, b);                                                                         \
            out[i] = RESULT(T, e);                                                                 \
        }                                                                                          \
        rounding_end(out);                                                                         \
        FINISH(T)                                                                                  \
    }
#define TERNARY_GENERAL(op, T, e)                                                                  \
    static void op##_##T##_GENERAL(OP_ARGUMENTS)                                                   \
    {                                                                                              \
        MODIFIERS(T);                                                                              \
        SOURCE(T, a, 0);                                                                           \
        SOURCE(T, b, 1);                                                                           \
        SOURCE(T, c, 2);                                                                           \
        TARGET(T);                                                                                 \
        rounding_begin(u->round);                                                                  \
        FOR_LANES                                                                                  \
        {                                                                                          \
            OPERAND(T, a);                                                                         \
            OPERAND(T, b);                                                                         \
            OPERAND(T, c);                                                                         \
            out[i] = RESULT(T, e);                                                                 \
        }                                                                                          \
        rounding_end(out);                                                                         \
        FINISH(T)                                                                                  \
    }
/* Library functions do not round as asked: PTX gives them no rounding mode. */
#define LIBRARY(op, T, e)                                                                          \
    static void op##_##T##_GENERAL(OP_ARGUMENTS)                                                   \
    {                                                                                              \
        MODIFIERS(T);                                                                              \
        SOURCE(T, a, 0);                                                                           \
        slot_##T *d = exec_target(w, u->dst[0]);                                                   \
        FOR_ACTIVE(mask, i)                                                                        \
        {                                                                                          \
            OPERAND(T, a);                                                                         \
            d[i] = RESULT(T, e);                                                                   \
        }                                                                                          \
    }
/* min.NaN and max.NaN: a NaN wins. */
#define FLOAT_NAN_LIST(X)                                                                          \
    X(MIN, F32, (a != a) | (b != b) ? NAN : min_F32(a, b))                                         \
    X(MAX, F32, (a != a) | (b != b) ? NAN : max_F32(a, b))
#define NAN_WINS(op, T, e) BINARY_GENERAL(NAN_##op, T, e)
FLOAT_NAN_LIST(NAN_WINS)

#define APPROXIMATE(op, T, e) BINARY_GENERAL(APPROX_##op, T, e)
FLOAT_UNARY_LIST(UNARY_GENERAL)
FLOAT_BINARY_LIST(BINARY_GENERAL)
FLOAT_TERNARY_LIST(TERNARY_GENERAL)
FLOAT_APPROXIMATE_LIST(APPROXIMATE)
FLOAT_LIBRARY_LIST(LIBRARY)

/* A .f64 NaN passes abs unchanged. */
DEFINE_UNARY(ABS_F64, F64, F64, a == a ? __builtin_fabs(a) : a)

/* The .f64 of the upper word, without subnormals and with one NaN: what rcp and
 * rsqrt.approx.ftz.f64 read and give. */
static inline double upper_word(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint64_t size = bits & INT64_MAX & ~0ull << 32, infinity = 0x7ffull << 52;
    bits = size > infinity ? 0x7fffffffull << 32
                           : (bits & 1ull << 63) | (size < 1ull << 52 ? 0 : size);
    memcpy(&x, &bits, sizeof bits);
    return x;
}
DEFINE_UNARY(UPPER_RCP, F64, F64, upper_word(1 / upper_word(a)))
DEFINE_UNARY(UPPER_RSQRT, F64, F64, upper_word(1 / sqrt(upper_word(a))))

#define PLAIN_FORM(op, T, e) {U_##op, T_##T, ANY, ANY, 0, op##_##T},
#define GENERAL_FORM(op, T, e)                                                                     \
    {U_##op, T_##T, ANY, ANY, CAN_SATURATE | CAN_FLUSH | CAN_ROUND, op##_##T##_GENERAL},
#define NAN_FORM(op, T, e) {U_##op, T_##T, ANY, MINMAX_NAN, CAN_FLUSH, NAN_##op##_##T##_GENERAL},
#define APPROXIMATE_FORM(op, T, e)                                                                 \
    {U_##op, T_##T, ANY, ANY, CAN_APPROXIMATE | CAN_FLUSH, APPROX_##op##_##T##_GENERAL},
#define LIBRARY_FORM(op, T, e)                                                                     \
    {U_##op, T_##T, ANY, ANY, CAN_SATURATE | CAN_FLUSH, op##_##T##_GENERAL},
/* clang-format off */
static const struct exec_form float_forms[] = {
    FLOAT_NAN_LIST(NAN_FORM)
    FLOAT_UNARY_LIST(PLAIN_FORM) FLOAT_BINARY_LIST(PLAIN_FORM) FLOAT_TERNARY_LIST(PLAIN_FORM)
    FLOAT_UNARY_LIST(GENERAL_FORM) FLOAT_BINARY_LIST(GENERAL_FORM) FLOAT_TERNARY_LIST(GENERAL_FORM)
    FLOAT_APPROXIMATE_LIST(APPROXIMATE_FORM) FLOAT_LIBRARY_LIST(LIBRARY_FORM)
    {U_ABS, T_F64, ANY, ANY, 0, ABS_F64},
    {U_RCP, T_F64, ANY, ANY, CAN_APPROXIMATE | CAN_FLUSH, UPPER_RCP},
    {U_RSQRT, T_F64, ANY, ANY, CAN_APPROXIMATE | CAN_FLUSH, UPPER_RSQRT},
};
/* clang-format on */
EXPORT_FORMS(exec_float, float_forms)

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/half.c: arithmetic of .f16 and .f16x2. PTX ISA, "Half Precision Floating-Point
 * Instructions". A double holds sums and products exactly, so that the result is rounded once. It
 * may not hold a * b + c: but what it then loses is of a product so far below c's last digit that
 * the nearest .f16 is c, with the product or without. */
#include "tb/exec/half.h"
#include "tb/exec/minmax.h"

/* .ftz and .sat of a result. */
static inline uint32_t finish_half(uint32_t half, int flush, int saturate)
{
    const uint32_t size = half & 0x7fff, sign = half & 0x8000;
    half = flush && size < 0x400 ? sign : half;
    const uint32_t held = size > 0x7c00 || sign ? 0 : size > 0x3c00 ? 0x3c00 : half;
    return saturate ? held : half;
}

/* Whether .NaN makes a NaN of the result. */
static inline int nan_wins(double a, double b, uint8_t mode)
{
    return mode == MINMAX_NAN && (a != a || b != b);
}

/* Lists of X(op, numbers of the second and third operand, expression). */
#define HALF_LIST(X)                                                                               \
    X(NEG, 0, 0, -a)                                                                               \
    X(ABS, 0, 0, __builtin_fabs(a))                                                                \
    X(ADD, 1, 1, a + b)                                                                            \
    X(SUB, 1, 1, a - b)                                                                            \
    X(MUL, 1, 1, a *b)                                                                             \
    X(FMA, 1, 2, a *b + c)                                                                         \
    X(MIN, 1, 1, nan_wins(a, b, u->mod) ? NAN : min_F64(a, b))                                     \
    X(MAX, 1, 1, nan_wins(a, b, u->mod) ? NAN : max_F64(a, b))                                     \
    X(EX2, 0, 0, exp2(a))                                                                          \
    X(TANH, 0, 0, tanh(a))

#define HALF_OPERAND(name) const double name = half_operand(name##_lanes[i] >> 16 * n, least)
#define HALVES(T, count, op, second, third, e)                                                     \
    static void op##_##T(OP_ARGUMENTS)                                                             \
    {                                                                                              \
        const double least = half_least(u);                                                        \
        const int flush = u->flags & UF_FTZ, saturate = u->flags & UF_SAT;                         \
        SOURCE(B32, a, 0);                                                                         \
        SOURCE(B32, b, second);                                                                    \
        SOURCE(B32, c, third);                                                                     \
        TARGET(B32);                                                                               \
        FOR_LANES                                                                                  \
        {                                                                                          \
            uint32_t result = 0;                                                                   \
            for (int n = 0; n < (count); n++) {                                                    \
                HALF_OPERAND(a);                                                                   \
                HALF_OPERAND(b);                                                                   \
                HALF_OPERAND(c);                                                                   \
                (void)b, (void)c;                                                                  \
                result |= finish_half(half_of(e), flush, saturate) << 16 * n;                      \
            }                                                                                      \
            out[i] = result;                                                                       \
        }                                                                                          \
        FINISH(B32)                                                                                \
    }
#define HALF_ONE(...) HALVES(F16, 1, __VA_ARGS__)
#define HALF_TWO(...) HALVES(F16X2, 2, __VA_ARGS__)
HALF_LIST(HALF_ONE)
HALF_LIST(HALF_TWO)

#define HALF_FORM(op, ...)                                                                         \
    {U_##op, T_F16, ANY, ANY, CAN_SATURATE | CAN_FLUSH, op##_F16},                                 \
        {U_##op, T_F16X2, ANY, ANY, CAN_SATURATE | CAN_FLUSH, op##_F16X2},
static const struct exec_form half_forms[] = {HALF_LIST(HALF_FORM)};
EXPORT_FORMS(exec_half, half_forms)

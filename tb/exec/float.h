/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/float.h: what float instructions share: one NaN, .ftz, .sat, rounding modes. */
#ifndef HEDDLE_TB_EXEC_FLOAT_H
#define HEDDLE_TB_EXEC_FLOAT_H

#include <fenv.h>
#include <float.h>
#include <math.h>

#include "tb/exec/op.h"

/* Every arithmetic NaN is this one: for .f32 what the hardware gives, for .f64 the default quiet
 * NaN. Passing payloads on would make results depend on the operand order that the compiler chose.
 */
static inline float canonical_F32(float x)
{
    return x == x ? x : __builtin_nanf("0x3fffff");
}
static inline double canonical_F64(double x)
{
    return x == x ? x : __builtin_nan("");
}

/* What .ftz and .sat do, as numbers, so that no lane branches: results lie in [low, high], NaN
 * becomes `nan`, and what is nearer to zero than `least` becomes a zero of its sign. .ftz does not
 * exist for .f64. */
#define FLOAT_MODE(T, f, least_normal)                                                             \
    struct mode_##T {                                                                              \
        value_##T least, low, high, nan;                                                           \
    };                                                                                             \
    static inline struct mode_##T mode_of_##T(const struct uop *u) {                               \
        const int saturate = u->flags & UF_SAT;                                                    \
        return (struct mode_##T){                                                                  \
            u->flags & UF_FTZ ? least_normal : 0, saturate ? 0 : -(value_##T)INFINITY,             \
            saturate ? 1 : (value_##T)INFINITY, saturate ? 0 : canonical_##T(NAN)};                \
    } static inline value_##T flush_##T(value_##T x, value_##T least)                              \
    {                                                                                              \
        const value_##T zero = (value_##T)__builtin_copysign##f(0, x);                             \
        return __builtin_fabs##f(x) < least ? zero : x;                                            \
    }                                                                                              \
    static inline value_##T finish_##T(value_##T x, struct mode_##T mode)                          \
    {                                                                                              \
        x = flush_##T(x, mode.least);                                                              \
        const value_##T below = x < mode.high ? x : mode.high;                                     \
        const value_##T within = below > mode.low ? below : mode.low;                              \
        return x == x ? within : mode.nan;                                                         \
    }
FLOAT_MODE(F32, f, FLT_MIN)
FLOAT_MODE(F64, , 0)

/* The value of a .f16; one NaN. */
static inline double double_from_half(uint16_t half)
{
    const uint64_t size = half & 0x7fff, bits = (size << 42) + ((UINT64_C(1023) - 15) << 52);
    double normal;
    memcpy(&normal, &bits, sizeof normal);
    const double subnormal = (double)(int)size * 0x1p-24;
    const double x = size < 0x400    ? subnormal
                     : size < 0x7c00 ? normal
                     : size > 0x7c00 ? __builtin_nan("")
                                     : __builtin_inf();
    return half >> 15 ? -x : x;
}

static inline void rounding_begin(uint8_t round)
{
    if (round == RND_RZ) {
        fesetround(FE_TOWARDZERO);
    } else if (round == RND_RM) {
        fesetround(FE_DOWNWARD);
    } else if (round == RND_RP) {
        fesetround(FE_UPWARD);
    }
}

/* Back to nearest even. The results at `out` are forced into memory first, or the compiler could
 * compute them later. */
static inline void rounding_end(void *out)
{
    __asm__ volatile("" : : "r"(out) : "memory");
    fesetround(FE_TONEAREST);
}

#endif

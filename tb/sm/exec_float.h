/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/exec_float.h: what float instructions share: one NaN, .ftz, .sat, rounding modes. */
#ifndef HEDDLE_TB_SM_EXEC_FLOAT_H
#define HEDDLE_TB_SM_EXEC_FLOAT_H

#include <fenv.h>
#include <float.h>
#include <math.h>

#include "tb/sm/exec_op.h"

/* Every arithmetic NaN is this one: for .f32 what the hardware gives, for .f64 the default quiet NaN. Passing payloads on
 * would make results depend on the operand order that the compiler chose. */
static inline float canonical_F32(float x)
{
    return x == x ? x : __builtin_nanf("0x3fffff");
}
static inline double canonical_F64(double x)
{
    return x == x ? x : __builtin_nan("");
}

/* .ftz: subnormal numbers become zeros of the same sign. It does not exist for .f64. */
static inline float flush_F32(float x, int flush)
{
    return flush && __builtin_fabsf(x) < FLT_MIN ? __builtin_copysignf(0, x) : x;
}
static inline double flush_F64(double x, int flush)
{
    (void)flush;
    return x;
}

/* .sat: into [0, 1], NaN to 0. */
static inline float clamp_F32(float x, int saturate)
{
    return !saturate ? x : x > 0 ? (x < 1 ? x : 1) : 0;
}
static inline double clamp_F64(double x, int saturate)
{
    return !saturate ? x : x > 0 ? (x < 1 ? x : 1) : 0;
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

/* Back to nearest even. The results at `out` are forced into memory first, or the compiler could compute them later. */
static inline void rounding_end(void *out)
{
    __asm__ volatile("" : : "r"(out) : "memory");
    fesetround(FE_TONEAREST);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/half.h: .f16 in the lanes of registers, and the two of an .f16x2. Each is computed with
 * as a double. */
#ifndef HEDDLE_TB_EXEC_HALF_H
#define HEDDLE_TB_EXEC_HALF_H

#include "tb/exec/float.h"

/* One as an element of memory. */
typedef slot_B16 slot_F16;
typedef uint16_t element_F16, bits_F16;
typedef uint32_t value_F16;

#define HALF_MIN 0x1p-14 /* the least normal number */

/* An operand; with .ftz `least` is HALF_MIN, else 0. */
static inline double half_operand(uint32_t lane, double least)
{
    return flush_F64(double_from_half((uint16_t)lane), least);
}

static inline double half_least(const struct uop *u)
{
    return u->flags & UF_FTZ ? HALF_MIN : 0;
}

/* The nearest .f16, even where two are as near; one NaN. */
static inline uint32_t half_of(double x)
{
    uint64_t bits, subnormal;
    memcpy(&bits, &x, sizeof bits);
    const uint64_t size = bits & INT64_MAX;
    const double shifted = __builtin_fabs(x) + 0x1p28; /* its last bit is that of subnormals */
    memcpy(&subnormal, &shifted, sizeof subnormal);
    const uint64_t rounded = (size + ((UINT64_C(1) << 41) - 1) + (size >> 42 & 1)) >> 42;
    const uint64_t normal = rounded - ((1023 - 15) << 10);
    const uint32_t sign = (uint32_t)(bits >> 63) << 15;
    const uint32_t finite = __builtin_fabs(x) < HALF_MIN ? (uint32_t)subnormal & 0x7ff
                            : normal < 0x7c00            ? (uint32_t)normal
                                                         : 0x7c00;
    return x == x ? sign | finite : 0x7fff;
}

#endif

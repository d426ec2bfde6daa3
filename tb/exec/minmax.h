/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/minmax.h: min and max of floats; .f16 compares as doubles. PTX ISA, "min", "max". */
#ifndef HEDDLE_TB_EXEC_MINMAX_H
#define HEDDLE_TB_EXEC_MINMAX_H

#include "tb/exec/float.h"

/* The NaN of two operands loses; -0 < +0. */
#define MINMAX(T, uint, sign)                                                                      \
    static inline int negative_##T(value_##T x)                                                    \
    {                                                                                              \
        uint bits;                                                                                 \
        memcpy(&bits, &x, sizeof bits);                                                            \
        return bits >> sign & 1;                                                                   \
    }                                                                                              \
    static inline value_##T min_##T(value_##T a, value_##T b)                                      \
    {                                                                                              \
        return (a < b) | ((a == b) & negative_##T(a)) | (b != b) ? a : b;                          \
    }                                                                                              \
    static inline value_##T max_##T(value_##T a, value_##T b)                                      \
    {                                                                                              \
        return (a > b) | ((a == b) & negative_##T(b)) | (b != b) ? a : b;                          \
    }
MINMAX(F32, uint32_t, 31)
MINMAX(F64, uint64_t, 63)

#endif

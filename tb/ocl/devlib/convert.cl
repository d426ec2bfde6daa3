/* SPDX-License-Identifier: Apache-2.0 */
/* devlib/convert.cl: explicit conversions (OpenCL 1.2, section 6.2.3). From a float, the value is
 * first rounded to an integer as the suffix says, or towards 0; _sat holds it to the type's range.
 * To a float, the suffix is the rounding of the conversion, to the nearest by default. */

/* Least and most, as numbers of the other types. */
#define LEAST_char   -128
#define MOST_char    127
#define LEAST_uchar  0
#define MOST_uchar   255
#define LEAST_short  -32768
#define MOST_short   32767
#define LEAST_ushort 0
#define MOST_ushort  65535
#define LEAST_int    (-2147483647 - 1)
#define MOST_int     2147483647
#define LEAST_uint   0
#define MOST_uint    4294967295u
#define LEAST_long   (-0x7fffffffffffffff - 1)
#define MOST_long    0x7fffffffffffffff
#define LEAST_ulong  0
#define MOST_ulong   0xfffffffffffffffful

/* Integer to integer. U: unsigned source; its negative values do not exist. */
#define SATURATE_SIGNED(R, x)                                                                      \
    ((x) < 0 ? ((R)-1 < 0 ? ((long)(x) < (long)LEAST_##R ? LEAST_##R : (R)(x)) : (R)0)             \
             : ((ulong)(x) > (ulong)MOST_##R ? MOST_##R : (R)(x)))
#define SATURATE_UNSIGNED(R, x) ((ulong)(x) > (ulong)MOST_##R ? MOST_##R : (R)(x))

/* Float to integer. Also right where MOST is rounded up to a power of 2, the first number that does
 * not fit. */
#define SATURATE_FLOAT(R, T, x)                                                                    \
    ((x) != (x)            ? (R)0                                                                  \
     : (x) <= (T)LEAST_##R ? (R)LEAST_##R                                                          \
     : (x) >= (T)MOST_##R  ? (R)MOST_##R                                                           \
                           : (R)(x))

/* A conversion convert_R with a suffix (maybe empty): scalar, and vectors, which have their size in
 * the name. */
#define CONVERSION(R, suffix, T, value)                                                            \
    BUILTIN R convert_##R##suffix(T x) { return value; }                                           \
    BUILTIN R##2 convert_##R##2##suffix(T##2 x)                                                    \
    {                                                                                              \
        return (R##2)(convert_##R##suffix(x.x), convert_##R##suffix(x.y));                         \
    }                                                                                              \
    BUILTIN R##3 convert_##R##3##suffix(T##3 x)                                                    \
    {                                                                                              \
        return (R##3)(convert_##R##suffix(x.x), convert_##R##suffix(x.y),                          \
                      convert_##R##suffix(x.z));                                                   \
    }                                                                                              \
    HALVES(R, suffix, T, 4, 2)                                                                     \
    HALVES(R, suffix, T, 8, 4)                                                                     \
    HALVES(R, suffix, T, 16, 8)
#define HALVES(R, suffix, T, n, half)                                                              \
    BUILTIN R##n convert_##R##n##suffix(T##n x)                                                    \
    {                                                                                              \
        return (R##n)(convert_##R##half##suffix(x.lo), convert_##R##half##suffix(x.hi));           \
    }

/* All roundings of one integer are the integer. */
#define INTEGER_TO_INTEGER(R, T, S)                                                                \
    CONVERSION(R, , T, (R)x)                                                                       \
    CONVERSION(R, _rte, T, (R)x)                                                                   \
    CONVERSION(R, _rtz, T, (R)x)                                                                   \
    CONVERSION(R, _rtp, T, (R)x)                                                                   \
    CONVERSION(R, _rtn, T, (R)x)                                                                   \
    CONVERSION(R, _sat, T, S(R, x))                                                                \
    CONVERSION(R, _sat_rte, T, S(R, x))                                                            \
    CONVERSION(R, _sat_rtz, T, S(R, x))                                                            \
    CONVERSION(R, _sat_rtp, T, S(R, x))                                                            \
    CONVERSION(R, _sat_rtn, T, S(R, x))

#define FLOAT_TO_INTEGER(R, T)                                                                     \
    CONVERSION(R, , T, (R)x)                                                                       \
    CONVERSION(R, _rte, T, (R)rint(x))                                                             \
    CONVERSION(R, _rtz, T, (R)x)                                                                   \
    CONVERSION(R, _rtp, T, (R)ceil(x))                                                             \
    CONVERSION(R, _rtn, T, (R)floor(x))                                                            \
    CONVERSION(R, _sat, T, SATURATE_FLOAT(R, T, x))                                                \
    CONVERSION(R, _sat_rte, T, SATURATE_FLOAT(R, T, rint(x)))                                      \
    CONVERSION(R, _sat_rtz, T, SATURATE_FLOAT(R, T, x))                                            \
    CONVERSION(R, _sat_rtp, T, SATURATE_FLOAT(R, T, ceil(x)))                                      \
    CONVERSION(R, _sat_rtn, T, SATURATE_FLOAT(R, T, floor(x)))

#define FROM_SIGNED(T, R)   INTEGER_TO_INTEGER(R, T, SATURATE_SIGNED)
#define FROM_UNSIGNED(T, R) INTEGER_TO_INTEGER(R, T, SATURATE_UNSIGNED)
#define TO_INTEGER(R)                                                                              \
    FROM_SIGNED(char, R)                                                                           \
    FROM_SIGNED(short, R)                                                                          \
    FROM_SIGNED(int, R) FROM_SIGNED(long, R) FROM_UNSIGNED(uchar, R) FROM_UNSIGNED(ushort, R)      \
        FROM_UNSIGNED(uint, R) FROM_UNSIGNED(ulong, R) FLOAT_TO_INTEGER(R, float)                  \
            FLOAT_TO_INTEGER(R, double)
INTEGER_TYPES(TO_INTEGER)

/* The machine rounds conversions to a float in every direction. `how` is PTX's rounding. */
#define CONVERT_PTX(R, types, how, to, from, x)                                                    \
    ({                                                                                             \
        R result_;                                                                                 \
        __asm("cvt." #how "." types " %0, %1;" : to(result_) : from(x));                           \
        result_;                                                                                   \
    })
#define TO_FLOAT(R, T, W, types, to, from)                                                         \
    CONVERSION(R, , T, (R)x)                                                                       \
    CONVERSION(R, _rte, T, (R)x)                                                                   \
    CONVERSION(R, _rtz, T, CONVERT_PTX(R, types, rz, to, from, (W)x))                              \
    CONVERSION(R, _rtp, T, CONVERT_PTX(R, types, rp, to, from, (W)x))                              \
    CONVERSION(R, _rtn, T, CONVERT_PTX(R, types, rm, to, from, (W)x))
/* Narrow integers by way of int. */
#define TO_FLOAT_FROM_INTEGERS(R, type, to)                                                        \
    TO_FLOAT(R, char, int, type ".s32", to, "r")                                                   \
    TO_FLOAT(R, uchar, int, type ".s32", to, "r")                                                  \
    TO_FLOAT(R, short, int, type ".s32", to, "r")                                                  \
    TO_FLOAT(R, ushort, int, type ".s32", to, "r")                                                 \
    TO_FLOAT(R, int, int, type ".s32", to, "r")                                                    \
    TO_FLOAT(R, uint, uint, type ".u32", to, "r")                                                  \
    TO_FLOAT(R, long, long, type ".s64", to, "l")                                                  \
    TO_FLOAT(R, ulong, ulong, type ".u64", to, "l")
TO_FLOAT_FROM_INTEGERS(float, "f32", "=f")
TO_FLOAT_FROM_INTEGERS(double, "f64", "=d")
TO_FLOAT(float, double, double, "f32.f64", "=f", "d")

/* Exact. */
#define TO_FLOAT_EXACT(R, T)                                                                       \
    CONVERSION(R, , T, (R)x)                                                                       \
    CONVERSION(R, _rte, T, (R)x)                                                                   \
    CONVERSION(R, _rtz, T, (R)x)                                                                   \
    CONVERSION(R, _rtp, T, (R)x)                                                                   \
    CONVERSION(R, _rtn, T, (R)x)
TO_FLOAT_EXACT(float, float)
TO_FLOAT_EXACT(double, double)
TO_FLOAT_EXACT(double, float)

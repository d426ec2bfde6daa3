/* SPDX-License-Identifier: Apache-2.0 */
/* devlib/geometric.cl: geometric functions (OpenCL 1.2, sections 6.12.5 and 7.5.1). Where the sum
 * of squares leaves the numbers, or comes near, lengths are taken of the vector divided by its
 * largest element. */

#define DOT_2(a, b) ((a).x * (b).x + (a).y * (b).y)
#define DOT_3(a, b) (DOT_2(a, b) + (a).z * (b).z)
#define DOT_4(a, b) (DOT_3(a, b) + (a).w * (b).w)

#define LARGEST_1(a) fabs(a)
#define LARGEST_2(a) fmax(fabs((a).x), fabs((a).y))
#define LARGEST_3(a) fmax(LARGEST_2(a), fabs((a).z))
#define LARGEST_4(a) fmax(LARGEST_2((a).lo), LARGEST_2((a).hi))

/* Sums of squares in between are right to the last place. */
#define SMALL_SQUARES_float  0x1p-100f
#define LARGE_SQUARES_float  0x1p+126f
#define SMALL_SQUARES_double 0x1p-960
#define LARGE_SQUARES_double 0x1p+1022

#define NORMS(V, T, LARGEST)                                                                       \
    BUILTIN T length(V a)                                                                          \
    {                                                                                              \
        const T squares = dot(a, a), largest = LARGEST(a);                                         \
        if (squares > SMALL_SQUARES_##T && squares < LARGE_SQUARES_##T)                            \
            return sqrt(squares);                                                                  \
        if (largest == 0 || largest == INF_##T)                                                    \
            return largest;                                                                        \
        const V b = a / largest;                                                                   \
        return largest * sqrt(dot(b, b));                                                          \
    }                                                                                              \
    BUILTIN T distance(V a, V b) { return length(a - b); }                                         \
    /* An infinite vector points to where only its infinite elements do. */                        \
    BUILTIN V normalize(V a)                                                                       \
    {                                                                                              \
        const T squares = dot(a, a), largest = LARGEST(a);                                         \
        if (squares > SMALL_SQUARES_##T && squares < LARGE_SQUARES_##T)                            \
            return a / sqrt(squares);                                                              \
        if (largest == 0 && squares == 0)                                                          \
            return a;                                                                              \
        const V b = largest == INF_##T ? infinite_part(a) : a / largest;                           \
        return b / sqrt(dot(b, b));                                                                \
    }
#define FAST_NORMS(V)                                                                              \
    BUILTIN float fast_length(V a) { return native_sqrt(dot(a, a)); }                              \
    BUILTIN float fast_distance(V a, V b) { return fast_length(a - b); }                           \
    BUILTIN V fast_normalize(V a)                                                                  \
    {                                                                                              \
        const float d = dot(a, a);                                                                 \
        return d > 0 ? a * native_rsqrt(d) : a;                                                    \
    }

#define GEOMETRIC(T)                                                                               \
    BUILTIN T dot(T a, T b) { return a * b; }                                                      \
    BUILTIN T dot(T##2 a, T##2 b) { return DOT_2(a, b); }                                          \
    BUILTIN T dot(T##3 a, T##3 b) { return DOT_3(a, b); }                                          \
    BUILTIN T dot(T##4 a, T##4 b) { return DOT_4(a, b); }                                          \
    BUILTIN T##3 cross(T##3 a, T##3 b) { return a.yzx * b.zxy - a.zxy * b.yzx; }                   \
    BUILTIN T##4 cross(T##4 a, T##4 b) { return (T##4)(cross(a.xyz, b.xyz), (T)0); }               \
    BUILTIN T infinite_part(T a) { return isinf(a) ? copysign((T)1, a) : a * (T)0; }               \
    MAP1(infinite_part, T, T)                                                                      \
    NORMS(T, T, LARGEST_1)                                                                         \
    NORMS(T##2, T, LARGEST_2)                                                                      \
    NORMS(T##3, T, LARGEST_3)                                                                      \
    NORMS(T##4, T, LARGEST_4)
FLOAT_TYPES(GEOMETRIC)

FAST_NORMS(float)
FAST_NORMS(float2)
FAST_NORMS(float3)
FAST_NORMS(float4)

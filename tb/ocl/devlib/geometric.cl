/* SPDX-License-Identifier: Apache-2.0 */
/* devlib/geometric.cl: geometric functions (OpenCL 1.2, section 6.12.5). */

#define DOT_2(a, b) ((a).x * (b).x + (a).y * (b).y)
#define DOT_3(a, b) (DOT_2(a, b) + (a).z * (b).z)
#define DOT_4(a, b) (DOT_3(a, b) + (a).w * (b).w)

#define NORMS(V, T)                                                                                \
    BUILTIN T length(V a) { return sqrt(dot(a, a)); }                                              \
    BUILTIN T distance(V a, V b) { return length(a - b); }                                         \
    BUILTIN V normalize(V a)                                                                       \
    {                                                                                              \
        const T n = length(a);                                                                     \
        return n > 0 ? a / n : a;                                                                  \
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
    NORMS(T, T)                                                                                    \
    NORMS(T##2, T)                                                                                 \
    NORMS(T##3, T)                                                                                 \
    NORMS(T##4, T)
FLOAT_TYPES(GEOMETRIC)

FAST_NORMS(float)
FAST_NORMS(float2)
FAST_NORMS(float3)
FAST_NORMS(float4)

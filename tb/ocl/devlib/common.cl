/* SPDX-License-Identifier: Apache-2.0 */
/* devlib/common.cl: fused and plain multiply-add, minimum and maximum, and the common functions
 * (OpenCL 1.2, section 6.12.4) on floats and doubles. */

#define PI 3.14159265358979323846

#define F_fabs_float  __builtin_fabsf
#define F_fabs_double __builtin_fabs
#define F_fma_float   __builtin_fmaf
#define F_fma_double  __builtin_fma
#define F_fmin_float  __builtin_fminf
#define F_fmin_double __builtin_fmin
#define F_fmax_float  __builtin_fmaxf
#define F_fmax_double __builtin_fmax

#define COMMON(T)                                                                                  \
    BUILTIN T fabs(T a) { return F_fabs_##T(a); }                                                  \
    BUILTIN T fma(T a, T b, T c) { return F_fma_##T(a, b, c); }                                    \
    BUILTIN T mad(T a, T b, T c) { return F_fma_##T(a, b, c); }                                    \
    BUILTIN T fmin(T a, T b) { return F_fmin_##T(a, b); }                                          \
    BUILTIN T fmax(T a, T b) { return F_fmax_##T(a, b); }                                          \
    BUILTIN T min(T a, T b) { return F_fmin_##T(a, b); }                                           \
    BUILTIN T max(T a, T b) { return F_fmax_##T(a, b); }                                           \
    BUILTIN T clamp(T x, T low, T high) { return fmin(fmax(x, low), high); }                       \
    BUILTIN T mix(T a, T b, T t) { return fma(b - a, t, a); }                                      \
    BUILTIN T step(T edge, T x) { return x < edge ? (T)0 : (T)1; }                                 \
    BUILTIN T smoothstep(T low, T high, T x)                                                       \
    {                                                                                              \
        const T t = clamp((x - low) / (high - low), (T)0, (T)1);                                   \
        return t * t * ((T)3 - (T)2 * t);                                                          \
    }                                                                                              \
    BUILTIN T sign(T x) { return x > (T)0 ? (T)1 : x < (T)0 ? (T)-1 : x == (T)0 ? x : (T)0; }      \
    BUILTIN T degrees(T x) { return x * (T)(180 / PI); }                                           \
    BUILTIN T radians(T x) { return x * (T)(PI / 180); }                                           \
    BUILTIN T fdim(T a, T b) { return a > b ? a - b : a != a || b != b ? a + b : (T)0; }           \
    BUILTIN T maxmag(T a, T b)                                                                     \
    {                                                                                              \
        return fabs(a) > fabs(b) ? a : fabs(b) > fabs(a) ? b : fmax(a, b);                         \
    }                                                                                              \
    BUILTIN T minmag(T a, T b)                                                                     \
    {                                                                                              \
        return fabs(a) < fabs(b) ? a : fabs(b) < fabs(a) ? b : fmin(a, b);                         \
    }                                                                                              \
    MAP1(fabs, T, T)                                                                               \
    MAP3(fma, T, T, T, T)                                                                          \
    MAP3(mad, T, T, T, T)                                                                          \
    MAP2(fmin, T, T, T)                                                                            \
    MAP2(fmax, T, T, T)                                                                            \
    MAP2(min, T, T, T)                                                                             \
    MAP2(max, T, T, T)                                                                             \
    MAP3(clamp, T, T, T, T)                                                                        \
    MAP3(mix, T, T, T, T)                                                                          \
    MAP2(step, T, T, T)                                                                            \
    MAP3(smoothstep, T, T, T, T)                                                                   \
    MAP1(sign, T, T)                                                                               \
    MAP1(degrees, T, T)                                                                            \
    MAP1(radians, T, T)                                                                            \
    MAP2(fdim, T, T, T)                                                                            \
    MAP2(maxmag, T, T, T)                                                                          \
    MAP2(minmag, T, T, T)                                                                          \
    SIZES(COMMON_SCALAR, T)
/* Forms in which some operands of a vector function are scalars. */
#define COMMON_SCALAR(n, T)                                                                        \
    BUILTIN T##n fmin(T##n a, T b) { return fmin(a, (T##n)b); }                                    \
    BUILTIN T##n fmax(T##n a, T b) { return fmax(a, (T##n)b); }                                    \
    BUILTIN T##n min(T##n a, T b) { return min(a, (T##n)b); }                                      \
    BUILTIN T##n max(T##n a, T b) { return max(a, (T##n)b); }                                      \
    BUILTIN T##n clamp(T##n x, T low, T high) { return clamp(x, (T##n)low, (T##n)high); }          \
    BUILTIN T##n mix(T##n a, T##n b, T t) { return mix(a, b, (T##n)t); }                           \
    BUILTIN T##n step(T edge, T##n x) { return step((T##n)edge, x); }                              \
    BUILTIN T##n smoothstep(T low, T high, T##n x) { return smoothstep((T##n)low, (T##n)high, x); }
FLOAT_TYPES(COMMON)

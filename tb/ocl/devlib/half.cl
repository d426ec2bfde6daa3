/* SPDX-License-Identifier: Apache-2.0 */
/* devlib/half.cl: loads and stores of 16-bit floats (OpenCL 1.2, section 6.12.7), which exist in
 * memory only. The machine converts them, in every rounding. vloada_ and vstorea_ keep a vector of
 * 3 in the room of 4. */

BUILTIN float float_of_half(ushort bits)
{
    float result;
    __asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(bits));
    return result;
}

#define STRIDE_2  2
#define STRIDE_3  4
#define STRIDE_4  4
#define STRIDE_8  8
#define STRIDE_16 16

#define VLOAD_HALF_FORM(n, name, stride, space)                                                    \
    BUILTIN float##n name##n(size_t i, const space half *p)                                        \
    {                                                                                              \
        const space ushort *from = (const space ushort *)p + i * stride;                           \
        float##n result;                                                                           \
        _Pragma("unroll") for (int e = 0; e < n; e++) result[e] = float_of_half(from[e]);          \
        return result;                                                                             \
    }
#define VLOAD_HALF_N(n, space)                                                                     \
    VLOAD_HALF_FORM(n, vload_half, n, space)                                                       \
    VLOAD_HALF_FORM(n, vloada_half, STRIDE_##n, space)
#define VLOAD_HALF(space)                                                                          \
    BUILTIN float vload_half(size_t i, const space half *p)                                        \
    {                                                                                              \
        return float_of_half(((const space ushort *)p)[i]);                                        \
    }                                                                                              \
    SIZES(VLOAD_HALF_N, space)
VLOAD_HALF(__global)
VLOAD_HALF(__local)
VLOAD_HALF(__constant)
VLOAD_HALF(__private)

/* One rounding: its suffix and PTX's name for it. */
#define VSTORE_HALF_FORM(n, name, suffix, how, stride, T, space)                                   \
    BUILTIN void name##n##suffix(T##n v, size_t i, space half *p)                                  \
    {                                                                                              \
        space ushort *to = (space ushort *)p + i * stride;                                         \
        _Pragma("unroll") for (int e = 0; e < n; e++) to[e] = half_of_##how(v[e]);                 \
    }
#define VSTORE_HALF_N(n, suffix, how, T, space)                                                    \
    VSTORE_HALF_FORM(n, vstore_half, suffix, how, n, T, space)                                     \
    VSTORE_HALF_FORM(n, vstorea_half, suffix, how, STRIDE_##n, T, space)
#define VSTORE_HALF(suffix, how, T, space)                                                         \
    BUILTIN void vstore_half##suffix(T v, size_t i, space half *p)                                 \
    {                                                                                              \
        ((space ushort *)p)[i] = half_of_##how(v);                                                 \
    }                                                                                              \
    SIZES(VSTORE_HALF_N, suffix, how, T, space)
#define VSTORE_HALF_ROUNDINGS(T, space)                                                            \
    VSTORE_HALF(, rn, T, space)                                                                    \
    VSTORE_HALF(_rte, rn, T, space)                                                                \
    VSTORE_HALF(_rtz, rz, T, space)                                                                \
    VSTORE_HALF(_rtp, rp, T, space)                                                                \
    VSTORE_HALF(_rtn, rm, T, space)

#define HALF_OF(how, T, type, from)                                                                \
    BUILTIN ushort half_of_##how(T x)                                                              \
    {                                                                                              \
        ushort result;                                                                             \
        __asm("cvt." #how ".f16." type " %0, %1;" : "=h"(result) : from(x));                       \
        return result;                                                                             \
    }
#define HALVES_OF(T, type, from)                                                                   \
    HALF_OF(rn, T, type, from)                                                                     \
    HALF_OF(rz, T, type, from)                                                                     \
    HALF_OF(rp, T, type, from)                                                                     \
    HALF_OF(rm, T, type, from)                                                                     \
    VSTORE_HALF_ROUNDINGS(T, __global)                                                             \
    VSTORE_HALF_ROUNDINGS(T, __local)                                                              \
    VSTORE_HALF_ROUNDINGS(T, __private)
HALVES_OF(float, "f32", "f")
HALVES_OF(double, "f64", "d")

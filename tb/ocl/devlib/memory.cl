/* SPDX-License-Identifier: Apache-2.0 */
/* devlib/memory.cl: vectors at addresses that are aligned for their elements only. */

#define ELEMENTS_2(p)  (p)[0], (p)[1]
#define ELEMENTS_3(p)  ELEMENTS_2(p), (p)[2]
#define ELEMENTS_4(p)  ELEMENTS_2(p), ELEMENTS_2((p) + 2)
#define ELEMENTS_8(p)  ELEMENTS_4(p), ELEMENTS_4((p) + 4)
#define ELEMENTS_16(p) ELEMENTS_8(p), ELEMENTS_8((p) + 8)

#define VLOAD(n, T, space)                                                                         \
    BUILTIN T##n vload##n(size_t i, const space T *p) { return (T##n)(ELEMENTS_##n(p + i * n)); }
#define VSTORE(n, T, space)                                                                        \
    BUILTIN void vstore##n(T##n v, size_t i, space T *p)                                           \
    {                                                                                              \
        p += i * n;                                                                                \
        _Pragma("unroll") for (int e = 0; e < n; e++) p[e] = v[e];                                 \
    }
#define VECTOR_MEMORY(T)                                                                           \
    SIZES(VLOAD, T, __global)                                                                      \
    SIZES(VLOAD, T, __local)                                                                       \
    SIZES(VLOAD, T, __constant)                                                                    \
    SIZES(VLOAD, T, __private)                                                                     \
    SIZES(VSTORE, T, __global)                                                                     \
    SIZES(VSTORE, T, __local)                                                                      \
    SIZES(VSTORE, T, __private)
ALL_TYPES(VECTOR_MEMORY)

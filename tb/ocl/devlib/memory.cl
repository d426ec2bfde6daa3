/* SPDX-License-Identifier: Apache-2.0 */
/* devlib/memory.cl: vectors at addresses that are aligned for their elements only, and
 * shuffles of their elements. */

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

/* Element e of the result is the one that mask[e] names, of x or of x and y side by side. C is the
 * unsigned type of T's size. */
#define SHUFFLE(m, n, T, C)                                                                        \
    BUILTIN T##n shuffle(T##m x, C##n mask)                                                        \
    {                                                                                              \
        T##n result;                                                                               \
        _Pragma("unroll") for (int e = 0; e < n; e++) result[e] = x[mask[e] & (m - 1)];            \
        return result;                                                                             \
    }                                                                                              \
    BUILTIN T##n shuffle2(T##m x, T##m y, C##n mask)                                               \
    {                                                                                              \
        T##n result;                                                                               \
        _Pragma("unroll") for (int e = 0; e < n; e++)                                              \
        {                                                                                          \
            const uint i = mask[e] & (2 * m - 1);                                                  \
            result[e] = i < m ? x[i] : y[i - m];                                                   \
        }                                                                                          \
        return result;                                                                             \
    }
#define SHUFFLES_TO(n, T, C)                                                                       \
    SHUFFLE(2, n, T, C) SHUFFLE(4, n, T, C) SHUFFLE(8, n, T, C) SHUFFLE(16, n, T, C)
#define SHUFFLES(T, C)                                                                             \
    SHUFFLES_TO(2, T, C) SHUFFLES_TO(4, T, C) SHUFFLES_TO(8, T, C) SHUFFLES_TO(16, T, C)
SHUFFLES(char, uchar)
SHUFFLES(uchar, uchar)
SHUFFLES(short, ushort)
SHUFFLES(ushort, ushort)
SHUFFLES(int, uint)
SHUFFLES(uint, uint)
SHUFFLES(long, ulong)
SHUFFLES(ulong, ulong)
SHUFFLES(float, uint)
SHUFFLES(double, ulong)

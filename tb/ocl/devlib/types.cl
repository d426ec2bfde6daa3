/* SPDX-License-Identifier: Apache-2.0 */
/* devlib/types.cl: OpenCL C's type names, and how a function of scalars becomes one of vectors. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;

#define VECTORS(T)                                                                                 \
    typedef T T##2 __attribute__((ext_vector_type(2)));                                            \
    typedef T T##3 __attribute__((ext_vector_type(3)));                                            \
    typedef T T##4 __attribute__((ext_vector_type(4)));                                            \
    typedef T T##8 __attribute__((ext_vector_type(8)));                                            \
    typedef T T##16 __attribute__((ext_vector_type(16)));

#define SIGNED_TYPES(X)   X(char) X(short) X(int) X(long)
#define UNSIGNED_TYPES(X) X(uchar) X(ushort) X(uint) X(ulong)
#define INTEGER_TYPES(X)  SIGNED_TYPES(X) UNSIGNED_TYPES(X)
#define FLOAT_TYPES(X)    X(float) X(double)
#define ALL_TYPES(X)      INTEGER_TYPES(X) FLOAT_TYPES(X)

ALL_TYPES(VECTORS)

#define BUILTIN __attribute__((overloadable, always_inline))

/* The vector forms of R f(T), R f(T, U) and R f(T, U, V), out of the scalar form: halves, down to
 * single elements. */
#define MAP1(f, R, T)                                                                              \
    BUILTIN R##2 f(T##2 a) { return (R##2)(f(a.x), f(a.y)); }                                      \
    BUILTIN R##3 f(T##3 a) { return (R##3)(f(a.x), f(a.y), f(a.z)); }                              \
    BUILTIN R##4 f(T##4 a) { return (R##4)(f(a.lo), f(a.hi)); }                                    \
    BUILTIN R##8 f(T##8 a) { return (R##8)(f(a.lo), f(a.hi)); }                                    \
    BUILTIN R##16 f(T##16 a) { return (R##16)(f(a.lo), f(a.hi)); }

#define MAP2(f, R, T, U)                                                                           \
    BUILTIN R##2 f(T##2 a, U##2 b) { return (R##2)(f(a.x, b.x), f(a.y, b.y)); }                    \
    BUILTIN R##3 f(T##3 a, U##3 b) { return (R##3)(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z)); }       \
    BUILTIN R##4 f(T##4 a, U##4 b) { return (R##4)(f(a.lo, b.lo), f(a.hi, b.hi)); }                \
    BUILTIN R##8 f(T##8 a, U##8 b) { return (R##8)(f(a.lo, b.lo), f(a.hi, b.hi)); }                \
    BUILTIN R##16 f(T##16 a, U##16 b) { return (R##16)(f(a.lo, b.lo), f(a.hi, b.hi)); }

#define MAP3(f, R, T, U, V)                                                                        \
    BUILTIN R##2 f(T##2 a, U##2 b, V##2 c) { return (R##2)(f(a.x, b.x, c.x), f(a.y, b.y, c.y)); }  \
    BUILTIN R##3 f(T##3 a, U##3 b, V##3 c)                                                         \
    {                                                                                              \
        return (R##3)(f(a.x, b.x, c.x), f(a.y, b.y, c.y), f(a.z, b.z, c.z));                       \
    }                                                                                              \
    BUILTIN R##4 f(T##4 a, U##4 b, V##4 c)                                                         \
    {                                                                                              \
        return (R##4)(f(a.lo, b.lo, c.lo), f(a.hi, b.hi, c.hi));                                   \
    }                                                                                              \
    BUILTIN R##8 f(T##8 a, U##8 b, V##8 c)                                                         \
    {                                                                                              \
        return (R##8)(f(a.lo, b.lo, c.lo), f(a.hi, b.hi, c.hi));                                   \
    }                                                                                              \
    BUILTIN R##16 f(T##16 a, U##16 b, V##16 c)                                                     \
    {                                                                                              \
        return (R##16)(f(a.lo, b.lo, c.lo), f(a.hi, b.hi, c.hi));                                  \
    }

/* For each vector size. */
#define SIZES(X, ...)                                                                              \
    X(2, __VA_ARGS__) X(3, __VA_ARGS__) X(4, __VA_ARGS__) X(8, __VA_ARGS__) X(16, __VA_ARGS__)

/* The vector forms of T f(T, P *), whose second result goes to an address space. */
#define MAP_POINTER(f, T, P, space) SIZES(MAP_POINTER_N, f, T, P, space)
#define MAP_POINTER_N(n, f, T, P, space)                                                           \
    BUILTIN T##n f(T##n a, space P##n *p)                                                          \
    {                                                                                              \
        T##n first;                                                                                \
        P##n second;                                                                               \
        _Pragma("unroll") for (int e = 0; e < n; e++)                                              \
        {                                                                                          \
            P one;                                                                                 \
            first[e] = f(a[e], &one);                                                              \
            second[e] = one;                                                                       \
        }                                                                                          \
        *p = second;                                                                               \
        return first;                                                                              \
    }

/* The bits of a number as another type of the same size. */
#define as(T, x) __builtin_astype(x, T)

/* SPDX-License-Identifier: Apache-2.0 */
/* devlib/relational.cl: comparisons, tests and selection (OpenCL 1.2, section 6.12.6). True is 1
 * for scalars and -1 for the elements of vectors. I is the integer type of the same size. */

/* Vectors of R f(T) and R f(T, T) whose true is -1. */
#define TEST_VECTOR1(n, f, T, I)                                                                   \
    BUILTIN I##n f(T##n a) { return test_map1_##n(f, I, a); }
#define test_map1_2(f, I, a)  (I##2)(-f(a.x), -f(a.y))
#define test_map1_3(f, I, a)  (I##3)(-f(a.x), -f(a.y), -f(a.z))
#define test_map1_4(f, I, a)  (I##4)(f(a.lo), f(a.hi))
#define test_map1_8(f, I, a)  (I##8)(f(a.lo), f(a.hi))
#define test_map1_16(f, I, a) (I##16)(f(a.lo), f(a.hi))

#define TEST_VECTOR2(n, f, T, I)                                                                   \
    BUILTIN I##n f(T##n a, T##n b) { return test_map2_##n(f, I, a, b); }
#define test_map2_2(f, I, a, b)  (I##2)(-f(a.x, b.x), -f(a.y, b.y))
#define test_map2_3(f, I, a, b)  (I##3)(-f(a.x, b.x), -f(a.y, b.y), -f(a.z, b.z))
#define test_map2_4(f, I, a, b)  (I##4)(f(a.lo, b.lo), f(a.hi, b.hi))
#define test_map2_8(f, I, a, b)  (I##8)(f(a.lo, b.lo), f(a.hi, b.hi))
#define test_map2_16(f, I, a, b) (I##16)(f(a.lo, b.lo), f(a.hi, b.hi))

#define TEST1(f, T, I, value)                                                                      \
    BUILTIN int f(T a) { return value; }                                                           \
    SIZES(TEST_VECTOR1, f, T, I)
#define TEST2(f, T, I, value)                                                                      \
    BUILTIN int f(T a, T b) { return value; }                                                      \
    SIZES(TEST_VECTOR2, f, T, I)

/* SMALLEST is the least normal number. */
#define TESTS(T, I, SMALLEST, INFINITE)                                                            \
    TEST2(isequal, T, I, a == b)                                                                   \
    TEST2(isnotequal, T, I, a != b)                                                                \
    TEST2(isgreater, T, I, a > b)                                                                  \
    TEST2(isgreaterequal, T, I, a >= b)                                                            \
    TEST2(isless, T, I, a < b)                                                                     \
    TEST2(islessequal, T, I, a <= b)                                                               \
    TEST2(islessgreater, T, I, a<b || a> b)                                                        \
    TEST2(isordered, T, I, a == a && b == b)                                                       \
    TEST2(isunordered, T, I, a != a || b != b)                                                     \
    TEST1(isnan, T, I, a != a)                                                                     \
    TEST1(isinf, T, I, a == INFINITE || a == -INFINITE)                                            \
    TEST1(isfinite, T, I, a<INFINITE && a> - INFINITE)                                             \
    TEST1(isnormal, T, I, (a >= SMALLEST && a < INFINITE) || (a <= -SMALLEST && a > -INFINITE))    \
    TEST1(signbit, T, I, as(I, a) < 0)
TESTS(float, int, 0x1p-126f, __builtin_inff())
TESTS(double, long, 0x1p-1022, __builtin_inf())

/* any and all look at the most significant bits. */
#define ANY_ALL(T)                                                                                 \
    BUILTIN int any(T a) { return a < 0; }                                                         \
    BUILTIN int all(T a) { return a < 0; }                                                         \
    BUILTIN int any(T##2 a) { return any((T)(a.x | a.y)); }                                        \
    BUILTIN int all(T##2 a) { return all((T)(a.x & a.y)); }                                        \
    BUILTIN int any(T##3 a) { return any((T)(a.x | a.y | a.z)); }                                  \
    BUILTIN int all(T##3 a) { return all((T)(a.x & a.y & a.z)); }                                  \
    BUILTIN int any(T##4 a) { return any(a.lo | a.hi); }                                           \
    BUILTIN int all(T##4 a) { return all(a.lo & a.hi); }                                           \
    BUILTIN int any(T##8 a) { return any(a.lo | a.hi); }                                           \
    BUILTIN int all(T##8 a) { return all(a.lo & a.hi); }                                           \
    BUILTIN int any(T##16 a) { return any(a.lo | a.hi); }                                          \
    BUILTIN int all(T##16 a) { return all(a.lo & a.hi); }
SIGNED_TYPES(ANY_ALL)

/* select: a scalar condition counts if not 0, a vector's element by its most significant bit. C is
 * an integer type of T's size, S its signed form. */
#define SELECT(T, C, S)                                                                            \
    BUILTIN T select(T a, T b, C c) { return c ? b : a; }                                          \
    SIZES(SELECT_VECTOR, T, C, S)
#define SELECT_VECTOR(n, T, C, S)                                                                  \
    BUILTIN T##n select(T##n a, T##n b, C##n c) { return as(S##n, c) < (S)0 ? b : a; }
#define SELECT_BY(T, I, U) SELECT(T, I, I) SELECT(T, U, I)
SELECT_BY(char, char, uchar)
SELECT_BY(uchar, char, uchar)
SELECT_BY(short, short, ushort)
SELECT_BY(ushort, short, ushort)
SELECT_BY(int, int, uint)
SELECT_BY(uint, int, uint)
SELECT_BY(long, long, ulong)
SELECT_BY(ulong, long, ulong)
SELECT_BY(float, int, uint)
SELECT_BY(double, long, ulong)

/* bitselect: bits of b where c has ones. I is the integer type of the same size. */
#define BITSELECT(T, I)                                                                            \
    BUILTIN T bitselect(T a, T b, T c)                                                             \
    {                                                                                              \
        return as(T, (I)((as(I, a) & ~as(I, c)) | (as(I, b) & as(I, c))));                         \
    }                                                                                              \
    MAP3(bitselect, T, T, T, T)
BITSELECT(char, char)
BITSELECT(uchar, uchar)
BITSELECT(short, short)
BITSELECT(ushort, ushort)
BITSELECT(int, int)
BITSELECT(uint, uint)
BITSELECT(long, long)
BITSELECT(ulong, ulong)
BITSELECT(float, int)
BITSELECT(double, long)

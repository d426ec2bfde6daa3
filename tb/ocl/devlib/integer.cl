/* SPDX-License-Identifier: Apache-2.0 */
/* devlib/integer.cl: integer functions (OpenCL 1.2, section 6.12.3). */

#define MIN_MAX(T)                                                                                 \
    BUILTIN T min(T a, T b) { return b < a ? b : a; }                                              \
    BUILTIN T max(T a, T b) { return a < b ? b : a; }                                              \
    BUILTIN T clamp(T x, T low, T high) { return min(max(x, low), high); }                         \
    MAP2(min, T, T, T)                                                                             \
    MAP2(max, T, T, T)                                                                             \
    MAP3(clamp, T, T, T, T)                                                                        \
    SIZES(MIN_MAX_SCALAR, T)
#define MIN_MAX_SCALAR(n, T)                                                                       \
    BUILTIN T##n min(T##n a, T b) { return min(a, (T##n)b); }                                      \
    BUILTIN T##n max(T##n a, T b) { return max(a, (T##n)b); }                                      \
    BUILTIN T##n clamp(T##n x, T low, T high) { return clamp(x, (T##n)low, (T##n)high); }
INTEGER_TYPES(MIN_MAX)

/* U is T's unsigned type. */
#define ABS_SIGNED(T, U)                                                                           \
    BUILTIN U abs(T a) { return a < 0 ? (U) - (U)a : (U)a; }                                       \
    BUILTIN U abs_diff(T a, T b) { return a < b ? (U)((U)b - (U)a) : (U)((U)a - (U)b); }           \
    MAP1(abs, U, T)                                                                                \
    MAP2(abs_diff, U, T, T)
ABS_SIGNED(char, uchar)
ABS_SIGNED(short, ushort)
ABS_SIGNED(int, uint)
ABS_SIGNED(long, ulong)

#define ABS_UNSIGNED(U)                                                                            \
    BUILTIN U abs(U a) { return a; }                                                               \
    BUILTIN U abs_diff(U a, U b) { return a < b ? b - a : a - b; }                                 \
    MAP1(abs, U, U)                                                                                \
    MAP2(abs_diff, U, U, U)
UNSIGNED_TYPES(ABS_UNSIGNED)

/* (a + b) / 2 without overflow, rounded down or up. */
#define HALF_SUM(T)                                                                                \
    BUILTIN T hadd(T a, T b) { return (a & b) + ((a ^ b) >> 1); }                                  \
    BUILTIN T rhadd(T a, T b) { return (a | b) - ((a ^ b) >> 1); }                                 \
    MAP2(hadd, T, T, T)                                                                            \
    MAP2(rhadd, T, T, T)
INTEGER_TYPES(HALF_SUM)

/* High half of the product, in a type W that holds all of it. */
#define MUL_HI(T, W)                                                                               \
    BUILTIN T mul_hi(T a, T b) { return (T)(((W)a * (W)b) >> (sizeof(T) * 8)); }
MUL_HI(char, int)
MUL_HI(uchar, uint)
MUL_HI(short, int)
MUL_HI(ushort, uint)
MUL_HI(int, long)
MUL_HI(uint, ulong)
MUL_HI(long, __int128)
MUL_HI(ulong, unsigned __int128)

#define MAD_HI(T)                                                                                  \
    BUILTIN T mad_hi(T a, T b, T c) { return mul_hi(a, b) + c; }                                   \
    MAP2(mul_hi, T, T, T)                                                                          \
    MAP3(mad_hi, T, T, T, T)
INTEGER_TYPES(MAD_HI)

/* Saturation: the exact result, held to the type's range. W holds sums, V holds a * b + c. */
#define SATURATED(T, W, V, LEAST, MOST)                                                            \
    BUILTIN T add_sat(T a, T b) { return (T)clamp((W)a + (W)b, (W)LEAST, (W)MOST); }               \
    BUILTIN T sub_sat(T a, T b) { return (T)clamp((W)a - (W)b, (W)LEAST, (W)MOST); }               \
    BUILTIN T mad_sat(T a, T b, T c) { return (T)clamp((V)a * (V)b + (V)c, (V)LEAST, (V)MOST); }
SATURATED(char, int, int, -128, 127)
SATURATED(uchar, int, int, 0, 255)
SATURATED(short, int, long, -32768, 32767)
SATURATED(ushort, int, long, 0, 65535)
SATURATED(int, long, long, -2147483648, 2147483647)
SATURATED(uint, long, ulong, 0, 4294967295)

#define LONG_MOST  0x7fffffffffffffff
#define LONG_LEAST (-LONG_MOST - 1)
BUILTIN long add_sat(long a, long b)
{
    long sum;
    return !__builtin_add_overflow(a, b, &sum) ? sum : b < 0 ? LONG_LEAST : LONG_MOST;
}
BUILTIN long sub_sat(long a, long b)
{
    long difference;
    return !__builtin_sub_overflow(a, b, &difference) ? difference : b < 0 ? LONG_MOST : LONG_LEAST;
}
BUILTIN ulong add_sat(ulong a, ulong b) { return a + b < a ? ~0ul : a + b; }
BUILTIN ulong sub_sat(ulong a, ulong b) { return a < b ? 0 : a - b; }
BUILTIN ulong mad_sat(ulong a, ulong b, ulong c)
{
    const ulong low = a * b + c;
    return mul_hi(a, b) + (low < c) != 0 ? ~0ul : low;
}
/* In 128 bits: high and low of a * b, plus c with its sign. */
BUILTIN long mad_sat(long a, long b, long c)
{
    const ulong low = (ulong)a * (ulong)b + (ulong)c;
    const long high = mul_hi(a, b) + (c >> 63) + (low < (ulong)c);
    return high == (long)low >> 63 ? (long)low : high < 0 ? LONG_LEAST : LONG_MOST;
}

#define MAP_SATURATED(T)                                                                           \
    MAP2(add_sat, T, T, T)                                                                         \
    MAP2(sub_sat, T, T, T)                                                                         \
    MAP3(mad_sat, T, T, T, T)
INTEGER_TYPES(MAP_SATURATED)

/* Counts. U is T's unsigned type; W is what the machine counts in. */

#define COUNTS(T, U, W, count_ones, count_zeros)                                                   \
    BUILTIN T popcount(T a) { return (T)count_ones((U)a); }                                        \
    BUILTIN T clz(T a)                                                                             \
    {                                                                                              \
        const int width = sizeof(T) * 8, surplus = sizeof(W) * 8 - width;                          \
        return (T)(a ? count_zeros((U)a) - surplus : width);                                       \
    }                                                                                              \
    MAP1(popcount, T, T)                                                                           \
    MAP1(clz, T, T)

COUNTS(char, uchar, uint, __builtin_popcount, __builtin_clz)
COUNTS(uchar, uchar, uint, __builtin_popcount, __builtin_clz)
COUNTS(short, ushort, uint, __builtin_popcount, __builtin_clz)
COUNTS(ushort, ushort, uint, __builtin_popcount, __builtin_clz)
COUNTS(int, uint, uint, __builtin_popcount, __builtin_clz)
COUNTS(uint, uint, uint, __builtin_popcount, __builtin_clz)
COUNTS(long, ulong, ulong, __builtin_popcountl, __builtin_clzl)
COUNTS(ulong, ulong, ulong, __builtin_popcountl, __builtin_clzl)

/* Rotation: the machine shifts pairs of 32 bits. */
BUILTIN uint shifted_pair(uint high, uint low, uint n)
{
    uint result;
    __asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(n));
    return result;
}
BUILTIN uint rotate(uint a, uint n) { return shifted_pair(a, a, n); }
BUILTIN int rotate(int a, int n) { return (int)rotate((uint)a, (uint)n); }
BUILTIN ulong rotate(ulong a, ulong n)
{
    const ulong b = n & 32 ? a << 32 | a >> 32 : a;
    const uint high = (uint)(b >> 32), low = (uint)b;
    return (ulong)shifted_pair(high, low, (uint)n) << 32 | shifted_pair(low, high, (uint)n);
}
BUILTIN long rotate(long a, long n) { return (long)rotate((ulong)a, (ulong)n); }
#define ROTATE_NARROW(T, U)                                                                        \
    BUILTIN T rotate(T a, T n)                                                                     \
    {                                                                                              \
        const uint width = sizeof(T) * 8, left = (uint)n & (width - 1);                            \
        return (T)((uint)(U)a << left | (uint)(U)a >> (width - left));                             \
    }
ROTATE_NARROW(char, uchar)
ROTATE_NARROW(uchar, uchar)
ROTATE_NARROW(short, ushort)
ROTATE_NARROW(ushort, ushort)
#define MAP_ROTATE(T) MAP2(rotate, T, T, T)
INTEGER_TYPES(MAP_ROTATE)

/* W is twice as wide as the operands. */
#define UPSAMPLE(W, T, U)                                                                          \
    BUILTIN W upsample(T high, U low) { return (W)((W)high << (sizeof(U) * 8)) | (W)low; }         \
    MAP2(upsample, W, T, U)
UPSAMPLE(short, char, uchar)
UPSAMPLE(ushort, uchar, uchar)
UPSAMPLE(int, short, ushort)
UPSAMPLE(uint, ushort, ushort)
UPSAMPLE(long, int, uint)
UPSAMPLE(ulong, uint, uint)

/* Operands within 24 bits, or the result is undefined. */
BUILTIN int mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
BUILTIN uint mul24(uint a, uint b) { return __nvvm_mul24_ui(a, b); }
#define MAD24(T)                                                                                   \
    BUILTIN T mad24(T a, T b, T c) { return mul24(a, b) + c; }                                     \
    MAP2(mul24, T, T, T)                                                                           \
    MAP3(mad24, T, T, T, T)
MAD24(int)
MAD24(uint)

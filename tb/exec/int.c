/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/int.c: integer arithmetic. PTX ISA, "Integer Arithmetic Instructions". What PTX leaves
 * open: a division by zero gives all ones, quotient and remainder alike, as the hardware's division
 * routine does; the most negative number divided by -1 gives itself, remainder 0. */
#include "tb/exec/op.h"

/* Upper halves of products. */
static inline uint32_t high_U16(uint32_t a, uint32_t b)
{
    return a * b >> 16;
}
static inline int32_t high_S16(int32_t a, int32_t b)
{
    return a * b >> 16;
}
static inline uint32_t high_U32(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)a * b >> 32);
}
static inline int32_t high_S32(int32_t a, int32_t b)
{
    return (int32_t)((int64_t)a * b >> 32);
}
static inline uint64_t high_U64(uint64_t a, uint64_t b)
{
    return (uint64_t)((unsigned __int128)a * b >> 64);
}
static inline int64_t high_S64(int64_t a, int64_t b)
{
    return (int64_t)((__int128)a * b >> 64);
}

/* 48-bit products of the low 24 bits. */
static inline uint64_t product24_U32(uint32_t a, uint32_t b)
{
    return (uint64_t)(a & 0xffffff) * (b & 0xffffff);
}
static inline int64_t product24_S32(int32_t a, int32_t b)
{
    return (int64_t)((int32_t)((uint32_t)a << 8) >> 8) * ((int32_t)((uint32_t)b << 8) >> 8);
}

static inline int32_t saturate(int64_t x)
{
    return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : (int32_t)x;
}

/* dp4a, dp2a: products of the parts of a and b, which have their signs, added up in 32 bits. */
typedef uint8_t byte_U32;
typedef int8_t byte_S32;
typedef uint16_t half_U32;
typedef int16_t half_S32;
#define DOT(A, B)                                                                                  \
    static inline uint32_t dot4_##A##_##B(uint32_t a, uint32_t b, uint32_t sum)                    \
    {                                                                                              \
        for (int n = 0; n < 4; n++) {                                                              \
            sum += (uint32_t)((byte_##A)(a >> 8 * n) * (byte_##B)(b >> 8 * n));                    \
        }                                                                                          \
        return sum;                                                                                \
    }                                                                                              \
    static inline uint32_t dot2_##A##_##B(uint32_t a, uint32_t b, uint32_t sum)                    \
    {                                                                                              \
        for (int n = 0; n < 2; n++) {                                                              \
            sum += (uint32_t)((half_##A)(a >> 16 * n) * (byte_##B)(b >> 8 * n));                   \
        }                                                                                          \
        return sum;                                                                                \
    }
#define DOT_TYPES(X) X(U32, U32) X(U32, S32) X(S32, U32) X(S32, S32)
DOT_TYPES(DOT)

/* Lists of X(op, mod, type, types of result and operands, expression). Each expression may name the
 * operands a b c and the operation's own type through a list macro: WIDTHS are the three widths
 * where the sign does not matter, INTEGERS the six types where it does. Signed operands are
 * declared unsigned where a sum must wrap. */
#define WIDTHS(X, op, mod, e)                                                                      \
    X(op, mod, B16, B16, B16, B16, B16, e)                                                         \
    X(op, mod, B32, B32, B32, B32, B32, e)                                                         \
    X(op, mod, B64, B64, B64, B64, B64, e)
#define INTEGERS(X, op, mod, e)                                                                    \
    X(op, mod, U16, U16, U16, U16, U16, e)                                                         \
    X(op, mod, S16, S16, S16, S16, S16, e)                                                         \
    X(op, mod, U32, U32, U32, U32, U32, e)                                                         \
    X(op, mod, S32, S32, S32, S32, S32, e)                                                         \
    X(op, mod, U64, U64, U64, U64, U64, e)                                                         \
    X(op, mod, S64, S64, S64, S64, S64, e)

#define INT_UNARY_LIST(X)                                                                          \
    X(NEG, ANY, B16, B16, B16, 0 - a)                                                              \
    X(NEG, ANY, B32, B32, B32, 0 - a)                                                              \
    X(NEG, ANY, B64, B64, B64, 0 - a)                                                              \
    X(ABS, ANY, S16, S16, S16, a < 0 ? 0 - (bits_S16)a : (bits_S16)a)                              \
    X(ABS, ANY, S32, S32, S32, a < 0 ? 0 - (bits_S32)a : (bits_S32)a)                              \
    X(ABS, ANY, S64, S64, S64, a < 0 ? 0 - (bits_S64)a : (bits_S64)a)

#define INT_BINARY_LIST(X)                                                                         \
    WIDTHS(X, ADD, ANY, a + b)                                                                     \
    WIDTHS(X, SUB, ANY, a - b)                                                                     \
    WIDTHS(X, MUL, HALF_LO, (a * b))                                                               \
    INTEGERS(X, MIN, ANY, a < b ? a : b)                                                           \
    INTEGERS(X, MAX, ANY, a > b ? a : b)                                                           \
    X(MUL, HALF_HI, U16, U16, U16, U16, U16, high_U16(a, b))                                       \
    X(MUL, HALF_HI, S16, S16, S16, S16, S16, high_S16(a, b))                                       \
    X(MUL, HALF_HI, U32, U32, U32, U32, U32, high_U32(a, b))                                       \
    X(MUL, HALF_HI, S32, S32, S32, S32, S32, high_S32(a, b))                                       \
    X(MUL, HALF_HI, U64, U64, U64, U64, U64, high_U64(a, b))                                       \
    X(MUL, HALF_HI, S64, S64, S64, S64, S64, high_S64(a, b))                                       \
    X(MUL, HALF_WIDE, U16, U32, U16, U16, U16, (a * b))                                            \
    X(MUL, HALF_WIDE, S16, S32, S16, S16, S16, (a * b))                                            \
    X(MUL, HALF_WIDE, U32, U64, U32, U32, U32, ((uint64_t)a * b))                                  \
    X(MUL, HALF_WIDE, S32, S64, S32, S32, S32, ((int64_t)a * b))                                   \
    X(MUL24, HALF_LO, U32, U32, U32, U32, U32, product24_U32(a, b))                                \
    X(MUL24, HALF_LO, S32, S32, S32, S32, S32, product24_S32(a, b))                                \
    X(MUL24, HALF_HI, U32, U32, U32, U32, U32, product24_U32(a, b) >> 16)                          \
    X(MUL24, HALF_HI, S32, S32, S32, S32, S32, product24_S32(a, b) >> 16)

#define INT_TERNARY_LIST(X)                                                                        \
    WIDTHS(X, MAD, HALF_LO, (a * b) + c)                                                           \
    X(MAD, HALF_HI, U16, U16, U16, U16, U16, high_U16(a, b) + c)                                   \
    X(MAD, HALF_HI, S16, S16, S16, S16, U16, (bits_S16)high_S16(a, b) + c)                         \
    X(MAD, HALF_HI, U32, U32, U32, U32, U32, high_U32(a, b) + c)                                   \
    X(MAD, HALF_HI, S32, S32, S32, S32, U32, (bits_S32)high_S32(a, b) + c)                         \
    X(MAD, HALF_HI, U64, U64, U64, U64, U64, high_U64(a, b) + c)                                   \
    X(MAD, HALF_HI, S64, S64, S64, S64, U64, (bits_S64)high_S64(a, b) + c)                         \
    X(MAD, HALF_WIDE, U16, U32, U16, U16, U32, (a * b) + c)                                        \
    X(MAD, HALF_WIDE, S16, U32, S16, S16, U32, (bits_S32)(a * b) + c)                              \
    X(MAD, HALF_WIDE, U32, U64, U32, U32, U64, ((uint64_t)a * b) + c)                              \
    X(MAD, HALF_WIDE, S32, U64, S32, S32, U64, (bits_S64)((int64_t)a * b) + c)                     \
    X(MAD24, HALF_LO, U32, U32, U32, U32, U32, product24_U32(a, b) + c)                            \
    X(MAD24, HALF_LO, S32, U32, S32, S32, U32, (bits_S64)product24_S32(a, b) + c)                  \
    X(MAD24, HALF_HI, U32, U32, U32, U32, U32, (product24_U32(a, b) >> 16) + c)                    \
    X(MAD24, HALF_HI, S32, U32, S32, S32, U32, (bits_S64)(product24_S32(a, b) >> 16) + c)          \
    INTEGERS(X, SAD, ANY, (uint64_t)(a < b ? b : a) - (uint64_t)(a < b ? a : b) + (uint64_t)c)

/* .sat exists for .s32 only. */
#define SATURATING_LIST(X)                                                                         \
    X(ADD, ANY, SAT, S32, S32, S32, S32, saturate((int64_t)a + b))                                 \
    X(SUB, ANY, SAT, S32, S32, S32, S32, saturate((int64_t)a - b))
#define SATURATING_MAD_LIST(X)                                                                     \
    X(MAD, HALF_HI, SAT, S32, S32, S32, S32, saturate((int64_t)high_S32(a, b) + c))                \
    X(MAD24, HALF_HI, SAT, S32, S32, S32, S32, saturate((product24_S32(a, b) >> 16) + c))

/* X(op, mod, types of the parts, expression). */
#define DOT_LIST(X, A, B)                                                                          \
    X(DP4A, ANY, A, B, dot4_##A##_##B(a, b, c))                                                    \
    X(DP2A, HALF_LO, A, B, dot2_##A##_##B(a, b, c))                                                \
    X(DP2A, HALF_HI, A, B, dot2_##A##_##B(a, b >> 16, c))

#define DIVIDE_LIST(X)                                                                             \
    X(U16, 0)                                                                                      \
    X(U32, 0)                                                                                      \
    X(U64, 0)                                                                                      \
    X(S16, b == -1)                                                                                \
    X(S32, b == -1)                                                                                \
    X(S64, b == -1)

#define INT_UNARY(op, mod, T, D, A, e)         DEFINE_UNARY(op##_##mod##_##T, D, A, e)
#define INT_BINARY(op, mod, T, D, A, B, C, e)  DEFINE_BINARY(op##_##mod##_##T, D, A, B, e)
#define INT_TERNARY(op, mod, T, D, A, B, C, e) DEFINE_TERNARY(op##_##mod##_##T, D, A, B, C, e)
/* Division is costly and cannot be vectorised: active lanes only. By -1 it is a negation, unsigned
 * so that it wraps. */
#define DIVIDE(T, by_minus_one)                                                                    \
    static inline bits_##T quotient_##T(value_##T a, value_##T b)                                  \
    {                                                                                              \
        return (bits_##T)(b == 0         ? ~(bits_##T)0                                            \
                          : by_minus_one ? 0 - (bits_##T)a                                         \
                                         : (bits_##T)(a / b));                                     \
    }                                                                                              \
    static inline bits_##T remainder_##T(value_##T a, value_##T b)                                 \
    {                                                                                              \
        return (bits_##T)(b == 0 ? ~(bits_##T)0 : by_minus_one ? 0 : (bits_##T)(a % b));           \
    }                                                                                              \
    DEFINE_BINARY_SPARSE(DIV_##T, T, T, T, quotient_##T(a, b))                                     \
    DEFINE_BINARY_SPARSE(REM_##T, T, T, T, remainder_##T(a, b))
/* Extended precision: X(op, mod, type, unsigned type, one twice as wide, expression). The carry is
 * the bit above the result; of a difference it is the borrow. */
#define CARRY_LIST(X)                                                                              \
    X(ADDC, ANY, B32, U32, uint64_t, (wide)a + b + carry)                                          \
    X(ADDC, ANY, B64, U64, unsigned __int128, (wide)a + b + carry)                                 \
    X(SUBC, ANY, B32, U32, uint64_t, (wide)a - b - carry)                                          \
    X(SUBC, ANY, B64, U64, unsigned __int128, (wide)a - b - carry)                                 \
    X(MADC, HALF_LO, B32, U32, uint64_t, (wide)(bits_B32)(a * b) + c + carry)                      \
    X(MADC, HALF_LO, B64, U64, unsigned __int128, (wide)(bits_B64)(a * b) + c + carry)             \
    X(MADC, HALF_HI, U32, U32, uint64_t, (wide)high_U32(a, b) + c + carry)                         \
    X(MADC, HALF_HI, S32, U32, uint64_t, (wide)(bits_S32)high_S32(a, b) + c + carry)               \
    X(MADC, HALF_HI, U64, U64, unsigned __int128, (wide)high_U64(a, b) + c + carry)                \
    X(MADC, HALF_HI, S64, U64, unsigned __int128, (wide)(bits_S64)high_S64(a, b) + c + carry)
#define CARRY(op, mod, T, U, wider, e)                                                             \
    static void op##_##mod##_##T(OP_ARGUMENTS)                                                     \
    {                                                                                              \
        typedef wider wide;                                                                        \
        SOURCE(T, a, 0);                                                                           \
        SOURCE(T, b, 1);                                                                           \
        SOURCE(U, c, u->src[2] == UOP_NONE ? 1 : 2);                                               \
        const uint32_t in = u->src[3] == UOP_NONE ? 0 : exec_predicate(w, u->src[3]);              \
        uint32_t out = 0;                                                                          \
        slot_##T *const d = exec_target(w, u->dst[0]);                                             \
        uint32_t rest = mask;                                                                      \
        FOR_ACTIVE(rest, i)                                                                        \
        {                                                                                          \
            VALUE(T, a);                                                                           \
            VALUE(T, b);                                                                           \
            VALUE(U, c);                                                                           \
            const uint32_t carry = in >> i & 1;                                                    \
            const wide sum = (e);                                                                  \
            (void)c;                                                                               \
            d[i] = (bits_##T)sum;                                                                  \
            out |= (uint32_t)(sum >> 8 * sizeof(bits_##T) & 1) << i;                               \
        }                                                                                          \
        if (u->dst[1] != UOP_NONE) {                                                               \
            exec_set_predicate(w, u->dst[1], mask, out);                                           \
        }                                                                                          \
    }
CARRY_LIST(CARRY)

INT_UNARY_LIST(INT_UNARY)
INT_BINARY_LIST(INT_BINARY)
INT_TERNARY_LIST(INT_TERNARY)
SATURATING_LIST(INT_BINARY)
SATURATING_MAD_LIST(INT_TERNARY)
#define DOT_TERNARY(op, mod, A, B, e) DEFINE_TERNARY(op##_##mod##_##A##_##B, B32, B32, B32, B32, e)
#define DOT_TERNARIES(A, B)           DOT_LIST(DOT_TERNARY, A, B)
DOT_TYPES(DOT_TERNARIES)
DIVIDE_LIST(DIVIDE)

#define INT_FORM(op, mod, T, ...)        {U_##op, T_##T, ANY, mod, 0, op##_##mod##_##T},
#define SATURATING_FORM(op, mod, T, ...) {U_##op, T_S32, ANY, mod, CAN_SATURATE, op##_##mod##_SAT},
#define DOT_FORM(op, mod, A, B, e)       {U_##op, T_##A, T_##B, mod, 0, op##_##mod##_##A##_##B},
#define DOT_FORMS(A, B)                  DOT_LIST(DOT_FORM, A, B)
#define DIVIDE_FORM(T, ...)                                                                        \
    {U_DIV, T_##T, ANY, ANY, 0, DIV_##T}, {U_REM, T_##T, ANY, ANY, 0, REM_##T},
/* clang-format off */
static const struct exec_form int_forms[] = {
    INT_UNARY_LIST(INT_FORM) INT_BINARY_LIST(INT_FORM) INT_TERNARY_LIST(INT_FORM)
    DIVIDE_LIST(DIVIDE_FORM) CARRY_LIST(INT_FORM) SATURATING_LIST(SATURATING_FORM) SATURATING_MAD_LIST(SATURATING_FORM)
    DOT_TYPES(DOT_FORMS)
};
/* clang-format on */
EXPORT_FORMS(exec_int, int_forms)

/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/sm/exec_int_test.c: tests tb/sm/exec_int.c against the same arithmetic in 128 bits, cut
 * at the end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/tb/sm/exec_support.h"

typedef __int128 wide;
#define U(bits, x)  ((wide)(uint##bits##_t)(x))
#define S(bits, x)  ((wide)(int##bits##_t)(x))
#define LEAST(x, y) ((x) < (y) ? (x) : (y))
#define MOST(x, y)  ((x) < (y) ? (y) : (x))

static wide quotient(wide a, wide b)
{
    if (b == 0)
        return -1;
    wide size = (a < 0 ? -a : a) / (b < 0 ? -b : b);
    return (a < 0) == (b < 0) ? size : -size;
}

static wide remainder_of(wide a, wide b)
{
    return b == 0 ? -1 : a - quotient(a, b) * b;
}

static wide saturated(wide x)
{
    return MOST(LEAST(x, INT32_MAX), INT32_MIN);
}

static wide low24(uint64_t x)
{
    return (wide)(x % 0x1000000);
}

static wide signed24(uint64_t x)
{
    return low24(x) >= 0x800000 ? low24(x) - 0x1000000 : low24(x);
}

/* All that holds for one width: t its register, D the register twice as wide. */
#define ARITHMETIC(X, bits, t, V)                                                                  \
    ROW2(X, add_u##bits, "add.u" #bits, t, V, U(bits, a) + U(bits, b))                             \
    ROW2(X, add_s##bits, "add.s" #bits, t, V, S(bits, a) + S(bits, b))                             \
    ROW2(X, sub_u##bits, "sub.u" #bits, t, V, U(bits, a) - U(bits, b))                             \
    ROW2(X, sub_s##bits, "sub.s" #bits, t, V, S(bits, a) - S(bits, b))                             \
    ROW2(X, mul_lo_u##bits, "mul.lo.u" #bits, t, V, U(64, (a * b)))                                \
    ROW2(X, mul_lo_s##bits, "mul.lo.s" #bits, t, V, U(64, (a * b)))                                \
    ROW2(X, mul_hi_u##bits, "mul.hi.u" #bits, t, V,                                                \
         (unsigned __int128)U(bits, a) * (unsigned __int128)U(bits, b) >> bits)                    \
    ROW2(X, mul_hi_s##bits, "mul.hi.s" #bits, t, V, S(bits, a) * S(bits, b) >> bits)               \
    ROW3(X, mad_lo_s##bits, "mad.lo.s" #bits, t, V, U(64, (a * b) + c))                            \
    ROW3(X, mad_lo_u##bits, "mad.lo.u" #bits, t, V, U(64, (a * b) + c))                            \
    ROW3(X, mad_hi_u##bits, "mad.hi.u" #bits, t, V,                                                \
         ((unsigned __int128)U(bits, a) * (unsigned __int128)U(bits, b) >> bits) + c)              \
    ROW3(X, mad_hi_s##bits, "mad.hi.s" #bits, t, V, (S(bits, a) * S(bits, b) >> bits) + c)         \
    ROW2(X, div_u##bits, "div.u" #bits, t, V, quotient(U(bits, a), U(bits, b)))                    \
    ROW2(X, div_s##bits, "div.s" #bits, t, V, quotient(S(bits, a), S(bits, b)))                    \
    ROW2(X, rem_u##bits, "rem.u" #bits, t, V, remainder_of(U(bits, a), U(bits, b)))                \
    ROW2(X, rem_s##bits, "rem.s" #bits, t, V, remainder_of(S(bits, a), S(bits, b)))                \
    ROW2(X, min_u##bits, "min.u" #bits, t, V, LEAST(U(bits, a), U(bits, b)))                       \
    ROW2(X, min_s##bits, "min.s" #bits, t, V, LEAST(S(bits, a), S(bits, b)))                       \
    ROW2(X, max_u##bits, "max.u" #bits, t, V, MOST(U(bits, a), U(bits, b)))                        \
    ROW2(X, max_s##bits, "max.s" #bits, t, V, MOST(S(bits, a), S(bits, b)))                        \
    ROW3(X, sad_u##bits, "sad.u" #bits, t, V,                                                      \
         MOST(U(bits, a), U(bits, b)) - LEAST(U(bits, a), U(bits, b)) + c)                         \
    ROW3(X, sad_s##bits, "sad.s" #bits, t, V,                                                      \
         MOST(S(bits, a), S(bits, b)) - LEAST(S(bits, a), S(bits, b)) + c)                         \
    ROW1(X, neg_s##bits, "neg.s" #bits, t, V, -S(bits, a))                                         \
    ROW1(X, abs_s##bits, "abs.s" #bits, t, V, MOST(S(bits, a), -S(bits, a)))

#define WIDTH16(X) ARITHMETIC(X, 16, h, I16)
#define WIDTH32(X) ARITHMETIC(X, 32, r, I32)
#define WIDTH64(X) ARITHMETIC(X, 64, d, I64)

#define OTHERS(X)                                                                                  \
    X(mul_wide_u16, "mul.wide.u16 %r0, %h1, %h2", r, I16, I16, ONE, ONE, U(16, a) * U(16, b))      \
    X(mul_wide_s16, "mul.wide.s16 %r0, %h1, %h2", r, I16, I16, ONE, ONE, S(16, a) * S(16, b))      \
    X(mul_wide_u32, "mul.wide.u32 %d0, %r1, %r2", d, I32, I32, ONE, ONE, U(32, a) * U(32, b))      \
    X(mul_wide_s32, "mul.wide.s32 %d0, %r1, %r2", d, I32, I32, ONE, ONE, S(32, a) * S(32, b))      \
    X(mad_wide_u16, "mad.wide.u16 %r0, %h1, %h2, %r3", r, I16, I16, I32, ONE,                      \
      U(16, a) * U(16, b) + c)                                                                     \
    X(mad_wide_s16, "mad.wide.s16 %r0, %h1, %h2, %r3", r, I16, I16, I32, ONE,                      \
      S(16, a) * S(16, b) + c)                                                                     \
    X(mad_wide_u32, "mad.wide.u32 %d0, %r1, %r2, %d3", d, I32, I32, I64, ONE,                      \
      U(32, a) * U(32, b) + c)                                                                     \
    X(mad_wide_s32, "mad.wide.s32 %d0, %r1, %r2, %d3", d, I32, I32, I64, ONE,                      \
      S(32, a) * S(32, b) + c)                                                                     \
    ROW2(X, add_sat, "add.sat.s32", r, I32, saturated(S(32, a) + S(32, b)))                        \
    ROW2(X, sub_sat, "sub.sat.s32", r, I32, saturated(S(32, a) - S(32, b)))                        \
    ROW3(X, mad_hi_sat, "mad.hi.sat.s32", r, I32,                                                  \
         saturated((S(32, a) * S(32, b) >> 32) + S(32, c)))                                        \
    ROW2(X, mul24_lo_u, "mul24.lo.u32", r, I32, low24(a) * low24(b))                               \
    ROW2(X, mul24_hi_u, "mul24.hi.u32", r, I32, low24(a) * low24(b) >> 16)                         \
    ROW2(X, mul24_lo_s, "mul24.lo.s32", r, I32, signed24(a) * signed24(b))                         \
    ROW2(X, mul24_hi_s, "mul24.hi.s32", r, I32, signed24(a) * signed24(b) >> 16)                   \
    ROW3(X, mad24_lo_u, "mad24.lo.u32", r, I32, low24(a) * low24(b) + c)                           \
    ROW3(X, mad24_hi_u, "mad24.hi.u32", r, I32, (low24(a) * low24(b) >> 16) + c)                   \
    ROW3(X, mad24_lo_s, "mad24.lo.s32", r, I32, signed24(a) * signed24(b) + c)                     \
    ROW3(X, mad24_hi_s, "mad24.hi.s32", r, I32, (signed24(a) * signed24(b) >> 16) + c)             \
    ROW3(X, mad24_hi_sat, "mad24.hi.sat.s32", r, I32,                                              \
         saturated((signed24(a) * signed24(b) >> 16) + S(32, c)))                                  \
    X(add_same, "add.s32 %r0, %r1, %r1", r, I32, ONE, ONE, ONE, a + a)                             \
    X(add_onto, "add.s32 %r0, %r0, %r1", r, I32, ONE, ONE, ONE, 0xc33cc33c + a)                    \
    X(add_constant, "add.s64 %d0, %d1, -3", d, I64, ONE, ONE, ONE, a - 3)                          \
    X(add_constant16, "add.s16 %h0, %h1, -3", h, I16, ONE, ONE, ONE, a - 3)

CHECK_TABLE(WIDTH16)
CHECK_TABLE(WIDTH32)
CHECK_TABLE(WIDTH64)
CHECK_TABLE(OTHERS)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(WIDTH16_test),
        cmocka_unit_test(WIDTH32_test),
        cmocka_unit_test(WIDTH64_test),
        cmocka_unit_test(OTHERS_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

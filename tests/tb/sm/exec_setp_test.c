/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/sm/exec_setp_test.c: tests tb/sm/exec_setp.c: all comparisons of all types, NaNs,
 * combined predicates. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/tb/sm/exec_support.h"

#define U(bits, x) ((uint##bits##_t)(x))
#define S(bits, x) ((int##bits##_t)(x))

#define COMPARE(X, name, op, t, V, value)                                                          \
    X(name, op " %p0, %" #t "1, %" #t "2", p, V, V, ONE, ONE, value)

#define INTEGERS(X, bits, t, V)                                                                    \
    COMPARE(X, eq_b##bits, "setp.eq.b" #bits, t, V, U(bits, a) == U(bits, b))                      \
    COMPARE(X, ne_b##bits, "setp.ne.b" #bits, t, V, U(bits, a) != U(bits, b))                      \
    COMPARE(X, eq_u##bits, "setp.eq.u" #bits, t, V, U(bits, a) == U(bits, b))                      \
    COMPARE(X, ne_s##bits, "setp.ne.s" #bits, t, V, S(bits, a) != S(bits, b))                      \
    COMPARE(X, lt_u##bits, "setp.lt.u" #bits, t, V, U(bits, a) < U(bits, b))                       \
    COMPARE(X, le_u##bits, "setp.le.u" #bits, t, V, U(bits, a) <= U(bits, b))                      \
    COMPARE(X, gt_u##bits, "setp.gt.u" #bits, t, V, U(bits, a) > U(bits, b))                       \
    COMPARE(X, ge_u##bits, "setp.ge.u" #bits, t, V, U(bits, a) >= U(bits, b))                      \
    COMPARE(X, lt_s##bits, "setp.lt.s" #bits, t, V, S(bits, a) < S(bits, b))                       \
    COMPARE(X, le_s##bits, "setp.le.s" #bits, t, V, S(bits, a) <= S(bits, b))                      \
    COMPARE(X, gt_s##bits, "setp.gt.s" #bits, t, V, S(bits, a) > S(bits, b))                       \
    COMPARE(X, ge_s##bits, "setp.ge.s" #bits, t, V, S(bits, a) >= S(bits, b))                      \
    COMPARE(X, lo_u##bits, "setp.lo.u" #bits, t, V, U(bits, a) < U(bits, b))                       \
    COMPARE(X, hs_u##bits, "setp.hs.u" #bits, t, V, U(bits, a) >= U(bits, b))

/* x and y are the operands as floats. An ordered comparison needs two numbers, an unordered one is
 * true without. */
#define FLOATS(X, name, type, t, V, x, y)                                                          \
    COMPARE(X, name##_eq, "setp.eq." type, t, V, !isunordered(x, y) && x == y)                     \
    COMPARE(X, name##_ne, "setp.ne." type, t, V, !isunordered(x, y) && x != y)                     \
    COMPARE(X, name##_lt, "setp.lt." type, t, V, !isunordered(x, y) && x < y)                      \
    COMPARE(X, name##_le, "setp.le." type, t, V, !isunordered(x, y) && x <= y)                     \
    COMPARE(X, name##_gt, "setp.gt." type, t, V, !isunordered(x, y) && x > y)                      \
    COMPARE(X, name##_ge, "setp.ge." type, t, V, !isunordered(x, y) && x >= y)                     \
    COMPARE(X, name##_equ, "setp.equ." type, t, V, isunordered(x, y) || x == y)                    \
    COMPARE(X, name##_neu, "setp.neu." type, t, V, isunordered(x, y) || x != y)                    \
    COMPARE(X, name##_ltu, "setp.ltu." type, t, V, isunordered(x, y) || x < y)                     \
    COMPARE(X, name##_leu, "setp.leu." type, t, V, isunordered(x, y) || x <= y)                    \
    COMPARE(X, name##_gtu, "setp.gtu." type, t, V, isunordered(x, y) || x > y)                     \
    COMPARE(X, name##_geu, "setp.geu." type, t, V, isunordered(x, y) || x >= y)                    \
    COMPARE(X, name##_num, "setp.num." type, t, V, !isnan(x) && !isnan(y))                         \
    COMPARE(X, name##_nan, "setp.nan." type, t, V, isnan(x) || isnan(y))

static float flushed(uint64_t bits)
{
    float x = float_of(bits);
    return fpclassify(x) == FP_SUBNORMAL ? 0 : x;
}

#define COMBINED(X)                                                                                \
    X(and_p, "setp.lt.and.s32 %p0, %r1, %r2, %p3", p, I32, I32, BITS, ONE,                         \
      S(32, a) < S(32, b) && c)                                                                    \
    X(or_p, "setp.lt.or.s32 %p0, %r1, %r2, %p3", p, I32, I32, BITS, ONE, S(32, a) < S(32, b) || c) \
    X(xor_p, "setp.lt.xor.s32 %p0, %r1, %r2, %p3", p, I32, I32, BITS, ONE,                         \
      (S(32, a) < S(32, b)) != c)                                                                  \
    X(and_not, "setp.lt.and.s32 %p0, %r1, %r2, !%p3", p, I32, I32, BITS, ONE,                      \
      S(32, a) < S(32, b) && !c)                                                                   \
    X(or_not, "setp.lt.or.f32 %p0, %f1, %f2, !%p3", p, F32, F32, BITS, ONE,                        \
      float_of(a) < float_of(b) || !c)                                                             \
    X(first, "setp.lt.s32 %p0|%p5, %r1, %r2", p, I32, I32, ONE, ONE, S(32, a) < S(32, b))          \
    X(second, "setp.lt.s32 %p5|%p0, %r1, %r2", p, I32, I32, ONE, ONE, !(S(32, a) < S(32, b)))      \
    X(second_nan, "setp.lt.f64 %p5|%p0, %g1, %g2", p, F64, F64, ONE, ONE,                          \
      !(double_of(a) < double_of(b)))                                                              \
    X(second_and, "setp.lt.and.s32 %p5|%p0, %r1, %r2, %p3", p, I32, I32, BITS, ONE,                \
      !(S(32, a) < S(32, b)) && c)                                                                 \
    X(second_or, "setp.lt.or.s32 %p5|%p0, %r1, %r2, %p3", p, I32, I32, BITS, ONE,                  \
      !(S(32, a) < S(32, b)) || c)                                                                 \
    X(second_xor, "setp.lt.xor.s32 %p5|%p0, %r1, %r2, %p3", p, I32, I32, BITS, ONE,                \
      (S(32, a) >= S(32, b)) != c)                                                                 \
    X(itself, "setp.gt.and.u32 %p0, %r1, %r2, %p0", p, I32, I32, ONE, ONE, 0)

#define WIDTH16(X) INTEGERS(X, 16, h, I16)
#define WIDTH32(X) INTEGERS(X, 32, r, I32)
#define WIDTH64(X) INTEGERS(X, 64, d, I64)
#define SINGLE(X)  FLOATS(X, f32, "f32", f, F32, float_of(a), float_of(b))
#define DOUBLE(X)  FLOATS(X, f64, "f64", g, F64, double_of(a), double_of(b))
#define FLUSHED(X)                                                                                 \
    X(ftz_lt, "setp.lt.ftz.f32 %p0, %f1, %f2", p, F32, F32, ONE, ONE, flushed(a) < flushed(b))     \
    X(ftz_eq, "setp.eq.ftz.f32 %p0, %f1, %f2", p, F32, F32, ONE, ONE, flushed(a) == flushed(b))    \
    X(ftz_neu, "setp.neu.ftz.f32 %p0, %f1, %f2", p, F32, F32, ONE, ONE, flushed(a) != flushed(b))  \
    X(ftz_gtu, "setp.gtu.ftz.f32 %p0, %f1, %f2", p, F32, F32, ONE, ONE, !(flushed(a) <= flushed(b)))

CHECK_TABLE(WIDTH16)
CHECK_TABLE(WIDTH32)
CHECK_TABLE(WIDTH64)
CHECK_TABLE(SINGLE)
CHECK_TABLE(DOUBLE)
CHECK_TABLE(FLUSHED)
CHECK_TABLE(COMBINED)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(WIDTH16_test),  cmocka_unit_test(WIDTH32_test),
        cmocka_unit_test(WIDTH64_test),  cmocka_unit_test(SINGLE_test),
        cmocka_unit_test(DOUBLE_test),   cmocka_unit_test(FLUSHED_test),
        cmocka_unit_test(COMBINED_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

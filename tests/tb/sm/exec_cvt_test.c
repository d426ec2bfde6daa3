/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/sm/exec_cvt_test.c: tests tb/sm/exec_cvt.c: every pair of types, rounding, .sat, .ftz,
 * registers wider than the types. Integers are checked in 128 bits, floats in 113 bits, halves by
 * searching all of them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/tb/sm/exec_support.h"

typedef __int128 wide;
typedef __float128 exact;

/* Integers of 8 to 64 bits, from and to the low bits of a word. */
static wide integer(uint64_t bits, unsigned width, int is_signed)
{
    wide x = (wide)(width == 64 ? bits : bits % (1ull << width));
    return is_signed && x >= (wide)1 << (width - 1) ? x - ((wide)1 << width) : x;
}

static wide saturated(wide x, unsigned width, int is_signed)
{
    wide least = is_signed ? -((wide)1 << (width - 1)) : 0,
         most = ((wide)1 << (is_signed ? width - 1 : width)) - 1;
    return x < least ? least : x > most ? most : x;
}

/* The integer that a float rounds to: n nearest, z toward zero, m down, p up; NaN is 0. */
static wide rounded(double x, char mode, unsigned width, int is_signed)
{
    if (isnan(x))
        return 0;
    if (fabs(x) >= 0x1p65)
        return saturated(x < 0 ? -((wide)1 << 66) : (wide)1 << 66, width, is_signed);
    wide down = (wide)x;
    if ((exact)down > (exact)x)
        down--;
    exact rest = (exact)x - (exact)down;
    int up = mode == 'p'   ? rest > 0
             : mode == 'z' ? x < 0 && rest > 0
                           : mode == 'n' && (rest > 0.5 || (rest == 0.5 && (down & 1)));
    return saturated(down + up, width, is_signed);
}

/* The float next to an exact value in the direction of `mode`, `nearest` being the nearest one. */
static double moved(exact x, double nearest, char mode, int single)
{
    double to;
    if (mode == 'n' || (exact)nearest == x)
        return nearest;
    if (mode == 'p' ? (exact)nearest < x : mode == 'z' && x < 0 && (exact)nearest < x)
        to = INFINITY;
    else if (mode == 'm' ? (exact)nearest > x : mode == 'z' && x > 0 && (exact)nearest > x)
        to = -INFINITY;
    else
        return nearest;
    return single ? nextafterf((float)nearest, (float)to) : nextafter(nearest, to);
}

static uint64_t single_from_integer(wide x, char mode)
{
    return bits_of_float((float)moved((exact)x, (float)x, mode, 1));
}

static uint64_t double_from_integer(wide x, char mode)
{
    return bits_of_double(moved((exact)x, (double)x, mode, 0));
}

static uint64_t single(float x)
{
    return isnan(x) ? 0x7fffffff : bits_of_float(x);
}

static uint64_t full(double x)
{
    return isnan(x) ? 0x7ff8000000000000 : bits_of_double(x);
}

static uint64_t single_from_double(double x, char mode)
{
    return single(isfinite(x) ? (float)moved(x, (float)x, mode, 1) : (float)x);
}

static float flush(float x)
{
    return fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x;
}

static double saturate(double x)
{
    return isnan(x) || x <= 0 ? 0 : x > 1 ? 1 : x;
}

static double of_half(uint64_t bits)
{
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double x = exponent == 31 ? (fraction ? NAN : INFINITY)
               : exponent     ? (1 + fraction / 1024.0) * exp2(exponent - 15)
                              : fraction / 1024.0 * exp2(-14);
    return bits & 0x8000 ? -x : x;
}

/* Searches the halves of the sign for the largest not above |x|, then rounds. */
static uint64_t half_from(double x, char mode)
{
    uint64_t sign = signbit(x) ? 0x8000 : 0, below = 0;
    if (isnan(x))
        return 0x7fff;
    double size = fabs(x);
    for (uint64_t step = 0x4000; step; step >>= 1)
        if (below + step <= 0x7c00 && of_half(below + step) <= size)
            below += step;
    if (of_half(below) == size)
        return sign | below;
    double top = below == 0x7bff ? 65536 : of_half(below + 1);
    double rest = size - of_half(below), other = top - size;
    int up = mode == 'n'   ? rest > other || (rest == other && (below & 1))
             : mode == 'p' ? !sign
                           : mode == 'm' && sign;
    return sign | (below + (uint64_t)up);
}

#define FA float_of(a)
#define DA double_of(a)

#define CVT(X, name, op, r, s, V, value)                                                           \
    X(name, op " %" #r "0, %" #s "1", r, V, ONE, ONE, ONE, value)

/* What holds for a source x of integer type S: its values V in register s. */
#define FROM(X, S, x, s, V)                                                                        \
    CVT(X, u8_##S, "cvt.u8." #S, h, s, V, x & 0xff)                                                \
    CVT(X, s8_##S, "cvt.s8." #S, r, s, V, integer((uint64_t)x, 8, 1))                              \
    CVT(X, s8_h_##S, "cvt.s8." #S, h, s, V, integer((uint64_t)x, 8, 1))                            \
    CVT(X, s8_d_##S, "cvt.s8." #S, d, s, V, integer((uint64_t)x, 8, 1))                            \
    CVT(X, u16_##S, "cvt.u16." #S, h, s, V, x)                                                     \
    CVT(X, u16_r_##S, "cvt.u16." #S, r, s, V, x & 0xffff)                                          \
    CVT(X, s16_##S, "cvt.s16." #S, h, s, V, x)                                                     \
    CVT(X, s16_r_##S, "cvt.s16." #S, r, s, V, integer((uint64_t)x, 16, 1))                         \
    CVT(X, u32_##S, "cvt.u32." #S, r, s, V, x)                                                     \
    CVT(X, u32_d_##S, "cvt.u32." #S, d, s, V, x & 0xffffffff)                                      \
    CVT(X, s32_##S, "cvt.s32." #S, r, s, V, x)                                                     \
    CVT(X, u64_##S, "cvt.u64." #S, d, s, V, x)                                                     \
    CVT(X, s64_##S, "cvt.s64." #S, d, s, V, x)                                                     \
    CVT(X, u8_sat_##S, "cvt.sat.u8." #S, h, s, V, saturated(x, 8, 0))                              \
    CVT(X, s8_sat_##S, "cvt.sat.s8." #S, h, s, V, saturated(x, 8, 1))                              \
    CVT(X, u16_sat_##S, "cvt.sat.u16." #S, h, s, V, saturated(x, 16, 0))                           \
    CVT(X, s16_sat_##S, "cvt.sat.s16." #S, h, s, V, saturated(x, 16, 1))                           \
    CVT(X, u32_sat_##S, "cvt.sat.u32." #S, r, s, V, saturated(x, 32, 0))                           \
    CVT(X, s32_sat_##S, "cvt.sat.s32." #S, r, s, V, saturated(x, 32, 1))                           \
    CVT(X, u64_sat_##S, "cvt.sat.u64." #S, d, s, V, saturated(x, 64, 0))                           \
    CVT(X, s64_sat_##S, "cvt.sat.s64." #S, d, s, V, saturated(x, 64, 1))                           \
    CVT(X, f32_rn_##S, "cvt.rn.f32." #S, f, s, V, single_from_integer(x, 'n'))                     \
    CVT(X, f32_rz_##S, "cvt.rz.f32." #S, f, s, V, single_from_integer(x, 'z'))                     \
    CVT(X, f32_rm_##S, "cvt.rm.f32." #S, f, s, V, single_from_integer(x, 'm'))                     \
    CVT(X, f32_rp_##S, "cvt.rp.f32." #S, f, s, V, single_from_integer(x, 'p'))                     \
    CVT(X, f64_rn_##S, "cvt.rn.f64." #S, g, s, V, double_from_integer(x, 'n'))                     \
    CVT(X, f64_rz_##S, "cvt.rz.f64." #S, g, s, V, double_from_integer(x, 'z'))                     \
    CVT(X, f64_rm_##S, "cvt.rm.f64." #S, g, s, V, double_from_integer(x, 'm'))                     \
    CVT(X, f64_rp_##S, "cvt.rp.f64." #S, g, s, V, double_from_integer(x, 'p'))                     \
    CVT(X, f16_rn_##S, "cvt.rn.f16." #S, h, s, V, half_from((double)x, 'n'))

/* A float type, and an integer type that it is converted to. */
#define TO(X, D, width, is_signed, t, F, s, V, x)                                                  \
    CVT(X, rni_##D##_##F, "cvt.rni." #D "." #F, t, s, V, rounded(x, 'n', width, is_signed))        \
    CVT(X, rzi_##D##_##F, "cvt.rzi." #D "." #F, t, s, V, rounded(x, 'z', width, is_signed))        \
    CVT(X, rmi_##D##_##F, "cvt.rmi." #D "." #F, t, s, V, rounded(x, 'm', width, is_signed))        \
    CVT(X, rpi_##D##_##F, "cvt.rpi." #D "." #F, t, s, V, rounded(x, 'p', width, is_signed))
#define TO_ALL(X, F, s, V, x)                                                                      \
    TO(X, u8, 8, 0, h, F, s, V, x)                                                                 \
    TO(X, s8, 8, 1, h, F, s, V, x)                                                                 \
    TO(X, u16, 16, 0, h, F, s, V, x)                                                               \
    TO(X, s16, 16, 1, h, F, s, V, x)                                                               \
    TO(X, u32, 32, 0, r, F, s, V, x)                                                               \
    TO(X, s32, 32, 1, r, F, s, V, x)                                                               \
    TO(X, u64, 64, 0, d, F, s, V, x) TO(X, s64, 64, 1, d, F, s, V, x)

#define FROM_U8(X)  FROM(X, u8, integer(a, 8, 0), h, I16)
#define FROM_S8(X)  FROM(X, s8, integer(a, 8, 1), h, I16)
#define FROM_U16(X) FROM(X, u16, integer(a, 16, 0), h, I16)
#define FROM_S16(X) FROM(X, s16, integer(a, 16, 1), h, I16)
#define FROM_U32(X) FROM(X, u32, integer(a, 32, 0), r, I32)
#define FROM_S32(X) FROM(X, s32, integer(a, 32, 1), r, I32)
#define FROM_U64(X) FROM(X, u64, integer(a, 64, 0), d, I64)
#define FROM_S64(X) FROM(X, s64, integer(a, 64, 1), d, I64)
#define TO_INTEGERS(X)                                                                             \
    TO_ALL(X, f32, f, F32, FA)                                                                     \
    TO_ALL(X, f64, g, F64, DA)                                                                     \
    TO_ALL(X, f16, h, I16, of_half(a))                                                             \
    CVT(X, rzi_s8_r, "cvt.rzi.s8.f32", r, f, F32, rounded(FA, 'z', 8, 1))                          \
    CVT(X, rpi_ftz, "cvt.rpi.ftz.s32.f32", r, f, F32, rounded(flush(FA), 'p', 32, 1))              \
    CVT(X, rzi_sat, "cvt.rzi.sat.u32.f32", r, f, F32, rounded(FA, 'z', 32, 0))

/* The source in a register wider than its type. */
#define WIDE_SOURCES(X)                                                                            \
    ROW1(X, u32_u8_r, "cvt.u32.u8", r, I32, integer(a, 8, 0))                                      \
    ROW1(X, s32_s8_r, "cvt.s32.s8", r, I32, integer(a, 8, 1))                                      \
    ROW1(X, s64_s8_d, "cvt.s64.s8", d, I64, integer(a, 8, 1))                                      \
    ROW1(X, s64_s16_d, "cvt.s64.s16", d, I64, integer(a, 16, 1))                                   \
    ROW1(X, s64_s32_d, "cvt.s64.s32", d, I64, integer(a, 32, 1))                                   \
    ROW1(X, u64_u32_d, "cvt.u64.u32", d, I64, integer(a, 32, 0))                                   \
    CVT(X, u16_u32_d, "cvt.u16.u32", h, d, I64, integer(a, 16, 0))                                 \
    CVT(X, f32_s16_d, "cvt.rn.f32.s16", f, d, I64, single_from_integer(integer(a, 16, 1), 'n'))

#define FLOATS(X)                                                                                  \
    CVT(X, f64_f32, "cvt.f64.f32", g, f, F32, full(FA))                                            \
    CVT(X, f64_f32_ftz, "cvt.ftz.f64.f32", g, f, F32, full(flush(FA)))                             \
    CVT(X, f32_f64_rn, "cvt.rn.f32.f64", f, g, F64, single_from_double(DA, 'n'))                   \
    CVT(X, f32_f64_rz, "cvt.rz.f32.f64", f, g, F64, single_from_double(DA, 'z'))                   \
    CVT(X, f32_f64_rm, "cvt.rm.f32.f64", f, g, F64, single_from_double(DA, 'm'))                   \
    CVT(X, f32_f64_rp, "cvt.rp.f32.f64", f, g, F64, single_from_double(DA, 'p'))                   \
    CVT(X, f32_f64_ftz, "cvt.rn.ftz.f32.f64", f, g, F64,                                           \
        single(flush(float_of(single_from_double(DA, 'n')))))                                      \
    CVT(X, f32_f64_sat, "cvt.rn.sat.f32.f64", f, g, F64, single((float)saturate((float)DA)))       \
    ROW1(X, f32_sat, "cvt.sat.f32.f32", f, F32, single((float)saturate(FA)))                       \
    ROW1(X, f32_rni, "cvt.rni.f32.f32", f, F32, single(roundevenf(FA)))                            \
    ROW1(X, f32_rzi, "cvt.rzi.f32.f32", f, F32, single(truncf(FA)))                                \
    ROW1(X, f32_rmi, "cvt.rmi.f32.f32", f, F32, single(floorf(FA)))                                \
    ROW1(X, f32_rpi, "cvt.rpi.f32.f32", f, F32, single(ceilf(FA)))                                 \
    ROW1(X, f32_rmi_ftz, "cvt.rmi.ftz.f32.f32", f, F32, single(floorf(flush(FA))))                 \
    ROW1(X, f64_rni, "cvt.rni.f64.f64", g, F64, full(roundeven(DA)))                               \
    ROW1(X, f64_rzi, "cvt.rzi.f64.f64", g, F64, full(trunc(DA)))                                   \
    ROW1(X, f64_rmi, "cvt.rmi.f64.f64", g, F64, full(floor(DA)))                                   \
    ROW1(X, f64_rpi, "cvt.rpi.f64.f64", g, F64, full(ceil(DA)))                                    \
    CVT(X, f16_f32_rn, "cvt.rn.f16.f32", h, f, F32, half_from(FA, 'n'))                            \
    CVT(X, f16_f32_rz, "cvt.rz.f16.f32", h, f, F32, half_from(FA, 'z'))                            \
    CVT(X, f16_f32_rm, "cvt.rm.f16.f32", h, f, F32, half_from(FA, 'm'))                            \
    CVT(X, f16_f32_rp, "cvt.rp.f16.f32", h, f, F32, half_from(FA, 'p'))                            \
    CVT(X, f16_f64_rn, "cvt.rn.f16.f64", h, g, F64, half_from(DA, 'n'))                            \
    CVT(X, f32_f16, "cvt.f32.f16", f, h, I16, single((float)of_half(a)))                           \
    CVT(X, f64_f16, "cvt.f64.f16", g, h, I16, full(of_half(a)))

CHECK_TABLE(FROM_U8)
CHECK_TABLE(FROM_S8)
CHECK_TABLE(FROM_U16)
CHECK_TABLE(FROM_S16)
CHECK_TABLE(FROM_U32)
CHECK_TABLE(FROM_S32)
CHECK_TABLE(FROM_U64)
CHECK_TABLE(FROM_S64)
CHECK_TABLE(TO_INTEGERS)
CHECK_TABLE(WIDE_SOURCES)
CHECK_TABLE(FLOATS)

/* Every half there is, and what lies between halves. */
static uint64_t half_to_single(uint64_t a, uint64_t b, uint64_t c, uint64_t e)
{
    (void)b, (void)c, (void)e;
    return single((float)of_half(a));
}

static uint64_t single_to_half(uint64_t a, uint64_t b, uint64_t c, uint64_t e)
{
    (void)b, (void)c, (void)e;
    return half_from(FA, 'n');
}

static void all_halves(void **state)
{
    (void)state;
    static uint64_t halves[65536], between[3 * 31744];
    for (unsigned i = 0; i < 65536; i++)
        halves[i] = i;
    for (unsigned i = 0; i < 31744; i++) {
        float middle = (float)((of_half(i) + (i == 31743 ? 65536 : of_half(i + 1))) / 2);
        between[3 * i] = bits_of_float(nextafterf(middle, 0));
        between[3 * i + 1] = bits_of_float(middle);
        between[3 * i + 2] = bits_of_float(nextafterf(-middle, -INFINITY));
    }
    const struct values to_single = {halves, 65536}, to_half = {between, 3 * 31744};
    const struct instruction table[] = {
        {"cvt.f32.f16 %f0, %h1;", 'f', &to_single, &ONE, &ONE, &ONE, half_to_single},
        {"cvt.rn.f16.f32 %h0, %f1;", 'h', &to_half, &ONE, &ONE, &ONE, single_to_half},
    };
    for (int i = 0; i < 2; i++)
        check_instruction(&table[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(FROM_U8_test),     cmocka_unit_test(FROM_S8_test),
        cmocka_unit_test(FROM_U16_test),    cmocka_unit_test(FROM_S16_test),
        cmocka_unit_test(FROM_U32_test),    cmocka_unit_test(FROM_S32_test),
        cmocka_unit_test(FROM_U64_test),    cmocka_unit_test(FROM_S64_test),
        cmocka_unit_test(TO_INTEGERS_test), cmocka_unit_test(WIDE_SOURCES_test),
        cmocka_unit_test(FLOATS_test),      cmocka_unit_test(all_halves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

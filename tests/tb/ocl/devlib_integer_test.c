/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/devlib_integer_test.c: integer functions and conversions of the device library for
 * every type, as scalars and as vectors of 3 and 16, against exact arithmetic in 128 bits. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tb/ocl/ocl_support.h"

typedef __int128 wide;

enum { COUNT = 480, SPECIALS = 11 };

static const struct type {
    const char *name, *of_abs;
    int bits, is_signed;
} types[] = {
    {"char", "uchar", 8, 1},     {"uchar", "uchar", 8, 0},  {"short", "ushort", 16, 1},
    {"ushort", "ushort", 16, 0}, {"int", "uint", 32, 1},    {"uint", "uint", 32, 0},
    {"long", "ulong", 64, 1},    {"ulong", "ulong", 64, 0},
};
enum { TYPES = 8 };

static wide least(const struct type *t)
{
    return t->is_signed ? -((wide)1 << (t->bits - 1)) : 0;
}

static wide most(const struct type *t)
{
    return ((wide)1 << (t->bits - t->is_signed)) - 1;
}

static wide held(const struct type *t, wide x)
{
    return x < least(t) ? least(t) : x > most(t) ? most(t) : x;
}

/* The low bits, without a sign. */
static wide low_bits(const struct type *t, wide x)
{
    return x & (((wide)1 << t->bits) - 1);
}

static wide floor_half(wide x)
{
    return x >> 1; /* arithmetic */
}

/* The product's high half; an unsigned one may need all 128 bits. */
static wide high_half(const struct type *t, wide a, wide b)
{
    typedef unsigned __int128 unsigned_wide;
    return t->is_signed ? (a * b) >> t->bits
                        : (wide)(((unsigned_wide)a * (unsigned_wide)b) >> t->bits);
}

/* Expectations; results are compared in the type's bits. */
#define RULE(name, value)                                                                          \
    static wide name##_rule(const struct type *t, wide a, wide b, wide c)                          \
    {                                                                                              \
        (void)t, (void)a, (void)b, (void)c;                                                        \
        return value;                                                                              \
    }
RULE(min, a < b ? a : b)
RULE(max, a > b ? a : b)
RULE(clamp, a<b ? b : a> c ? c : a)
RULE(abs, a < 0 ? -a : a)
RULE(abs_diff, a < b ? b - a : a - b)
RULE(hadd, floor_half(a + b))
RULE(rhadd, floor_half(a + b + 1))
RULE(mul_hi, high_half(t, a, b))
RULE(mad_hi, high_half(t, a, b) + c)
RULE(add_sat, held(t, a + b))
RULE(sub_sat, held(t, a - b))

/* a * b of 64-bit numbers is less than 2^128, and a signed sum with it may just not fit. */
static wide mad_sat_rule(const struct type *t, wide a, wide b, wide c)
{
    wide sum;
    if (!t->is_signed && a && b > most(t) / a)
        return most(t);
    return __builtin_add_overflow(a * b, c, &sum) ? (c < 0 ? least(t) : most(t)) : held(t, sum);
}

static wide popcount_rule(const struct type *t, wide a, wide b, wide c)
{
    wide ones = 0;
    (void)b, (void)c;
    for (int i = 0; i < t->bits; i++)
        ones += (a >> i) & 1;
    return ones;
}

static wide clz_rule(const struct type *t, wide a, wide b, wide c)
{
    wide zeros = 0;
    (void)b, (void)c;
    for (int i = t->bits - 1; i >= 0 && !((a >> i) & 1); i--)
        zeros++;
    return zeros;
}

static wide rotate_rule(const struct type *t, wide a, wide b, wide c)
{
    (void)c;
    a = low_bits(t, a);
    for (wide n = b & (t->bits - 1); n > 0; n--)
        a = low_bits(t, a << 1) | ((a >> (t->bits - 1)) & 1);
    return a;
}

static const struct function {
    const char *name;
    int arity, makes_unsigned;
    wide (*rule)(const struct type *, wide, wide, wide);
} functions[] = {
    {"min", 2, 0, min_rule},           {"max", 2, 0, max_rule},
    {"clamp", 3, 0, clamp_rule},       {"abs", 1, 1, abs_rule},
    {"abs_diff", 2, 1, abs_diff_rule}, {"hadd", 2, 0, hadd_rule},
    {"rhadd", 2, 0, rhadd_rule},       {"mul_hi", 2, 0, mul_hi_rule},
    {"mad_hi", 3, 0, mad_hi_rule},     {"add_sat", 2, 0, add_sat_rule},
    {"sub_sat", 2, 0, sub_sat_rule},   {"mad_sat", 3, 0, mad_sat_rule},
    {"popcount", 1, 0, popcount_rule}, {"clz", 1, 0, clz_rule},
    {"rotate", 2, 0, rotate_rule},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

/* The kernels of one function: scalar, and vectors by vload and vstore. */
static void print_kernels(FILE *out, const struct function *f, const struct type *t)
{
    static const char *const arguments[] = {"", "a[i]", "a[i], b[i]", "a[i], b[i], c[i]"};
    const char *result = f->makes_unsigned ? t->of_abs : t->name;
    fprintf(out,
            "__kernel void %s_%s_1(__global %s *o, __global %s *a, __global %s *b,\n"
            "                      __global %s *c) {\n"
            "    size_t i = get_global_id(0); o[i] = %s(%s); }\n",
            f->name, t->name, result, t->name, t->name, t->name, f->name, arguments[f->arity]);
    for (int n = 3; n <= 16; n += 13) {
        fprintf(out,
                "__kernel void %s_%s_%d(__global %s *o, __global %s *a, __global %s *b,\n"
                "                      __global %s *c) {\n"
                "    size_t i = get_global_id(0); vstore%d(%s(vload%d(i, a)",
                f->name, t->name, n, result, t->name, t->name, t->name, n, f->name, n);
        for (int k = 1; k < f->arity; k++)
            fprintf(out, ", vload%d(i, %c)", n, "abc"[k]);
        fprintf(out, "), i, o); }\n");
    }
}

static void put(const struct type *t, void *array, int i, wide x)
{
    memcpy((char *)array + i * t->bits / 8, &x, (size_t)t->bits / 8);
}

static wide get(const struct type *t, const void *array, int i)
{
    wide x = 0;
    memcpy(&x, (const char *)array + i * t->bits / 8, (size_t)t->bits / 8);
    return t->is_signed && x > most(t) ? x - ((wide)1 << t->bits) : x;
}

static wide number(const struct type *t, int i)
{
    const wide specials[SPECIALS] = {
        0, 1, -1, 2, 3, -3, least(t), least(t) + 1, most(t), most(t) - 1, most(t) / 2};
    wide x = ((wide)rand() << 40) ^ ((wide)rand() << 20) ^ rand();
    x = i < SPECIALS ? specials[i] : x >> (rand() % 60);
    x = low_bits(t, x);
    return t->is_signed && x > most(t) ? x - ((wide)1 << t->bits) : x;
}

static void check_size(const struct ocl *ocl, cl_program program, const struct function *f,
                       const struct type *t, int n)
{
    static unsigned char arrays[4][COUNT * 8];
    const size_t bytes = COUNT * (size_t)t->bits / 8;
    char name[64];
    cl_mem memories[4];
    cl_int error;
    snprintf(name, sizeof name, "%s_%s_%d", f->name, t->name, n);
    cl_kernel kernel = clCreateKernel(program, name, &error);
    assert_success(error);
    for (int i = 0; i < COUNT; i++) {
        const int all = i < SPECIALS * SPECIALS;
        wide a = number(t, all ? i % SPECIALS : i), b = number(t, all ? i / SPECIALS : i);
        wide c = number(t, all ? rand() % SPECIALS : i);
        if (f->rule == clamp_rule && b > c) { /* else undefined */
            const wide swap = b;
            b = c;
            c = swap;
        }
        put(t, arrays[1], i, a);
        put(t, arrays[2], i, b);
        put(t, arrays[3], i, c);
    }
    for (cl_uint k = 0; k < 4; k++) {
        memories[k] = ocl_buffer(ocl, bytes, k ? arrays[k] : NULL);
        assert_arg(kernel, k, memories[k]);
    }
    ocl_run(ocl, kernel, (size_t)(COUNT / n), 0);
    ocl_read(ocl, memories[0], bytes, arrays[0]);
    for (int i = 0; i < COUNT; i++) {
        const wide a = get(t, arrays[1], i), b = get(t, arrays[2], i), c = get(t, arrays[3], i);
        const wide seen = low_bits(t, get(t, arrays[0], i));
        const wide expected = low_bits(t, f->rule(t, a, b, c));
        if (seen != expected)
            fail_msg("%s(%lld, %lld, %lld) = 0x%llx, expected 0x%llx", name, (long long)a,
                     (long long)b, (long long)c, (unsigned long long)seen,
                     (unsigned long long)expected);
    }
    for (int k = 0; k < 4; k++)
        assert_success(clReleaseMemObject(memories[k]));
    assert_success(clReleaseKernel(kernel));
}

static void functions_are_exact(void **state)
{
    srand(2);
    for (int k = 0; k < TYPES; k++) {
        char *source = NULL;
        size_t bytes;
        FILE *out = open_memstream(&source, &bytes);
        for (int i = 0; i < FUNCTIONS; i++)
            print_kernels(out, &functions[i], &types[k]);
        assert_int_equal(fclose(out), 0);
        cl_program program = ocl_program(*state, source, "");
        for (int i = 0; i < FUNCTIONS; i++) {
            check_size(*state, program, &functions[i], &types[k], 1);
            check_size(*state, program, &functions[i], &types[k], 3);
            check_size(*state, program, &functions[i], &types[k], 16);
        }
        assert_success(clReleaseProgram(program));
        free(source);
    }
}

/* 24-bit products, and a vector with a scalar. */
/* Rotations that the source writes out, by any amount. */
static void rotations_without_a_function(void **state)
{
    static const char source[] =
        "__kernel void k(__global ulong *o, __global ulong *a, __global ulong *n) {\n"
        "    size_t i = get_global_id(0); ulong x = a[i], c = n[i]; uint d = (uint)c & 63;\n"
        "    o[4 * i] = x << (c & 63) | x >> (-c & 63); o[4 * i + 1] = x >> (c & 63) | x << (-c & "
        "63);\n"
        "    o[4 * i + 2] = x << (c & 63) | x >> (64 - c & 63);\n"
        "    o[4 * i + 3] = d ? x << d | x >> (64 - d) : x; }\n";
    enum { COUNT = 256 };
    uint64_t a[COUNT], n[COUNT], out[4 * COUNT];
    for (int i = 0; i < COUNT; i++) {
        a[i] = (uint64_t)rand() << 40 ^ (uint64_t)rand() << 20 ^ (uint64_t)rand();
        n[i] = i < 130 ? (uint64_t)i - 1 : a[i] * 7;
    }
    cl_kernel kernel = ocl_kernel(*state, source, "k");
    cl_mem memories[] = {ocl_buffer(*state, sizeof out, NULL), ocl_buffer(*state, sizeof a, a),
                         ocl_buffer(*state, sizeof n, n)};
    for (cl_uint i = 0; i < 3; i++)
        assert_arg(kernel, i, memories[i]);
    ocl_run(*state, kernel, COUNT, 0);
    ocl_read(*state, memories[0], sizeof out, out);
    for (int i = 0; i < COUNT; i++) {
        uint64_t left = a[i], right = a[i];
        for (uint64_t k = n[i] % 64; k; k--) {
            left = left << 1 | left >> 63;
            right = right >> 1 | right << 63;
        }
        for (int k = 0; k < 4; k++)
            if (out[4 * i + k] != (k == 1 ? right : left))
                fail_msg("rotation %d of 0x%lx by %lu: 0x%lx", k, a[i], n[i], out[4 * i + k]);
    }
    for (int i = 0; i < 3; i++)
        assert_success(clReleaseMemObject(memories[i]));
    assert_success(clReleaseKernel(kernel));
}

static void products_of_24_bits(void **state)
{
    static const char source[] =
        "__kernel void k(__global int *o, __global int *v) {\n"
        "    o[0] = mul24(v[0], v[1]); o[1] = mad24(v[0], v[1], v[2]);\n"
        "    o[2] = mul24((uint)v[3], (uint)v[4]); o[3] = upsample((short)v[0], (ushort)v[1]);\n"
        "    int2 m = max((int2)(v[0], v[1]), 10); o[4] = m.x; o[5] = m.y; }\n";
    const struct ocl *ocl = *state;
    const cl_int values[5] = {-3000, 7001, 11, 0xfff000, 0x800};
    const cl_int expected[6] = {-21003000, -21002989, (cl_int)0x7ff800000u, (-3000 * 65536) | 7001,
                                10,        7001};
    cl_int seen[6];
    cl_kernel kernel = ocl_kernel(ocl, source, "k");
    cl_mem out = ocl_buffer(ocl, sizeof seen, NULL), in = ocl_buffer(ocl, sizeof values, values);
    assert_arg(kernel, 0, out);
    assert_arg(kernel, 1, in);
    ocl_run(ocl, kernel, 1, 1);
    ocl_read(ocl, out, sizeof seen, seen);
    for (int i = 0; i < 6; i++)
        assert_int_equal(seen[i], expected[i]);
    assert_success(clReleaseMemObject(in));
    assert_success(clReleaseMemObject(out));
    assert_success(clReleaseKernel(kernel));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_exact),
        cmocka_unit_test(rotations_without_a_function),
        cmocka_unit_test(products_of_24_bits),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}

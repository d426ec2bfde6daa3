/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/devlib_convert_test.c: every convert_ function of the device library, from each type
 * to each, with each rounding and saturation, scalar and vector, against the C library's rounding.
 */
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tb/ocl/ocl_support.h"

enum { COUNT = 128, TYPES = 10, FORMS = 10 };

static const struct type {
    const char *name;
    size_t bytes;
    int is_float, is_signed;
} types[TYPES] = {
    {"char", 1, 0, 1},  {"uchar", 1, 0, 0},  {"short", 2, 0, 1}, {"ushort", 2, 0, 0},
    {"int", 4, 0, 1},   {"uint", 4, 0, 0},   {"long", 8, 0, 1},  {"ulong", 8, 0, 0},
    {"float", 4, 1, 1}, {"double", 8, 1, 1},
};

/* The suffixes; to a float only those without _sat. */
static const struct form {
    const char *suffix;
    int saturates, to_integer, to_float; /* rounding modes */
} forms[FORMS] = {
    {"", 0, FE_TOWARDZERO, FE_TONEAREST},
    {"_rte", 0, FE_TONEAREST, FE_TONEAREST},
    {"_rtz", 0, FE_TOWARDZERO, FE_TOWARDZERO},
    {"_rtp", 0, FE_UPWARD, FE_UPWARD},
    {"_rtn", 0, FE_DOWNWARD, FE_DOWNWARD},
    {"_sat", 1, FE_TOWARDZERO, 0},
    {"_sat_rte", 1, FE_TONEAREST, 0},
    {"_sat_rtz", 1, FE_TOWARDZERO, 0},
    {"_sat_rtp", 1, FE_UPWARD, 0},
    {"_sat_rtn", 1, FE_DOWNWARD, 0},
};

static int forms_to(const struct type *to)
{
    return to->is_float ? 5 : FORMS;
}

/* long double holds every number of every type. */
static long double least(const struct type *t)
{
    return t->is_signed ? -ldexpl(1, (int)t->bytes * 8 - 1) : 0;
}

static long double most(const struct type *t)
{
    return ldexpl(1, (int)t->bytes * 8 - t->is_signed) - 1;
}

static void put(const struct type *t, void *array, int i, long double x)
{
    char *at = (char *)array + (size_t)i * t->bytes;
    if (t->is_float) {
        const double d = (double)x;
        const float f = (float)x;
        memcpy(at, t->bytes == 8 ? (const void *)&d : &f, t->bytes);
    } else {
        const uint64_t bits = x < 0 ? (uint64_t)(int64_t)x : (uint64_t)x;
        memcpy(at, &bits, t->bytes);
    }
}

static long double get(const struct type *t, const void *array, int i)
{
    const char *at = (const char *)array + (size_t)i * t->bytes;
    uint64_t bits = 0;
    float f;
    double d;
    memcpy(&bits, at, t->bytes);
    memcpy(&f, at, sizeof f);
    if (t->is_float && t->bytes == 4)
        return f;
    memcpy(&d, &bits, sizeof d);
    if (t->is_float)
        return d;
    const int shift = 64 - 8 * (int)t->bytes;
    return t->is_signed ? (long double)((int64_t)(bits << shift) >> shift) : (long double)bits;
}

/* The expected result; *undefined where the standard defines none. */
static long double converted(const struct type *to, const struct form *form, long double x,
                             int *undefined)
{
    volatile float f;
    volatile double d;
    *undefined = 0;
    if (to->is_float) {
        fesetround(form->to_float);
        f = (float)x;
        d = (double)x;
        fesetround(FE_TONEAREST);
        return to->bytes == 4 ? f : d;
    }
    fesetround(form->to_integer);
    const long double whole = rintl(x);
    fesetround(FE_TONEAREST);
    *undefined = !form->saturates && !(whole >= least(to) && whole <= most(to));
    return whole != whole ? 0 : whole < least(to) ? least(to) : whole > most(to) ? most(to) : whole;
}

/* Numbers about the limits of all types, halves between integers, and random ones. */
static long double number(const struct type *from, int i)
{
    const struct type *t = &types[i % 8];
    const long double about[] = {least(t), most(t), most(t) / 2, 0.5L, 2.5L, -1.5L, 0x1p24L + 1};
    long double x;
    if (i < 112)
        x = about[i / 16] + (i & 8 ? 1 : -1) * (i % 16 < 2 ? 0 : 0.25L * (i % 7));
    else
        x = ldexpl((long double)rand() / RAND_MAX - (from->is_signed ? 0.5L : 0), rand() % 66);
    if (from->is_float)
        return i == 127 ? NAN : i == 126 ? INFINITY : i == 125 ? -INFINITY : x;
    x = truncl(x);
    return x < least(from) ? least(from) : x > most(from) ? most(from) : x;
}

/* All forms, one after the other in `o`: scalars, then vectors of 4. */
static void print_kernel(FILE *out, const struct type *to, const struct type *from)
{
    fprintf(out, "__kernel void from_%s(__global %s *o, __global %s *a, __global %s4 *o4,\n",
            from->name, to->name, from->name, to->name);
    fprintf(out, "    __global %s4 *a4) { size_t i = get_global_id(0);\n", from->name);
    for (int f = 0; f < forms_to(to); f++)
        fprintf(out,
                "o[%d + i] = convert_%s%s(a[i]);\n"
                "if (i < %d) o4[%d + i] = convert_%s4%s(a4[i]);\n",
                f * COUNT, to->name, forms[f].suffix, COUNT / 4, f * COUNT / 4, to->name,
                forms[f].suffix);
    fprintf(out, "}\n");
}

static void check_pair(const struct ocl *ocl, cl_program program, const struct type *to,
                       const struct type *from)
{
    static unsigned char in[COUNT * 8], out[2][FORMS * COUNT * 8];
    const size_t bytes = (size_t)forms_to(to) * COUNT * to->bytes;
    char name[32];
    cl_int error;
    for (int i = 0; i < COUNT; i++)
        put(from, in, i, number(from, i));
    snprintf(name, sizeof name, "from_%s", from->name);
    cl_kernel kernel = clCreateKernel(program, name, &error);
    assert_success(error);
    cl_mem a = ocl_buffer(ocl, COUNT * from->bytes, in);
    cl_mem scalars = ocl_buffer(ocl, bytes, NULL), vectors = ocl_buffer(ocl, bytes, NULL);
    assert_arg(kernel, 0, scalars);
    assert_arg(kernel, 1, a);
    assert_arg(kernel, 2, vectors);
    assert_arg(kernel, 3, a);
    ocl_run(ocl, kernel, COUNT, 64);
    ocl_read(ocl, scalars, bytes, out[0]);
    ocl_read(ocl, vectors, bytes, out[1]);
    for (int n = 0; n < forms_to(to) * COUNT * 2; n++) {
        const int i = n / 2 % COUNT, f = n / 2 / COUNT;
        int undefined;
        const long double x = get(from, in, i), seen = get(to, out[n % 2], n / 2);
        const long double expected = converted(to, &forms[f], x, &undefined);
        const int same = seen == expected || (seen != seen && expected != expected);
        if (!undefined && !same)
            fail_msg("convert_%s%s%s(%s %.21Lg) = %.21Lg, expected %.21Lg", to->name,
                     n % 2 ? "4" : "", forms[f].suffix, from->name, x, seen, expected);
    }
    assert_success(clReleaseMemObject(a));
    assert_success(clReleaseMemObject(scalars));
    assert_success(clReleaseMemObject(vectors));
    assert_success(clReleaseKernel(kernel));
}

static void every_conversion_is_right(void **state)
{
    srand(4);
    for (int to = 0; to < TYPES; to++) {
        char *source = NULL;
        size_t bytes;
        FILE *out = open_memstream(&source, &bytes);
        for (int from = 0; from < TYPES; from++)
            print_kernel(out, &types[to], &types[from]);
        assert_int_equal(fclose(out), 0);
        cl_program program = ocl_program(*state, source, "");
        for (int from = 0; from < TYPES; from++)
            check_pair(*state, program, &types[to], &types[from]);
        assert_success(clReleaseProgram(program));
        free(source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_conversion_is_right),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}

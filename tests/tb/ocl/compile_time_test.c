/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/compile_time_test.c: a source of five thousand lines, in the style of password hashing: many `inline` functions that
 * call each other, unrolled rounds, a kernel for each algorithm. Built, and compiled and linked, it takes ten seconds of processor
 * time at most; and the kernels compute what the rounds say. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "tests/tb/ocl/ocl_support.h"

enum { ALGORITHMS = 44, STEPS = 64, LINES = 5000, SECONDS = 10, WORDS = 16 };

static cl_uint rotated(cl_uint x, unsigned n)
{
    return x << n | x >> (32 - n);
}

/* What a step of an algorithm takes: a word, a constant, an amount. */
struct step {
    unsigned word, by;
    cl_uint plus;
};

static struct step step_of(unsigned algorithm, unsigned i)
{
    return (struct step){i * (algorithm % 7 * 2 + 1) % WORDS, (i * 5 + algorithm) % 31 + 1,
                         0x5a827999u * (i + 1) * (algorithm + 3)};
}

static void print_algorithm(FILE *out, unsigned a)
{
    fprintf(out, "inline uint f%u(uint x, uint y, uint z)\n{\n    return (x & y) | (~x & z);\n}\n",
            a);
    fprintf(out,
            "inline void transform%u(const uint *w, uint *s)\n{\n    uint s0 = s[0];\n    uint s1 "
            "= s[1];\n"
            "    uint s2 = s[2];\n    uint s3 = s[3];\n",
            a);
    for (unsigned i = 0; i < STEPS; i++) {
        const struct step p = step_of(a, i);
        fprintf(out, "    s%u = rotate(s%u + f%u(s%u, s%u, s%u) + w[%u] + %uu, %uu);\n", i % 4,
                i % 4, a, (i + 1) % 4, (i + 2) % 4, (i + 3) % 4, p.word, p.plus, p.by);
    }
    fputs("    s[0] += s0;\n    s[1] += s1;\n    s[2] += s2;\n    s[3] += s3;\n}\n", out);
    fprintf(
        out,
        "inline void update%u(uint *s, uint *w, const uint *in, int length)\n{\n    int i = 0;\n"
        "    for (; i + 16 <= length; i += 16) {\n        for (int j = 0; j < 16; j++)\n           "
        " w[j] = in[i + j];\n"
        "        transform%u(w, s);\n    }\n    for (int j = 0; j < 16; j++)\n"
        "        w[j] = i + j < length ? in[i + j] : 0;\n    if (i < length)\n        "
        "transform%u(w, s);\n}\n",
        a, a, a);
    fprintf(out,
            "inline void final%u(uint *s, uint *w, int length)\n{\n    w[15] = length;\n    if "
            "(length %% 16 > 13)\n"
            "        transform%u(w, s);\n    w[14] = 128;\n    transform%u(w, s);\n}\n",
            a, a, a);
    fprintf(out,
            "__kernel void k%u(__global uint *o, __global const uint *key, int length)\n{\n    "
            "uint s[4] = {1, 2, 3, 4};\n"
            "    uint w[16], k[40];\n    for (int j = 0; j < 40; j++)\n        k[j] = key[j];\n"
            "    update%u(s, w, k, length);\n    final%u(s, w, length);\n    update%u(s, w, k, "
            "length / 2);\n"
            "    final%u(s, w, length / 2);\n    for (int j = 0; j < 4; j++)\n        o[j] = "
            "s[j];\n}\n",
            a, a, a, a, a);
}

static void transform(unsigned a, const cl_uint *w, cl_uint *s)
{
    cl_uint t[4];
    memcpy(t, s, sizeof t);
    for (unsigned i = 0; i < STEPS; i++) {
        const struct step p = step_of(a, i);
        const cl_uint x = t[(i + 1) % 4], y = t[(i + 2) % 4], z = t[(i + 3) % 4];
        t[i % 4] = rotated(t[i % 4] + ((x & y) | (~x & z)) + w[p.word] + p.plus, p.by);
    }
    for (int i = 0; i < 4; i++)
        s[i] += t[i];
}

static void hash(unsigned a, const cl_uint *key, int length, cl_uint *s)
{
    cl_uint w[WORDS];
    int i = 0;
    for (; i + WORDS <= length; i += WORDS)
        transform(a, key + i, s);
    for (int j = 0; j < WORDS; j++)
        w[j] = i + j < length ? key[i + j] : 0;
    if (i < length)
        transform(a, w, s);
    w[15] = (cl_uint)length;
    if (length % WORDS > 13)
        transform(a, w, s);
    w[14] = 128;
    transform(a, w, s);
}

static void check(const struct ocl *ocl, cl_program program)
{
    cl_uint key[40], seen[4];
    const cl_int length = 31; /* two blocks, and one more at the end */
    for (unsigned i = 0; i < 40; i++)
        key[i] = i * 2654435761u;
    cl_mem out = ocl_buffer(ocl, sizeof seen, NULL), in = ocl_buffer(ocl, sizeof key, key);
    for (unsigned a = 0; a < ALGORITHMS; a += ALGORITHMS - 1) {
        char name[16];
        cl_int error;
        cl_uint expected[4] = {1, 2, 3, 4};
        snprintf(name, sizeof name, "k%u", a);
        cl_kernel kernel = clCreateKernel(program, name, &error);
        assert_success(error);
        assert_arg(kernel, 0, out);
        assert_arg(kernel, 1, in);
        assert_arg(kernel, 2, length);
        ocl_run(ocl, kernel, 1, 1);
        ocl_read(ocl, out, sizeof seen, seen);
        hash(a, key, length, expected);
        hash(a, key, length / 2, expected);
        assert_memory_equal(seen, expected, sizeof seen);
        assert_success(clReleaseKernel(kernel));
    }
    assert_success(clReleaseMemObject(in));
    assert_success(clReleaseMemObject(out));
}

/* Processor time of this process and of the compiler. */
static double seconds(void)
{
    double sum = 0;
    static const int whose[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
    for (int i = 0; i < 2; i++) {
        struct rusage r;
        assert_int_equal(getrusage(whose[i], &r), 0);
        sum += (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
               1e-6 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
    }
    return sum;
}

static void is_built_in_time(void **state)
{
    const struct ocl *ocl = *state;
    char *source = NULL;
    const char *text;
    size_t bytes, lines = 0;
    cl_int error;
    FILE *out = open_memstream(&source, &bytes);
    assert_non_null(out);
    for (unsigned a = 0; a < ALGORITHMS; a++)
        print_algorithm(out, a);
    assert_int_equal(fclose(out), 0);
    for (const char *c = source; (c = strchr(c, '\n')); c++)
        lines++;
    assert_in_range(lines, LINES - 200, LINES + 200);
    text = source;

    double before = seconds();
    cl_program program = ocl_program(ocl, source, "");
    const double built = seconds() - before;
    before = seconds();
    cl_program object = clCreateProgramWithSource(ocl->context, 1, &text, NULL, &error);
    assert_success(clCompileProgram(object, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    cl_program linked = clLinkProgram(ocl->context, 0, NULL, "", 1, &object, NULL, NULL, &error);
    assert_success(error);
    const double made = seconds() - before;
    if (getenv("HEDDLE_VERBOSE"))
        printf("%zu lines: built in %.1f s, compiled and linked in %.1f s\n", lines, built, made);
    assert_true(built < SECONDS);
    assert_true(made < SECONDS);
    check(ocl, program);
    check(ocl, linked);
    assert_success(clReleaseProgram(program));
    assert_success(clReleaseProgram(object));
    assert_success(clReleaseProgram(linked));
    free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(is_built_in_time)};
    setenv("HEDDLE_CACHE", "", 1); /* nothing is kept */
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}

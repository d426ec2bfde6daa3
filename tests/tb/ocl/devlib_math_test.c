/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/devlib_math_test.c: mathematical functions of the device library, in float and
 * double, within the error that OpenCL 1.2 allows, for special and random arguments; and in vectors
 * the same as in scalars. HEDDLE_SWEEP is the number of calls of each; HEDDLE_VERBOSE prints the
 * largest errors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tb/ocl/math_reference.h"
#include "tests/tb/ocl/ocl_support.h"

enum { BATCH = 16384, VECTOR_CALLS = 48, NUM_TYPES = 2, MAX_SIZE = 8 };

static const char *const types[NUM_TYPES] = {"float", "double"};

/* A kernel that takes its operands as vectors of `width`, 1 for scalars. */
static void print_kernel(FILE *out, const char *name, const char *call, const char *type, int width)
{
    char n[16] = "", load[4][48], store[64];
    static const char *const from[] = {"a", "b", "c", "d"};
    if (width > 1)
        snprintf(n, sizeof n, "%d", width);
    for (int i = 0; i < 4; i++)
        if (width > 1)
            snprintf(load[i], sizeof load[i], "vload%d(i, %s)", width, from[i]);
        else
            snprintf(load[i], sizeof load[i], "%s[i]", from[i]);
    snprintf(store, sizeof store, width > 1 ? "vstore%d(r, i, o)" : "o[i] = r", width);
    fprintf(out,
            "\n#undef REAL\n#define REAL(i) convert_%s%s(i)\n"
            "__kernel void %s(__global %s *o, __global %s *a, __global %s *b, __global %s *c,\n"
            "                 __global int *d) {\n"
            "    size_t i = get_global_id(0); int%s n = %s, e; (void)n;\n"
            "    %s%s x = %s, y = %s, z = %s, w, r = %s; %s; (void)y; (void)z; }\n",
            type, n, name, type, type, type, type, n, load[3], type, n, load[0], load[1], load[2],
            call, store);
}

/* Operands and results of one batch, in one type. */
struct batch {
    int is_double;
    size_t count;
    struct math_arguments arguments[BATCH];
    unsigned char results[BATCH * MAX_SIZE];
};

static void put(unsigned char *to, size_t i, int is_double, long double x)
{
    const double d = (double)x;
    const float f = (float)x;
    memcpy(to + i * (is_double ? sizeof d : sizeof f), is_double ? (const void *)&d : &f,
           is_double ? sizeof d : sizeof f);
}

static long double get(const struct batch *b, size_t i)
{
    double d;
    float f;
    memcpy(&d, b->results + (b->is_double ? i : 0) * sizeof d, sizeof d);
    memcpy(&f, b->results + i * sizeof f, sizeof f);
    return b->is_double ? (long double)d : (long double)f;
}

/* Runs a kernel on the batch, `width` calls by each work-item. */
static void run(const struct ocl *ocl, cl_program program, const char *name, struct batch *b,
                size_t width)
{
    static unsigned char operands[3][BATCH * MAX_SIZE];
    static int integers[BATCH];
    const size_t bytes = b->count * (b->is_double ? sizeof(double) : sizeof(float));
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    assert_success(error);
    for (size_t i = 0; i < b->count; i++) {
        put(operands[0], i, b->is_double, b->arguments[i].x);
        put(operands[1], i, b->is_double, b->arguments[i].y);
        put(operands[2], i, b->is_double, b->arguments[i].z);
        integers[i] = b->arguments[i].n;
    }
    cl_mem memories[] = {ocl_buffer(ocl, bytes, NULL), ocl_buffer(ocl, bytes, operands[0]),
                         ocl_buffer(ocl, bytes, operands[1]), ocl_buffer(ocl, bytes, operands[2]),
                         ocl_buffer(ocl, b->count * sizeof integers[0], integers)};
    for (cl_uint i = 0; i < 5; i++)
        assert_arg(kernel, i, memories[i]);
    ocl_run(ocl, kernel, b->count / width, 0);
    ocl_read(ocl, memories[0], bytes, b->results);
    for (cl_uint i = 0; i < 5; i++)
        assert_success(clReleaseMemObject(memories[i]));
    assert_success(clReleaseKernel(kernel));
}

static void kernel_name(char name[32], size_t function, int width)
{
    snprintf(name, 32, "f%zu_%d", function, width);
}

static const int widths[] = {1, 3, 8};
enum { NUM_WIDTHS = sizeof widths / sizeof widths[0] };

/* One kernel for each function, or for each function and width. */
static cl_program program_of_all(const struct ocl *ocl, int is_double, int num_widths)
{
    char *source = NULL, name[32];
    size_t bytes;
    FILE *out = open_memstream(&source, &bytes);
    assert_non_null(out);
    for (size_t i = 0; i < num_math_functions; i++)
        for (int w = 0; w < num_widths && !(is_double && math_functions[i].floats_only); w++) {
            kernel_name(name, i, widths[w]);
            print_kernel(out, name, math_functions[i].call, types[is_double], widths[w]);
        }
    assert_int_equal(fclose(out), 0);
    cl_program program = ocl_program(ocl, source, "-w");
    free(source);
    return program;
}

/* The largest error of `calls` calls; *where is the worst one and what it gave. */
static double worst_error(const struct ocl *ocl, cl_program program, const char *name,
                          const struct math_function *f, int is_double, size_t calls,
                          struct math_arguments *where, long double *gave)
{
    static struct batch b;
    double worst = -1;
    b.is_double = is_double;
    for (size_t done = 0; done < calls; done += b.count) {
        b.count = calls - done < BATCH ? calls - done : BATCH;
        for (size_t i = 0; i < b.count; i++)
            math_arguments(f, is_double, done + i, calls, &b.arguments[i]);
        run(ocl, program, name, &b, 1);
        for (size_t i = 0; i < b.count; i++) {
            const double error = math_error(f, &b.arguments[i], get(&b, i));
            if (error > worst) {
                worst = error;
                *where = b.arguments[i];
                *gave = get(&b, i);
            }
        }
    }
    return worst;
}

static size_t sweep(void)
{
    const char *calls = getenv("HEDDLE_SWEEP");
    return calls ? strtoul(calls, NULL, 10) / 16 * 16 : 4096;
}

static void errors_are_within_the_standard(void **state)
{
    cl_program programs[NUM_TYPES];
    int failures = 0;
    char name[32];
    srand(1);
    for (int t = 0; t < NUM_TYPES; t++)
        programs[t] = program_of_all(*state, t, 1);
    for (size_t i = 0; i < num_math_functions; i++) {
        const struct math_function *f = &math_functions[i];
        double worst[NUM_TYPES] = {0};
        kernel_name(name, i, 1);
        for (int t = 0; t < (f->floats_only ? 1 : NUM_TYPES); t++) {
            struct math_arguments a;
            long double gave;
            worst[t] = worst_error(*state, programs[t], name, f, t, sweep(), &a, &gave);
            if (worst[t] > f->bound) {
                failures++;
                print_error("%s %s, x %La, y %La, z %La, n %d: %.17Lg, expected %.17Lg: %g ulp, "
                            "allowed %g\n",
                            types[t], f->call, a.x, a.y, a.z, a.n, gave, f->expected(&a), worst[t],
                            f->bound);
            }
        }
        if (getenv("HEDDLE_VERBOSE"))
            print_message("| `%s` | %g | %.3g | %.3g |\n", f->call, f->bound, worst[0], worst[1]);
    }
    for (int t = 0; t < NUM_TYPES; t++)
        assert_success(clReleaseProgram(programs[t]));
    assert_int_equal(failures, 0);
}

static void vectors_are_as_scalars(void **state)
{
    static struct batch scalar, vector;
    char name[32];
    srand(2);
    for (int t = 0; t < NUM_TYPES; t++) {
        cl_program program = program_of_all(*state, t, NUM_WIDTHS);
        scalar.is_double = vector.is_double = t;
        scalar.count = vector.count = VECTOR_CALLS;
        for (size_t i = 0; i < num_math_functions; i++) {
            const struct math_function *f = &math_functions[i];
            if (t && f->floats_only)
                continue;
            for (size_t k = 0; k < VECTOR_CALLS; k++)
                math_arguments(f, t, k + VECTOR_CALLS, 4 * VECTOR_CALLS, &scalar.arguments[k]);
            memcpy(vector.arguments, scalar.arguments, sizeof vector.arguments);
            kernel_name(name, i, 1);
            run(*state, program, name, &scalar, 1);
            for (int w = 1; w < NUM_WIDTHS; w++) {
                kernel_name(name, i, widths[w]);
                run(*state, program, name, &vector, (size_t)widths[w]);
                for (size_t k = 0; k < VECTOR_CALLS; k++) {
                    const long double seen = get(&vector, k), expected = get(&scalar, k);
                    if (seen != expected && (seen == seen || expected == expected))
                        fail_msg("%s%d %s: %.17Lg, in scalars %.17Lg", types[t], widths[w], f->call,
                                 seen, expected);
                }
            }
        }
        assert_success(clReleaseProgram(program));
    }
}

/* Section 7.5.1: what atan2pi gives where an argument is 0 or infinite, to the last bit. */
static void angles_on_the_axes_are_exact(void **state)
{
    static const struct {
        double y, x, expected;
    } cases[] = {
        {0.0, -0.0, 1},
        {-0.0, -0.0, -1},
        {0.0, 0.0, 0.0},
        {-0.0, 0.0, -0.0},
        {0.0, -3, 1},
        {-0.0, -3, -1},
        {0.0, 3, 0.0},
        {-0.0, 3, -0.0},
        {-2, 0.0, -0.5},
        {-2, -0.0, -0.5},
        {2, 0.0, 0.5},
        {2, -0.0, 0.5},
        {1, -0.0, 0.5},
        {1e-30, -0.0, 0.5},
        {-1e30, -0.0, -0.5},
        {2, -INFINITY, 1},
        {-2, -INFINITY, -1},
        {2, INFINITY, 0.0},
        {-2, INFINITY, -0.0},
        {INFINITY, 2, 0.5},
        {-INFINITY, 2, -0.5},
        {INFINITY, -2, 0.5},
        {-INFINITY, -2, -0.5},
        {INFINITY, -0.0, 0.5},
        {INFINITY, -INFINITY, 0.75},
        {-INFINITY, -INFINITY, -0.75},
        {INFINITY, INFINITY, 0.25},
        {-INFINITY, INFINITY, -0.25},
        {-INFINITY, -0.0, -0.5},
        {0x1p-149, -0.0, 0.5},
    };
    enum { COUNT = sizeof cases / sizeof cases[0] };
    static const char source[] =
        "__kernel void k(__global double *o, __global double *y, __global double *x) {\n"
        "    size_t i = get_global_id(0); o[i] = atan2pi((float)y[i], (float)x[i]);\n"
        "    o[get_global_size(0) + i] = atan2pi(y[i], x[i]); }\n";
    const struct ocl *ocl = *state;
    double y[COUNT], x[COUNT], seen[2][COUNT];
    for (int i = 0; i < COUNT; i++) {
        y[i] = cases[i].y;
        x[i] = cases[i].x;
    }
    cl_kernel kernel = ocl_kernel(ocl, source, "k");
    cl_mem memories[] = {ocl_buffer(ocl, sizeof seen, NULL), ocl_buffer(ocl, sizeof y, y),
                         ocl_buffer(ocl, sizeof x, x)};
    for (cl_uint i = 0; i < 3; i++)
        assert_arg(kernel, i, memories[i]);
    ocl_run(ocl, kernel, COUNT, 0);
    ocl_read(ocl, memories[0], sizeof seen, seen);
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < COUNT; i++)
            if (seen[t][i] != cases[i].expected ||
                signbit(seen[t][i]) != signbit(cases[i].expected))
                fail_msg("atan2pi(%g, %g) in %s: %.17g", y[i], x[i], t ? "double" : "float",
                         seen[t][i]);
    for (int i = 0; i < 3; i++)
        assert_success(clReleaseMemObject(memories[i]));
    assert_success(clReleaseKernel(kernel));
}

/* Functions that are a little wrong are told from right ones. */
static void wrong_functions_are_found(void **state)
{
    static const struct {
        const char *right, *wrong;
    } faults[] = {
        {"sin(x)", "sin(x) * (1 + 5 * FLT_EPSILON)"},
        {"cos(x)", "fabs(x) < 1e30f ? cos(x) : cos(0.875f * x)"},
        {"exp(x)", "x < -87.3f ? 0.0f : exp(x)"}, /* no denormals */
        {"sqrt(x)", "native_sqrt(x) * 1.0000001f"},
        {"rint(x)", "floor(x + 0.5f)"},
        {"round(x)", "rint(x)"},
        {"log1p(x)", "log(1 + x)"},
        {"fmax(x, y)", "x > y ? x : y"},
        {"pow(x, y)", "powr(fabs(x), y)"},
        {"atan2(x, y)", "atan(x / y)"},
        {"ceil(x)", "-floor(-x) + 0.0f"}, /* the sign of 0 */
        {"tgamma(x)", "exp(lgamma(x))"},
        {"(remquo(x, y, &e), REAL(e))", "rint(x / y)"},
    };
    srand(3);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        const struct math_function *f = math_functions;
        struct math_arguments a;
        long double gave;
        while (strcmp(f->call, faults[i].right) != 0)
            f++;
        char *source = NULL;
        size_t bytes;
        FILE *out = open_memstream(&source, &bytes);
        print_kernel(out, "k", faults[i].wrong, "float", 1);
        assert_int_equal(fclose(out), 0);
        cl_program program = ocl_program(*state, source, "-w");
        free(source);
        if (worst_error(*state, program, "k", f, 0, 4096, &a, &gave) <= f->bound)
            fail_msg("%s passes as %s", faults[i].wrong, faults[i].right);
        assert_success(clReleaseProgram(program));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_within_the_standard),
        cmocka_unit_test(vectors_are_as_scalars),
        cmocka_unit_test(angles_on_the_axes_are_exact),
        cmocka_unit_test(wrong_functions_are_found),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}

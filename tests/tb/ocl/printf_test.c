/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/printf_test.c: printf in kernels: every type, the order, and what does not fit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/tb/ocl/ocl_support.h"

/* Runs k(out) and returns what it has printed on `descriptor`, malloc'ed, and out[0]. */
static char *printed_on(const struct ocl *ocl, cl_program program, int descriptor,
                        const size_t global[3], cl_int *result)
{
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    assert_success(error);
    cl_mem out = ocl_buffer(ocl, 64, NULL);
    assert_arg(kernel, 0, out);
    const int file = memfd_create("printed", 0), kept = dup(descriptor);
    fflush(NULL);
    dup2(file, descriptor);
    const cl_int run =
        clEnqueueNDRangeKernel(ocl->queue, kernel, 3, NULL, global, NULL, 0, NULL, NULL);
    clFinish(ocl->queue);
    dup2(kept, descriptor);
    close(kept);
    assert_success(run);
    const off_t size = lseek(file, 0, SEEK_END);
    char *text = calloc(1, (size_t)size + 1);
    assert_int_equal(pread(file, text, (size_t)size, 0), size);
    if (result)
        ocl_read(ocl, out, sizeof *result, result);
    close(file);
    assert_success(clReleaseMemObject(out));
    assert_success(clReleaseKernel(kernel));
    return text;
}

static char *printed(const struct ocl *ocl, const char *source, size_t items)
{
    cl_program program = ocl_program(ocl, source, "-w");
    char *text = printed_on(ocl, program, STDOUT_FILENO, (size_t[]){items, 1, 1}, NULL);
    assert_success(clReleaseProgram(program));
    return text;
}

static void every_type_prints(void **state)
{
    static const char source[] =
        "enum e { RED, GREEN = 5 };\n"
        "__kernel void k(__global int *o) {\n"
        "    __local int l; char c = -1; uchar uc = 255; short s = -2; ushort us = 65535;\n"
        "    int i = -3; uint u = 4000000000u; long n = -5000000000L; ulong un = ~0ul; bool b = "
        "i;\n"
        "    enum e colour = GREEN; o[0] = 0; __constant char *text = \"text\"; size_t z = 9;\n"
        "    printf(\"%d %u %d %u|\", c, uc, s, us);\n"
        "    printf(\"%d %u %ld %lu %d %d %lu\\n\", i, u, n, un, b, colour, z);\n"
        "    printf(\"%.3f %g %s %s %c%%\\n\", 1.5f, 0.25, text, \"literal\", 'x');\n"
        "    printf(\"%v2hhd %v3hd %v4hld %v8ld %v16hhu\\n\", (char2)(1, -1), (short3)(1, 2, -3),\n"
        "           (int4)(1, 2, 3, -4), (long8)(n), (uchar16)(200));\n"
        "    printf(\"%v2hlf %v3lf %.1v4hle\\n\", (float2)(0.5f, 2), (double3)(1, 2, 3), "
        "(float4)(1));\n"
        "    printf(\"%d %d %d\\n\", (o[0]++, o[0]), printf(\"inner %d \", o[0] + 10), o[0] = 7);\n"
        "    printf(\"%d\", (__local void *)&l == &l); printf(\"%d\", (__global void *)o == o); "
        "printf(\"\\n\"); "
        "}\n";
    char *text = printed(*state, source, 1);
    assert_string_equal(
        text, "-1 255 -2 65535|-3 4000000000 -5000000000 18446744073709551615 1 5 9\n"
              "1.500 0.25 text literal x%\n"
              "1,-1 1,2,-3 1,2,3,-4 -5000000000,-5000000000,-5000000000,-5000000000,-5000000000,"
              "-5000000000,-5000000000,-5000000000 "
              "200,200,200,200,200,200,200,200,200,200,200,200,200,200,200,200\n"
              "0.500000,2.000000 1.000000,2.000000,3.000000 1.0e+00,1.0e+00,1.0e+00,1.0e+00\n"
              "inner 11 1 0 7\n"
              "11\n");
    free(text);
}

/* By global id, and for each work-item in the order of its program; the second half of each warp
 * runs first, warps are ordered by the machine, and groups run on several SMs. */
static void the_order_is_that_of_work_items(void **state)
{
    static const char source[] =
        "__kernel void k(__global int *o) {\n"
        "    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
        "    if (x & 1) printf(\"%d %d %d odd\\n\", x, y, z);\n"
        "    for (int i = 0; i < (x & 3); i++) printf(\"%d %d %d: %d\\n\", x, y, z, i); }\n";
    const size_t size[3] = {24, 10, 3};
    char *expected;
    size_t bytes;
    FILE *out = open_memstream(&expected, &bytes);
    for (size_t z = 0; z < size[2]; z++)
        for (size_t y = 0; y < size[1]; y++)
            for (size_t x = 0; x < size[0]; x++) {
                if (x & 1)
                    fprintf(out, "%zu %zu %zu odd\n", x, y, z);
                for (size_t i = 0; i < (x & 3); i++)
                    fprintf(out, "%zu %zu %zu: %zu\n", x, y, z, i);
            }
    assert_int_equal(fclose(out), 0);
    cl_program program = ocl_program(*state, source, "");
    for (int run = 0; run < 2; run++) { /* nothing is left of the first run */
        char *text = printed_on(*state, program, STDOUT_FILENO, size, NULL);
        assert_string_equal(text, expected);
        free(text);
    }
    assert_success(clReleaseProgram(program));
    free(expected);
}

/* What does not fit is lost, is said to be lost, and printf says so to the kernel. */
static void too_much_is_cut(void **state)
{
    static const char source[] =
        "__kernel void k(__global int *o) {\n"
        "    int n = 0; while (n < 30000 && printf(\"%d\\n\", n) == 0) n++; o[0] = n; }\n";
    static const char silent[] =
        "__kernel void k(__global int *o) { while (printf(\"\") == 0) o[0]++; }\n";
    const struct ocl *ocl = *state;
    const size_t one[3] = {1, 1, 1};
    cl_int counted;
    cl_program program = ocl_program(ocl, source, "");
    char *text = printed_on(ocl, program, STDOUT_FILENO, one, &counted), *rest = text;
    long lines = 0;
    for (char *end; strtol(rest, &end, 10) == lines && end != rest; rest = end + 1)
        lines++;
    assert_int_equal(*rest, 0);
    assert_int_equal(lines, (1 << 20) / 8 / 6); /* 3 words each for the number and the format */
    assert_int_equal(counted, lines);
    free(text);
    assert_success(clReleaseProgram(program));
    program = ocl_program(ocl, silent, "");
    text = printed_on(ocl, program, STDERR_FILENO, one, NULL);
    assert_non_null(strstr(text, "prints more than its buffer holds (1048576 bytes)"));
    free(text);
    assert_success(clReleaseProgram(program));
}

static void the_compiler_checks_formats(void **state)
{
    cl_program program;
    assert_success(ocl_build(*state, "__kernel void k() { printf(\"%d\"); }\n", "", &program));
    assert_non_null(strstr(ocl_log(*state, program), "more '%' conversions"));
    assert_success(clReleaseProgram(program));
    size_t size;
    const struct ocl *ocl = *state;
    assert_success(
        clGetDeviceInfo(ocl->device, CL_DEVICE_PRINTF_BUFFER_SIZE, sizeof size, &size, NULL));
    assert_true(size >= 1 << 20);
}

/* A binary may have anything where the driver looks for what was printed. */
static void forged_records_are_harmless(void **state)
{
    static const char head[] = ".version 6.0\n.target sm_70\n.address_size 64\n"
                               ".global .align 8 .u64 heddle_printf[131073] = {";
    static const char tail[] = "};\n.visible .entry k(.param .u64 .ptr .global p) { ret; }\n";
    static const char *const contents[] = {
        "99999999999, 3, 0, 0xffffffff", /* a size without sense */
        "3, 0x1, 0, 1",                  /* a record too small */
        "6, 0x1000000000003, 0, 1",      /* a format at no address */
        "6, 0xffff080200000003, 0, 1",   /* more elements than words */
        "6, 0x0001ff0200000003, 0, 1",   /* elements of 255 bytes */
        "6, 0x0001080900000003, 0, 1",   /* no such kind */
        "6, 0x0001080400000003, 0, 1, 0x00ff000000000003, 0, 0x110000", /* takes more than there is
                                                                         */
    };
    const struct ocl *ocl = *state;
    for (size_t i = 0; i < sizeof contents / sizeof contents[0]; i++) {
        char ptx[1024];
        const size_t length = (size_t)snprintf(ptx, sizeof ptx, "%s%s%s", head, contents[i], tail);
        const unsigned char *binary = (const unsigned char *)ptx;
        cl_int error;
        cl_program program = clCreateProgramWithBinary(ocl->context, 1, &ocl->device, &length,
                                                       &binary, NULL, &error);
        assert_success(error);
        if (clBuildProgram(program, 0, NULL, NULL, NULL, NULL) != CL_SUCCESS)
            fail_msg("%s", ocl_log(ocl, program));
        free(printed_on(ocl, program, STDOUT_FILENO, (size_t[]){1, 1, 1}, NULL));
        assert_success(clReleaseProgram(program));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_prints),
        cmocka_unit_test(the_order_is_that_of_work_items),
        cmocka_unit_test(too_much_is_cut),
        cmocka_unit_test(the_compiler_checks_formats),
        cmocka_unit_test(forged_records_are_harmless),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}

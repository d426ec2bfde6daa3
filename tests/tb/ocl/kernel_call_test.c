/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/kernel_call_test.c: a kernel that a kernel calls is an ordinary function (section 6.7.1): in one source, across
 * objects, libraries, headers that are programs and binaries, with arguments of every kind. */
#include <stdlib.h>
#include <string.h>

#include "tests/tb/ocl/ocl_support.h"

/* k gives what is expected, nothing is left out, and the functions are no kernels: so many kernels there are. */
static void runs(const struct ocl *ocl, cl_program program, cl_int expected, const char *names)
{
    char text[256];
    assert_string_equal(ocl_log(ocl, program), "");
    assert_success(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL));
    assert_string_equal(text, names);
    assert_int_equal(ocl_result(ocl, program), expected);
}

static const char callee[] = "__kernel void a(__global int *x) { x[0] = 40; }\n";
static const char caller[] = "__kernel void a(__global int *x);\n"
                             "__kernel void k(__global int *o) { a(o); o[0] += 2; }\n";

static void in_one_source(void **state)
{
    static const struct {
        const char *text;
        cl_int expected;
        const char *names;
    } cases[] = {
        {"__kernel void a(__global int *x) { x[0] = 1; }\n"
         "__kernel void k(__global int *x) { a(x); }\n",
         1, "a;k"},
        /* the callee stands behind; a function in between; twice, with no argument */
        {"__kernel void a(__global int *x);\n"
         "__kernel void k(__global int *x) { a(x); x[0] *= 7; }\n"
         "__kernel void a(__global int *x) { x[0] = 6; }\n",
         42, "k;a"},
        {"__kernel void nothing() { barrier(CLK_GLOBAL_MEM_FENCE); }\n"
         "__kernel void a(__global int *x, int i) { x[0] = x[0] * 10 + i; nothing(); }\n"
         "__attribute__((noinline)) void f(__global int *x) { a(x, 5); }\n"
         "__kernel void k(__global int *x) { x[0] = 0; nothing(); a(x, 4); f(x); a(x, 6); }\n",
         456, "nothing;a;k"},
        /* three deep, with required groups, names that begin alike, and its own local memory */
        {"__kernel void a(__global int *x) { __local int l[4]; l[get_local_id(0)] = 3;\n"
         "    barrier(CLK_LOCAL_MEM_FENCE); x[0] = l[0]; }\n"
         "__attribute__((reqd_work_group_size(64, 1, 1)))\n"
         "__kernel void aa(__global int *x) { a(x); x[0] += 4; }\n"
         "__kernel void k(__global int *x) { int y; aa(x); y = x[0]; a(x); x[0] += y; }\n",
         10, "a;aa;k"},
        /* itself */
        {"__kernel void a(__global int *x, int n) { if (n == 0) return; a(x, n - 1);\n"
         "    x[0] = x[0] * 10 + n; }\n"
         "__kernel void k(__global int *x) { x[0] = 0; a(x, 5); }\n",
         12345, "a;k"},
    };
    const struct ocl *ocl = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cl_program program = ocl_program(ocl, cases[i].text, ""), copy = ocl_again(ocl, program);
        runs(ocl, program, cases[i].expected, cases[i].names);
        assert_success(clBuildProgram(copy, 0, NULL, "", NULL, NULL));
        runs(ocl, copy, cases[i].expected, cases[i].names);
        assert_success(clReleaseProgram(program));
        assert_success(clReleaseProgram(copy));
    }
}

/* The kernel that is called can be launched, too. */
static void both_ways(void **state)
{
    const struct ocl *ocl = *state;
    cl_program program = ocl_program(ocl,
                                     "__kernel void k(__global int *x) { x[0] = 9; }\n__kernel "
                                     "void b(__global int *x) { k(x); }\n",
                                     "");
    runs(ocl, program, 9, "k;b");
    assert_success(clReleaseProgram(program));
}

static void across_programs(void **state)
{
    const struct ocl *ocl = *state;
    cl_program a = ocl_object(ocl, callee, ""), k = ocl_object(ocl, caller, "");
    cl_program direct = ocl_linked(ocl, "", a, k), other = ocl_linked(ocl, "", k, a);
    runs(ocl, direct, 42, "a;k");
    runs(ocl, other, 42, "k;a");
    cl_program library = ocl_linked(ocl, "-create-library", a, NULL),
               loaded = ocl_again(ocl, library);
    cl_program by_library = ocl_linked(ocl, "", loaded, k);
    runs(ocl, by_library, 42, "a;k");
    cl_program reloaded = ocl_again(ocl, by_library);
    assert_success(clBuildProgram(reloaded, 0, NULL, "", NULL, NULL));
    runs(ocl, reloaded, 42, "a;k");
    const cl_program all[] = {a, k, direct, other, library, loaded, by_library, reloaded};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        assert_success(clReleaseProgram(all[i]));
}

static void out_of_a_header(void **state)
{
    const struct ocl *ocl = *state;
    const char *name = "callee.h";
    cl_program header = ocl_source(ocl, callee);
    cl_program k = ocl_source(ocl, "#include \"callee.h\"\n"
                                   "__kernel void k(__global int *o) { a(o); o[0] += 3; }\n");
    if (clCompileProgram(k, 0, NULL, "", 1, &header, &name, NULL, NULL) != CL_SUCCESS)
        fail_msg("%s", ocl_log(ocl, k));
    cl_program program = ocl_linked(ocl, "", k, NULL);
    runs(ocl, program, 43, "a;k");
    assert_success(clReleaseProgram(header));
    assert_success(clReleaseProgram(k));
    assert_success(clReleaseProgram(program));
}

/* Values of all sizes, a struct, vectors, pointers to each memory, an image and a sampler. */
static void arguments_of_every_kind_arrive(void **state)
{
    static const char text[] =
        "typedef struct { int a[3]; char c; } pack;\n"
        "__kernel void a(__global int *x, char c, ushort h, float f, double d, pack p, float4 v,\n"
        "                __local int *l, __constant int *k, uchar3 u, long16 w, uint i, ulong n,\n"
        "                __read_only image2d_t image, sampler_t sampler) {\n"
        "    int at = get_local_id(0); l[at] = at; barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    x[at] = c + h + (int)f + (int)d + p.a[2] + p.c + (int)v.w + l[3 - at] + k[at] + u.z "
        "+\n"
        "            (int)w.s7 + (int)i + (int)(n >> 40) +\n"
        "            read_imagei(image, sampler, (int2)(at, 0)).x; }\n"
        "__kernel void k(__global int *x, __local int *l, __constant int *k,\n"
        "                __read_only image2d_t image, sampler_t sampler) {\n"
        "    pack p = {{0, 0, 600}, -7};\n"
        "    a(x, -3, 60000, 5.5f, 1e6, p, (float4)(0, 0, 0, 20), l, k, (uchar3)(0, 0, 200),\n"
        "      (long16)(7000), 4000000, (ulong)9 << 40, image, sampler); }\n";
    const struct ocl *ocl = *state;
    const cl_image_format format = {CL_R, CL_SIGNED_INT32};
    const cl_image_desc shape = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 1};
    cl_int error, seen[4], constants[4] = {100, 200, 300, 400}, texels[4] = {11, 22, 33, 44};
    const size_t items = 4;
    cl_kernel kernel = ocl_kernel(ocl, text, "k");
    cl_mem out = ocl_buffer(ocl, sizeof seen, NULL),
           k = ocl_buffer(ocl, sizeof constants, constants);
    cl_mem image = clCreateImage(ocl->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format,
                                 &shape, texels, &error);
    assert_success(error);
    cl_sampler sampler =
        clCreateSampler(ocl->context, CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &error);
    assert_success(error);
    assert_arg(kernel, 0, out);
    assert_success(clSetKernelArg(kernel, 1, 4 * sizeof(cl_int), NULL));
    assert_arg(kernel, 2, k);
    assert_arg(kernel, 3, image);
    assert_arg(kernel, 4, sampler);
    ocl_run(ocl, kernel, items, items);
    ocl_read(ocl, out, sizeof seen, seen);
    for (int i = 0; i < 4; i++)
        assert_int_equal(seen[i], -3 + 60000 + 5 + 1000000 + 600 - 7 + 20 + (3 - i) + constants[i] +
                                      200 + 7000 + 4000000 + 9 + texels[i]);
    assert_success(clReleaseSampler(sampler));
    assert_success(clReleaseMemObject(image));
    assert_success(clReleaseMemObject(k));
    assert_success(clReleaseMemObject(out));
    assert_success(clReleaseKernel(kernel));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_one_source),
        cmocka_unit_test(both_ways),
        cmocka_unit_test(across_programs),
        cmocka_unit_test(out_of_a_header),
        cmocka_unit_test(arguments_of_every_kind_arrive),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}

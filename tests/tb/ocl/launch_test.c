/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/launch_test.c: what kernels see of a launch: ids, sizes, offsets, and every kind of
 * argument. The expectations are counted out in plain loops. */
#include <stdio.h>
#include <string.h>

#include "tests/tb/ocl/ocl_support.h"

enum { FACTS = 8 };

static const char ids_source[] =
    "__kernel void ids(__global ulong *out) {\n"
    "    size_t at = 0;\n"
    "    for (uint d = get_work_dim(); d-- > 0;)\n"
    "        at = at * get_global_size(d) + get_global_id(d) - get_global_offset(d);\n"
    "    for (uint d = 0; d < 4; d++) {\n"
    "        __global ulong *o = out + (at * 4 + d) * 8;\n"
    "        o[0] = get_global_id(d); o[1] = get_local_id(d); o[2] = get_group_id(d);\n"
    "        o[3] = get_global_size(d); o[4] = get_local_size(d); o[5] = get_num_groups(d);\n"
    "        o[6] = get_global_offset(d); o[7] = get_work_dim();\n"
    "    }\n"
    "}\n";

struct shape {
    cl_uint dim;
    size_t offset[3], global[3], local[3];
};

/* What one work-item must see in dimension d. Dimensions past the last are of one element. */
static void expect_facts(const struct shape *s, cl_uint d, size_t index, const cl_ulong *seen)
{
    const int inside = d < s->dim;
    const cl_ulong offset = inside ? s->offset[d] : 0, global = inside ? s->global[d] : 1,
                   local = inside ? s->local[d] : 1;
    const cl_ulong expected[FACTS] = {index + offset, index % local,  index / local, global,
                                      local,          global / local, offset,        s->dim};
    for (int i = 0; i < FACTS; i++)
        if (seen[i] != expected[i])
            fail_msg("dimension %u of %u, index %zu: fact %d is %lu, expected %lu", d, s->dim,
                     index, i, (unsigned long)seen[i], (unsigned long)expected[i]);
}

static void ids_are_those_of_the_range(void **state)
{
    static const struct shape shapes[] = {
        {1, {0}, {64}, {64}},
        {1, {5}, {96}, {1}},
        {1, {1000003}, {65}, {13}},
        {2, {0, 0}, {24, 6}, {8, 3}},
        {2, {7, 9}, {33, 5}, {11, 5}},
        {3, {0, 0, 0}, {4, 6, 10}, {2, 3, 5}},
        {3, {1, 2, 3}, {7, 3, 2}, {7, 1, 2}},
        {3, {0, 0, 4294967290u}, {1, 1, 5}, {1, 1, 5}},
    };
    const struct ocl *ocl = *state;
    cl_kernel kernel = ocl_kernel(ocl, ids_source, "ids");
    for (size_t n = 0; n < sizeof shapes / sizeof shapes[0]; n++) {
        const struct shape *s = &shapes[n];
        const size_t g[3] = {s->global[0], s->dim > 1 ? s->global[1] : 1,
                             s->dim > 2 ? s->global[2] : 1};
        const size_t items = g[0] * g[1] * g[2];
        static cl_ulong seen[512][4][FACTS];
        assert_in_range(items, 1, 512);
        cl_mem out = ocl_buffer(ocl, items * sizeof seen[0], NULL);
        assert_arg(kernel, 0, out);
        assert_success(clEnqueueNDRangeKernel(ocl->queue, kernel, s->dim, s->offset, s->global,
                                              s->local, 0, NULL, NULL));
        ocl_read(ocl, out, items * sizeof seen[0], seen);
        for (size_t z = 0; z < g[2]; z++)
            for (size_t y = 0; y < g[1]; y++)
                for (size_t x = 0; x < g[0]; x++) {
                    const size_t index[4] = {x, y, z, 0};
                    for (cl_uint d = 0; d < 4; d++)
                        expect_facts(s, d, index[d], seen[(z * g[1] + y) * g[0] + x][d]);
                }
        assert_success(clReleaseMemObject(out));
    }
    assert_success(clReleaseKernel(kernel));
}

/* A size left open: a group that divides the range, of at most 256, whole warps where possible. */
static void the_driver_chooses_a_group(void **state)
{
    static const struct {
        cl_uint dim;
        size_t global[3], local[3];
    } cases[] = {
        {1, {1024}, {256, 1, 1}},  {1, {96}, {96, 1, 1}},      {1, {1000}, {250, 1, 1}},
        {1, {257}, {1, 1, 1}},     {1, {7}, {7, 1, 1}},        {1, {320}, {160, 1, 1}},
        {2, {64, 64}, {64, 4, 1}}, {2, {10, 10}, {10, 10, 1}}, {3, {16, 16, 16}, {16, 16, 1}},
        {3, {3, 5, 7}, {3, 5, 7}},
    };
    static const char source[] = "__kernel void k(__global ulong *o) {\n"
                                 "    for (int d = 0; d < 3; d++) o[d] = get_local_size(d); }\n";
    const struct ocl *ocl = *state;
    cl_kernel kernel = ocl_kernel(ocl, source, "k");
    cl_mem out = ocl_buffer(ocl, 3 * sizeof(cl_ulong), NULL);
    assert_arg(kernel, 0, out);
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        cl_ulong seen[3];
        assert_success(clEnqueueNDRangeKernel(ocl->queue, kernel, cases[n].dim, NULL,
                                              cases[n].global, NULL, 0, NULL, NULL));
        ocl_read(ocl, out, sizeof seen, seen);
        for (int d = 0; d < 3; d++)
            assert_int_equal(seen[d], cases[n].local[d]);
    }
    assert_success(clReleaseMemObject(out));
    assert_success(clReleaseKernel(kernel));
}

static void values_of_every_size_arrive(void **state)
{
    static const char source[] =
        "typedef struct { char c; int i; double d; short s[3]; } pack;\n"
        "__kernel void k(__global double *o, char c, ushort s, int i, ulong l, float f, double d,\n"
        "                float3 v, pack p) {\n"
        "    o[0] = c; o[1] = s; o[2] = i; o[3] = l; o[4] = f; o[5] = d;\n"
        "    o[6] = v.x; o[7] = v.y; o[8] = v.z;\n"
        "    o[9] = p.c; o[10] = p.i; o[11] = p.d; o[12] = p.s[0]; o[13] = p.s[2]; }\n";
    const struct ocl *ocl = *state;
    const cl_char c = -5;
    const cl_ushort s = 60000;
    const cl_int i = -123456789;
    const cl_ulong l = (cl_ulong)1 << 52;
    const cl_float f = 0.375f;
    const cl_double d = -1e300;
    const cl_float3 v = {{1.5f, -2.5f, 3.5f, 99}};
    const struct {
        cl_char c;
        cl_int i;
        cl_double d;
        cl_short s[3];
    } p = {-7, 70000, 0.1, {-300, 0, 301}};
    const double expected[] = {-5,   60000, -123456789, 0x1p52, 0.375, -1e300, 1.5,
                               -2.5, 3.5,   -7,         70000,  0.1,   -300,   301};
    double seen[14];
    cl_kernel kernel = ocl_kernel(ocl, source, "k");
    cl_mem out = ocl_buffer(ocl, sizeof seen, NULL);
    assert_arg(kernel, 0, out);
    assert_arg(kernel, 1, c);
    assert_arg(kernel, 2, s);
    assert_arg(kernel, 3, i);
    assert_arg(kernel, 4, l);
    assert_arg(kernel, 5, f);
    assert_arg(kernel, 6, d);
    assert_arg(kernel, 7, v);
    assert_arg(kernel, 8, p);
    ocl_run(ocl, kernel, 1, 1);
    ocl_read(ocl, out, sizeof seen, seen);
    for (size_t n = 0; n < 14; n++)
        assert_true(seen[n] == expected[n]);
    assert_success(clReleaseMemObject(out));
    assert_success(clReleaseKernel(kernel));
}

/* Static local memory and two dynamic pieces, which must not overlap. */
static void local_memory_is_separate(void **state)
{
    static const char source[] =
        "__kernel void k(__global int *o, __local int *a, __local char *b, __global int *null) {\n"
        "    __local int c[64];\n"
        "    size_t i = get_local_id(0), j = 63 - i;\n"
        "    a[i] = i; b[i] = 64 + i; c[i] = 128 + i;\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    o[get_global_id(0)] = null ? -1 : a[j] + 1000 * b[j] + 1000000 * c[j]; }\n";
    const struct ocl *ocl = *state;
    cl_kernel kernel = ocl_kernel(ocl, source, "k");
    cl_mem out = ocl_buffer(ocl, 256 * sizeof(cl_int), NULL), null = NULL;
    cl_ulong local;
    int seen[256];
    assert_arg(kernel, 0, out);
    assert_success(clSetKernelArg(kernel, 1, 64 * sizeof(cl_int), NULL));
    assert_success(clSetKernelArg(kernel, 2, 64, NULL));
    assert_arg(kernel, 3, null);
    assert_success(clGetKernelWorkGroupInfo(kernel, ocl->device, CL_KERNEL_LOCAL_MEM_SIZE,
                                            sizeof local, &local, NULL));
    assert_int_equal(local, 256 + 256 + 64);
    ocl_run(ocl, kernel, 256, 64);
    ocl_read(ocl, out, sizeof seen, seen);
    for (int i = 0; i < 256; i++) {
        const int j = 63 - i % 64;
        assert_int_equal(seen[i], j + 1000 * (64 + j) + 1000000 * (128 + j));
    }
    assert_success(clSetKernelArg(kernel, 3, sizeof null, NULL));
    ocl_run(ocl, kernel, 64, 64);
    assert_success(clReleaseMemObject(out));
    assert_success(clReleaseKernel(kernel));
}

/* Each piece of local memory is aligned for the largest type, long16, whatever lies before it. */
static void local_arguments_are_aligned(void **state)
{
    static const char source[] =
        "__kernel void k(__global ulong *o, __local char *a, __local long16 *b, __local char *c,\n"
        "                __local long16 *d) {\n"
        "    __local char e[5]; for (int i = 0; i < 5; i++) e[i] = a[i] = c[i] = i;\n"
        "    b[0] = (long16)(3); d[0] = (long16)(4);\n"
        "    o[0] = (ulong)a; o[1] = (ulong)b; o[2] = (ulong)c; o[3] = (ulong)d;\n"
        "    o[4] = a[4] + 10 * c[4] + 100 * e[4] + 1000 * b[0].sf + 10000 * d[0].s0; }\n";
    const struct ocl *ocl = *state;
    cl_ulong seen[5];
    cl_kernel kernel = ocl_kernel(ocl, source, "k");
    cl_mem out = ocl_buffer(ocl, sizeof seen, NULL);
    static const size_t sizes[] = {5, 128, 129, 256};
    assert_arg(kernel, 0, out);
    for (cl_uint i = 0; i < 4; i++)
        assert_success(clSetKernelArg(kernel, i + 1, sizes[i], NULL));
    ocl_run(ocl, kernel, 1, 1);
    ocl_read(ocl, out, sizeof seen, seen);
    for (int i = 0; i < 4; i++)
        assert_int_equal(seen[i] % 128, 0);
    for (int i = 0; i < 3; i++)
        assert_true(seen[i + 1] >= seen[i] + sizes[i]);
    assert_int_equal(seen[4], 43444);
    assert_success(clReleaseMemObject(out));
    assert_success(clReleaseKernel(kernel));
}

static void constants_and_variables_have_their_values(void **state)
{
    static const char source[] = "__constant int table[4] = {10, 20, 30, 40};\n"
                                 "__kernel void k(__global int *o, __constant int *c) {\n"
                                 "    size_t i = get_global_id(0); o[i] = table[i % 4] + c[i]; }\n";
    const struct ocl *ocl = *state;
    const cl_int addends[6] = {1, 2, 3, 4, 5, 6}, expected[6] = {11, 22, 33, 44, 15, 26};
    cl_int seen[6];
    cl_kernel kernel = ocl_kernel(ocl, source, "k");
    cl_mem out = ocl_buffer(ocl, sizeof seen, NULL);
    cl_mem in = ocl_buffer(ocl, sizeof addends, addends);
    assert_arg(kernel, 0, out);
    assert_arg(kernel, 1, in);
    ocl_run(ocl, kernel, 6, 0);
    ocl_read(ocl, out, sizeof seen, seen);
    assert_memory_equal(seen, expected, sizeof expected);
    assert_success(clReleaseMemObject(in));
    assert_success(clReleaseMemObject(out));
    assert_success(clReleaseKernel(kernel));
}

/* Arguments are those at the enqueue; a task is one work-item; the required group is kept. */
static void arguments_are_read_at_the_enqueue(void **state)
{
    static const char source[] =
        "__kernel void k(__global int *o, int v) { o[v] = get_global_size(0); }\n"
        "__kernel __attribute__((reqd_work_group_size(4, 2, 1))) void r(__global int *o) {\n"
        "    o[0] = get_local_size(0) * 10 + get_local_size(1); }\n";
    const struct ocl *ocl = *state;
    cl_int error, seen[2], v = 0;
    size_t group[3], most;
    const size_t global[2] = {8, 2}, right[2] = {4, 2}, wrong[2] = {2, 2};
    cl_program program = ocl_program(ocl, source, NULL);
    cl_kernel k = clCreateKernel(program, "k", &error), r = clCreateKernel(program, "r", &error);
    cl_mem out = ocl_buffer(ocl, sizeof seen, NULL);
    cl_event gate = clCreateUserEvent(ocl->context, &error);
    assert_arg(k, 0, out);
    assert_arg(k, 1, v);
    assert_success(clEnqueueNDRangeKernel(ocl->queue, k, 1, NULL, global, right, 1, &gate, NULL));
    v = 1;
    assert_arg(k, 1, v);
    assert_success(clEnqueueTask(ocl->queue, k, 0, NULL, NULL));
    assert_success(clSetUserEventStatus(gate, CL_COMPLETE));
    ocl_read(ocl, out, sizeof seen, seen);
    assert_int_equal(seen[0], 8);
    assert_int_equal(seen[1], 1);
    assert_arg(r, 0, out);
    assert_success(clGetKernelWorkGroupInfo(r, ocl->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                            sizeof group, group, NULL));
    assert_int_equal(group[0], 4);
    assert_int_equal(group[1], 2);
    assert_int_equal(group[2], 1);
    assert_success(
        clGetKernelWorkGroupInfo(r, NULL, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL));
    assert_int_equal(most, 8);
    assert_int_equal(clEnqueueNDRangeKernel(ocl->queue, r, 2, NULL, global, wrong, 0, NULL, NULL),
                     CL_INVALID_WORK_GROUP_SIZE);
    assert_success(clEnqueueNDRangeKernel(ocl->queue, r, 2, NULL, global, right, 0, NULL, NULL));
    ocl_read(ocl, out, sizeof seen, seen);
    assert_int_equal(seen[0], 42);
    assert_success(clReleaseEvent(gate));
    assert_success(clReleaseMemObject(out));
    assert_success(clReleaseKernel(r));
    assert_success(clReleaseKernel(k));
    assert_success(clReleaseProgram(program));
}

/* A size left open is the one that the kernel requires, if it divides the range. */
static void the_required_group_is_taken(void **state)
{
    static const char source[] =
        "__kernel __attribute__((reqd_work_group_size(4, 2, 1))) void k(__global int *o) {\n"
        "    o[0] = get_local_size(0) * 100 + get_local_size(1) * 10 + get_local_size(2); }\n";
    static const struct {
        cl_uint dim;
        size_t global[3];
        cl_int error;
    } cases[] = {
        {2, {8, 2}, CL_SUCCESS},
        {3, {4, 6, 3}, CL_SUCCESS},
        {2, {8, 3}, CL_INVALID_WORK_GROUP_SIZE},
        {2, {6, 2}, CL_INVALID_WORK_GROUP_SIZE},
        {1, {8}, CL_INVALID_WORK_GROUP_SIZE}, /* has no second dimension */
    };
    const struct ocl *ocl = *state;
    cl_kernel kernel = ocl_kernel(ocl, source, "k");
    cl_int seen = 0;
    cl_mem out = ocl_buffer(ocl, sizeof seen, &seen);
    assert_arg(kernel, 0, out);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(clEnqueueNDRangeKernel(ocl->queue, kernel, cases[i].dim, NULL,
                                                cases[i].global, NULL, 0, NULL, NULL),
                         cases[i].error);
        ocl_read(ocl, out, sizeof seen, &seen);
        assert_int_equal(seen, cases[i].error == CL_SUCCESS ? 421 : 0);
        seen = 0;
        assert_success(
            clEnqueueWriteBuffer(ocl->queue, out, CL_TRUE, 0, sizeof seen, &seen, 0, NULL, NULL));
    }
    assert_success(clReleaseMemObject(out));
    assert_success(clReleaseKernel(kernel));
}

static void sub_buffers_are_parts(void **state)
{
    static const char source[] = "__kernel void k(__global int *o) { o[get_global_id(0)] += 1; }\n";
    const struct ocl *ocl = *state;
    cl_int error, seen[128] = {0};
    const cl_buffer_region region = {256, 64};
    cl_kernel kernel = ocl_kernel(ocl, source, "k");
    cl_mem whole = ocl_buffer(ocl, sizeof seen, seen);
    cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    assert_success(error);
    assert_arg(kernel, 0, part);
    ocl_run(ocl, kernel, 16, 16);
    ocl_read(ocl, whole, sizeof seen, seen);
    for (int i = 0; i < 128; i++)
        assert_int_equal(seen[i], i >= 64 && i < 80);
    assert_success(clReleaseMemObject(whole)); /* the part keeps its whole alive */
    ocl_run(ocl, kernel, 16, 16);
    ocl_read(ocl, part, 64, seen);
    assert_int_equal(seen[15], 2);
    assert_success(clReleaseMemObject(part));
    assert_success(clReleaseKernel(kernel));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_are_those_of_the_range),
        cmocka_unit_test(the_driver_chooses_a_group),
        cmocka_unit_test(values_of_every_size_arrive),
        cmocka_unit_test(local_memory_is_separate),
        cmocka_unit_test(local_arguments_are_aligned),
        cmocka_unit_test(constants_and_variables_have_their_values),
        cmocka_unit_test(arguments_are_read_at_the_enqueue),
        cmocka_unit_test(the_required_group_is_taken),
        cmocka_unit_test(sub_buffers_are_parts),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/devlib_atomic_test.c: atomics and barriers of the device library, in both address
 * spaces and on all types. Results do not depend on the order in which work-items come. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tb/ocl/ocl_support.h"

enum { ITEMS = 512, GROUP = 128, CELLS = 12 };

/* Each work-item i acts on each cell; cells of local memory are merged into global ones at the end
 * of the group. `old` gets what inc, xchg and add found. */
static const char source[] =
    "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
    "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n"
    "#define CAT_(a, b) a##b\n"
    "#define CAT(a, b) CAT_(a, b)\n"
    "#define A(name) CAT(PREFIX, name)\n"
    "#define ACT(cells)\\\n"
    "    old[i] = A(inc)(&cells[0]);\\\n"
    "    A(add)(&cells[1], (T)(3 * i + 1)); A(sub)(&cells[2], (T)i); A(dec)(&cells[3]);\\\n"
    "    A(min)(&cells[4], (T)(i * 37 % 512) - (T)100); A(max)(&cells[5], (T)(i * 37 % 512) - "
    "(T)100);\\\n"
    "    A(and)(&cells[6], ~((T)1 << (i % 31))); A(or)(&cells[7], (T)1 << (i % 30));\\\n"
    "    A(xor)(&cells[8], (T)i * (T)0x1234567);\\\n"
    "    old[512 + i] = A(xchg)(&cells[9], (T)(i + 1));\\\n"
    "    for (T seen = cells[10], before; ; seen = before)\\\n"
    "        if ((before = A(cmpxchg)(&cells[10], seen, seen + (T)i)) == seen) break;\n"
    "__kernel void in_global(__global T *o, __global T *old) {\n"
    "    size_t i = get_global_id(0); ACT(o) }\n"
    "__kernel void in_local(__global T *o, __global T *old) {\n"
    "    __local T l[12]; size_t i = get_global_id(0), j = get_local_id(0);\n"
    "    if (j < 12) l[j] = o[j];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    ACT(l)\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (j < 12) o[12 * (1 + get_group_id(0)) + j] = l[j]; }\n";

static const struct type {
    const char *name, *prefix;
    int bytes, is_signed;
} types[] = {{"int", "atomic_", 4, 1}, {"uint", "atomic_", 4, 0}, {"int", "atom_", 4, 1},
             {"uint", "atom_", 4, 0},  {"long", "atom_", 8, 1},   {"ulong", "atom_", 8, 0}};

static long long get(const struct type *t, const void *array, int i)
{
    long long x = 0;
    memcpy(&x, (const char *)array + i * t->bytes, (size_t)t->bytes);
    return t->bytes == 8 ? x : t->is_signed ? (long long)(int)x : (long long)(unsigned)x;
}

static long long truncated(const struct type *t, long long x)
{
    return t->bytes == 8 ? x : t->is_signed ? (long long)(int)x : (long long)(unsigned)x;
}

/* Whether a comes before b in the type. */
static int less(const struct type *t, long long a, long long b)
{
    return t->is_signed ? a < b : (unsigned long long)a < (unsigned long long)b;
}

static void expect_cells(const struct type *t, const long long *initial, int from, int to,
                         const void *cells)
{
    long long e[CELLS];
    memcpy(e, initial, sizeof e);
    for (int i = from; i < to; i++) {
        const long long spread = truncated(t, i * 37 % 512 - 100ll);
        e[0]++;
        e[1] += 3 * i + 1;
        e[2] -= i;
        e[3]--;
        e[4] = less(t, spread, e[4]) ? spread : e[4];
        e[5] = less(t, e[5], spread) ? spread : e[5];
        e[6] &= ~(1ll << (i % 31));
        e[7] |= 1ll << (i % 30);
        e[8] ^= i * 0x1234567ll;
        e[10] += i;
    }
    for (int c = 0; c < CELLS; c++)
        if (c != 9 && get(t, cells, c) != truncated(t, e[c]))
            fail_msg("%s, %s cell %d: %llx, expected %llx", t->prefix, t->name, c,
                     (unsigned long long)get(t, cells, c), (unsigned long long)e[c]);
}

/* What inc found is each number once; what xchg found, with what it left, is each value once. */
static void expect_old(const struct type *t, const void *old, int from, int to, long long last)
{
    char counted[ITEMS] = {0}, exchanged[ITEMS + 1] = {0};
    for (int i = from; i < to; i++) {
        const long long count = get(t, old, i), value = get(t, old, ITEMS + i);
        assert_in_range(count, 0, to - from - 1);
        assert_int_equal(counted[count]++, 0);
        assert_in_range(value, 0, ITEMS);
        assert_int_equal(exchanged[value]++, 0);
    }
    assert_in_range(last, from + 1, to);
    assert_int_equal(exchanged[last], 0);
    assert_int_equal(exchanged[0], 1); /* the initial value */
}

static void check(const struct ocl *ocl, const struct type *t, int is_local)
{
    static unsigned char o[5 * CELLS * 8], old[2 * ITEMS * 8];
    const long long initial[CELLS] = {0, 5, 7, 9, 300, 40, -1, 0, 12345, 0, 0, 77};
    char options[64];
    cl_int error;
    for (int c = 0; c < CELLS; c++)
        memcpy(o + c * t->bytes, &initial[c], (size_t)t->bytes);
    snprintf(options, sizeof options, "-DT=%s -DPREFIX=%s", t->name, t->prefix);
    cl_program program = ocl_program(ocl, source, options);
    cl_kernel kernel = clCreateKernel(program, is_local ? "in_local" : "in_global", &error);
    cl_mem cells = ocl_buffer(ocl, sizeof o, o), olds = ocl_buffer(ocl, sizeof old, NULL);
    assert_arg(kernel, 0, cells);
    assert_arg(kernel, 1, olds);
    ocl_run(ocl, kernel, ITEMS, GROUP);
    ocl_read(ocl, cells, sizeof o, o);
    ocl_read(ocl, olds, sizeof old, old);
    for (int g = 0; is_local && g < ITEMS / GROUP; g++) {
        const unsigned char *group = o + (1 + g) * CELLS * t->bytes;
        expect_cells(t, initial, g * GROUP, (g + 1) * GROUP, group);
        expect_old(t, old, g * GROUP, (g + 1) * GROUP, get(t, group, 9));
    }
    if (!is_local) {
        expect_cells(t, initial, 0, ITEMS, o);
        expect_old(t, old, 0, ITEMS, get(t, o, 9));
    }
    assert_success(clReleaseMemObject(cells));
    assert_success(clReleaseMemObject(olds));
    assert_success(clReleaseKernel(kernel));
    assert_success(clReleaseProgram(program));
}

static void atomics_lose_nothing(void **state)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        check(*state, &types[i], 0);
        check(*state, &types[i], 1);
    }
}

static void floats_are_exchanged(void **state)
{
    static const char exchange[] =
        "__kernel void k(__global float *o) { __local float l; l = o[1];\n"
        "    o[2] = atomic_xchg(o, 2.5f); o[3] = atomic_xchg(&l, -1.0f); o[4] = l; }\n";
    const struct ocl *ocl = *state;
    const float initial[5] = {0.125f, 8}, expected[5] = {2.5f, 8, 0.125f, 8, -1};
    float seen[5];
    cl_kernel kernel = ocl_kernel(ocl, exchange, "k");
    cl_mem o = ocl_buffer(ocl, sizeof initial, initial);
    assert_arg(kernel, 0, o);
    ocl_run(ocl, kernel, 1, 1);
    ocl_read(ocl, o, sizeof seen, seen);
    assert_memory_equal(seen, expected, sizeof seen);
    assert_success(clReleaseMemObject(o));
    assert_success(clReleaseKernel(kernel));
}

/* A reduction over local memory, which fails where a barrier lets a warp through too early. */
static void barriers_order_a_reduction(void **state)
{
    static const char reduction[] =
        "__kernel void k(__global int *o, __global int *a, __local int *l) {\n"
        "    size_t j = get_local_id(0), n = get_local_size(0);\n"
        "    l[j] = a[get_global_id(0)];\n"
        "    for (size_t s = n / 2; s > 0; s /= 2) {\n"
        "        barrier(CLK_LOCAL_MEM_FENCE);\n"
        "        if (j < s) l[j] += l[j + s];\n"
        "        mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
        "    }\n"
        "    if (j == 0) o[get_group_id(0)] = l[0]; }\n";
    const struct ocl *ocl = *state;
    cl_int a[1024], seen[2] = {0}, sum[2] = {0};
    size_t most, group = 512;
    assert_success(
        clGetDeviceInfo(ocl->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL));
    while (group > most)
        group /= 2;
    assert_in_range(group, 64, 512); /* of several warps */
    srand(6);
    for (size_t i = 0; i < 2 * group; i++)
        sum[i / group] += a[i] = rand() % 100000;
    cl_kernel kernel = ocl_kernel(ocl, reduction, "k");
    cl_mem o = ocl_buffer(ocl, sizeof seen, NULL), in = ocl_buffer(ocl, 2 * group * sizeof *a, a);
    assert_arg(kernel, 0, o);
    assert_arg(kernel, 1, in);
    assert_success(clSetKernelArg(kernel, 2, group * sizeof(cl_int), NULL));
    ocl_run(ocl, kernel, 2 * group, group);
    ocl_read(ocl, o, sizeof seen, seen);
    assert_memory_equal(seen, sum, sizeof sum);
    assert_success(clReleaseMemObject(o));
    assert_success(clReleaseMemObject(in));
    assert_success(clReleaseKernel(kernel));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(atomics_lose_nothing),
        cmocka_unit_test(floats_are_exchanged),
        cmocka_unit_test(barriers_order_a_reduction),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}

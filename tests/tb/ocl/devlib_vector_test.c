/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/devlib_vector_test.c: functions that move elements about, for all types and sizes:
 * vload and vstore in every address space, select, bitselect, any, all, shuffle, shuffle2, as_, and
 * copies by a work group; against the host's own moves. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tb/ocl/ocl_support.h"

enum { ITEMS = 8, MAX_N = 16, ELEMENTS = ITEMS * MAX_N, SECTIONS = 15, NUM_TYPES = 10 };

/* C: the unsigned type of the size, S the signed one. */
static const struct type {
    const char *name, *c, *s;
    size_t bytes;
    int is_signed; /* an integer for any() and all() */
} types[NUM_TYPES] = {
    {"char", "uchar", "char", 1, 1},    {"uchar", "uchar", "char", 1, 0},
    {"short", "ushort", "short", 2, 1}, {"ushort", "ushort", "short", 2, 0},
    {"int", "uint", "int", 4, 1},       {"uint", "uint", "int", 4, 0},
    {"long", "ulong", "long", 8, 1},    {"ulong", "ulong", "long", 8, 0},
    {"float", "uint", "int", 4, 0},     {"double", "ulong", "long", 8, 0},
};
static const int sizes[] = {2, 3, 4, 8, 16}, sources[] = {2, 4, 8, 16};

/* Section s of the output is o + s * ELEMENTS; addresses are odd by an element. */
static const char text[] =
    "#define CAT_(a, b) a##b\n#define CAT(a, b) CAT_(a, b)\n"
    "#define V(n) CAT(T, n)\n#define OUT(s) o + (s) * ELEMENTS\n"
    "#define COMMON(n)\\\n"
    "__kernel void common_##n(__global T *o, __global T *a, __global C *m, __constant T *c) {\\\n"
    "    int i = get_global_id(0); __local T l[ELEMENTS + 1]; T p[2 * n + 1];\\\n"
    "    V(n) x = vload##n(i, a + 1), y = vload##n(i, c + 1); CAT(C, n) k = vload##n(i, m);\\\n"
    "    vstore##n(x, i, OUT(0)); vstore##n(y, i, OUT(1));\\\n"
    "    vstore##n(x, i, l + 1); barrier(CLK_LOCAL_MEM_FENCE); vstore##n(vload##n(i, l + 1), i, "
    "OUT(2));\\\n"
    "    vstore##n(x, 1, p + 1); vstore##n(vload##n(1, p + 1), i, OUT(3));\\\n"
    "    vstore##n(select(x, y, CAT(CAT(as_, S), n)(k)), i, OUT(4));\\\n"
    "    vstore##n(select(x, y, k), i, OUT(5));\\\n"
    "    vstore##n(bitselect(x, y, CAT(CAT(as_, T), n)(k)), i, OUT(6));\\\n"
    "    ANY_ALL(n)\\\n"
    "}\n"
    "#define SHUFFLES(n)\\\n"
    "__kernel void shuffle_##n(__global T *o, __global T *a, __global C *m, __constant T *c) {\\\n"
    "    int i = get_global_id(0); CAT(C, n) k = vload##n(i, m);\\\n"
    "    SHUFFLE(n, 2, 0) SHUFFLE(n, 4, 1) SHUFFLE(n, 8, 2) SHUFFLE(n, 16, 3) }\n"
    "#define SHUFFLE(n, from, s)\\\n"
    "    vstore##n(shuffle(vload##from(0, a), k), i, OUT(s));\\\n"
    "    vstore##n(shuffle2(vload##from(0, a), vload##from(0, c), k), i, OUT(4 + s));\n"
    "#define COPIES(n)\\\n"
    "__kernel void copy_##n(__global T *o, __global T *a, __global C *m, __constant T *c) {\\\n"
    "    __local V(n) l[ITEMS]; __local T s[ITEMS]; __global V(n) *from = (__global V(n) *)a;\\\n"
    "    prefetch(from, ITEMS); prefetch(a, ITEMS);\\\n"
    "    event_t e[2]; e[0] = async_work_group_copy(l, from, ITEMS, 0);\\\n"
    "    e[1] = async_work_group_strided_copy(s, a, ITEMS, n, 0); wait_group_events(2, e);\\\n"
    "    e[0] = async_work_group_strided_copy((__global V(n) *)(o), l, ITEMS / 2, 2, 0);\\\n"
    "    e[0] = async_work_group_copy(OUT(2), s, ITEMS, e[0]); wait_group_events(1, e); }\n"
    "COMMON(2) COMMON(3) COMMON(4) COMMON(8) COMMON(16)\n"
    "SHUFFLES(2) SHUFFLES(4) SHUFFLES(8) SHUFFLES(16)\n"
    "COPIES(2) COPIES(4) COPIES(8) COPIES(16)\n";

/* Inputs of all kernels and their output, in bytes of the type. */
struct run {
    const struct type *type;
    unsigned char a[(ELEMENTS + 1) * 8], c[(ELEMENTS + 1) * 8], m[ELEMENTS * 8],
        out[SECTIONS * ELEMENTS * 8];
};

static const unsigned char *element(const struct run *r, const unsigned char *array, int i)
{
    return array + (size_t)i * r->type->bytes;
}

static void run_kernel(const struct ocl *ocl, cl_program program, const char *form, int n,
                       struct run *r)
{
    const size_t bytes = r->type->bytes;
    char name[32];
    cl_int error;
    snprintf(name, sizeof name, "%s_%d", form, n);
    cl_kernel kernel = clCreateKernel(program, name, &error);
    assert_success(error);
    cl_mem memories[] = {ocl_buffer(ocl, SECTIONS * ELEMENTS * bytes, NULL),
                         ocl_buffer(ocl, (ELEMENTS + 1) * bytes, r->a),
                         ocl_buffer(ocl, ELEMENTS * bytes, r->m),
                         ocl_buffer(ocl, (ELEMENTS + 1) * bytes, r->c)};
    for (cl_uint i = 0; i < 4; i++)
        assert_arg(kernel, i, memories[i]);
    ocl_run(ocl, kernel, ITEMS, ITEMS);
    ocl_read(ocl, memories[0], SECTIONS * ELEMENTS * bytes, r->out);
    for (int i = 0; i < 4; i++)
        assert_success(clReleaseMemObject(memories[i]));
    assert_success(clReleaseKernel(kernel));
}

/* Element `i` of section `s` is what is expected. */
static void expect(const struct run *r, const char *what, int n, int s, int i,
                   const unsigned char *expected)
{
    if (memcmp(element(r, r->out, s * ELEMENTS + i), expected, r->type->bytes) != 0)
        fail_msg("%s%d: %s, element %d", r->type->name, n, what, i);
}

static int top_bit(const struct run *r, int i)
{
    return element(r, r->m, i)[r->type->bytes - 1] >> 7;
}

static void check_common(const struct run *r, int n)
{
    static const char *const loads[] = {"vload __global", "vload __constant", "vload __local",
                                        "vload __private"};
    for (int i = 0; i < ITEMS * n; i++) {
        const unsigned char *x = element(r, r->a, i + 1), *y = element(r, r->c, i + 1);
        unsigned char mixed[8];
        for (int s = 0; s < 4; s++)
            expect(r, loads[s], n, s, i, s == 1 ? y : x);
        expect(r, "select by signed", n, 4, i, top_bit(r, i) ? y : x);
        expect(r, "select by unsigned", n, 5, i, top_bit(r, i) ? y : x);
        for (size_t b = 0; b < r->type->bytes; b++) {
            const unsigned char mask = element(r, r->m, i)[b];
            mixed[b] = (unsigned char)((x[b] & ~mask) | (y[b] & mask));
        }
        expect(r, "bitselect", n, 6, i, mixed);
    }
    for (int item = 0; item < ITEMS && r->type->is_signed; item++) {
        unsigned char any[8] = {0}, all[8] = {1};
        for (int e = 0; e < n; e++) {
            any[0] |= (unsigned char)top_bit(r, item * n + e);
            all[0] &= (unsigned char)top_bit(r, item * n + e);
        }
        expect(r, "any", n, 7, item, any);
        expect(r, "all", n, 8, item, all);
    }
}

static void check_shuffles(const struct run *r, int n)
{
    for (int s = 0; s < 4; s++)
        for (int i = 0; i < ITEMS * n; i++) {
            const int mask = element(r, r->m, i)[0], from = sources[s];
            const int one = mask & (from - 1), two = mask & (2 * from - 1);
            expect(r, "shuffle", n, s, i, element(r, r->a, one));
            expect(r, "shuffle2", n, 4 + s, i,
                   two < from ? element(r, r->a, two) : element(r, r->c, two - from));
        }
}

static void check_copies(const struct run *r, int n)
{
    for (int v = 0; v < ITEMS / 2; v++)
        for (int e = 0; e < n; e++)
            expect(r, "async_work_group_copy", n, 0, 2 * v * n + e, element(r, r->a, v * n + e));
    for (int i = 0; i < ITEMS; i++)
        expect(r, "async_work_group_strided_copy", n, 2, i, element(r, r->a, i * n));
}

static void elements_go_where_they_should(void **state)
{
    static struct run r;
    srand(11);
    for (int t = 0; t < NUM_TYPES; t++) {
        char source[8192];
        r.type = &types[t];
        for (size_t i = 0; i < sizeof r.a; i++) {
            r.a[i] = (unsigned char)rand();
            r.c[i] = (unsigned char)rand();
            r.m[i % sizeof r.m] = (unsigned char)rand();
        }
        for (size_t i = 0; i < MAX_N; i++) /* for all: the second item's conditions all hold */
            r.m[(MAX_N / 2 + i + 1) * types[t].bytes - 1] |= 0x80;
        snprintf(source, sizeof source,
                 "#define T %s\n#define C %s\n#define S %s\n#define ELEMENTS %d\n#define ITEMS %d\n"
                 "#define ANY_ALL(n) %s\n%s",
                 types[t].name, types[t].c, types[t].s, ELEMENTS, ITEMS,
                 types[t].is_signed ? "(OUT(7))[i] = any(CAT(CAT(as_, S), n)(k));"
                                      "(OUT(8))[i] = all(CAT(CAT(as_, S), n)(k));"
                                    : "",
                 text);
        cl_program program = ocl_program(*state, source, "");
        for (int s = 0; s < 5; s++) {
            run_kernel(*state, program, "common", sizes[s], &r);
            check_common(&r, sizes[s]);
            if (sizes[s] == 3)
                continue;
            run_kernel(*state, program, "shuffle", sizes[s], &r);
            check_shuffles(&r, sizes[s]);
            run_kernel(*state, program, "copy", sizes[s], &r);
            check_copies(&r, sizes[s]);
        }
        assert_success(clReleaseProgram(program));
    }
}

/* Scalars, whose conditions count if they are not 0. */
static void scalars_are_selected(void **state)
{
    static const char source[] =
        "__kernel void k(__global int *o) {\n"
        "    o[0] = select(1, 2, 1); o[1] = select(1, 2, 0); o[2] = select(1, 2, -1);\n"
        "    o[3] = select(1.0f, 2.0f, 0x40000000u) == 2.0f; o[4] = select((char)1, (char)2, "
        "(uchar)1);\n"
        "    o[5] = any(-1) + 2 * any(1) + 4 * all((char)-128) + 8 * all((short)127);\n"
        "    o[6] = bitselect(0x0f0f, 0x3333, 0x00ff); o[7] = as_int(1.0f) == 0x3f800000; }\n";
    static const int expected[8] = {2, 1, 2, 1, 2, 1 + 4, 0x0f33, 1};
    int out[8];
    cl_kernel kernel = ocl_kernel(*state, source, "k");
    cl_mem o = ocl_buffer(*state, sizeof out, NULL);
    assert_arg(kernel, 0, o);
    ocl_run(*state, kernel, 1, 1);
    ocl_read(*state, o, sizeof out, out);
    for (int i = 0; i < 8; i++)
        assert_int_equal(out[i], expected[i]);
    assert_success(clReleaseMemObject(o));
    assert_success(clReleaseKernel(kernel));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_go_where_they_should),
        cmocka_unit_test(scalars_are_selected),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}

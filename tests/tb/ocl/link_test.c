/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/link_test.c: separate compilation: headers that are programs, objects, libraries,
 * their binaries, what does not fit together, and wrong calls. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tb/ocl/misuse.h"

static cl_program_binary_type type_of(const struct ocl *ocl, cl_program program)
{
    cl_program_binary_type type;
    assert_success(clGetProgramBuildInfo(program, ocl->device, CL_PROGRAM_BINARY_TYPE, sizeof type,
                                         &type, NULL));
    return type;
}

static void release(cl_program a, cl_program b, cl_program c)
{
    const cl_program all[] = {a, b, c};
    for (int i = 0; i < 3; i++)
        if (all[i])
            assert_success(clReleaseProgram(all[i]));
}

static const char main_text[] = "int twice(int x); extern __constant int table[];\n"
                                "__kernel void k(__global int *o) { o[0] = twice(table[1]); }\n";
static const char part_text[] = "__constant int table[] = {1, 21, 3};\n"
                                "int twice(int x) { return 2 * x; }\n";

static void objects_are_linked(void **state)
{
    const struct ocl *ocl = *state;
    cl_program a = ocl_object(ocl, main_text, ""), b = ocl_object(ocl, part_text, "");
    assert_int_equal(type_of(ocl, a), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    assert_int_equal(clGetProgramInfo(a, CL_PROGRAM_NUM_KERNELS, 0, NULL, NULL),
                     CL_INVALID_PROGRAM_EXECUTABLE);
    cl_program program = ocl_linked(ocl, NULL, a, b);
    assert_int_equal(type_of(ocl, program), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    assert_int_equal(ocl_result(ocl, program), 42);
    cl_program a2 = ocl_again(ocl, a), b2 = ocl_again(ocl, b); /* by way of binaries */
    assert_int_equal(type_of(ocl, a2), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    cl_program program2 = ocl_linked(ocl, "-cl-fast-relaxed-math", a2, b2);
    assert_int_equal(ocl_result(ocl, program2), 42);
    cl_program program3 = ocl_again(ocl, program2);
    assert_success(clBuildProgram(program3, 0, NULL, NULL, NULL, NULL));
    assert_int_equal(ocl_result(ocl, program3), 42);
    assert_success(clBuildProgram(b, 0, NULL, "", NULL, NULL)); /* a source may still be built */
    assert_int_equal(type_of(ocl, b), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    release(a, b, program);
    release(a2, b2, program2);
    release(program3, NULL, NULL);
}

/* A library of two objects, and a third that uses it; kernels keep what is known of them. */
static void libraries_are_linked(void **state)
{
    static const char user[] =
        "int twice(int x); int thrice(int x);\n"
        "__attribute__((reqd_work_group_size(1, 1, 1)))\n"
        "__kernel void k(__global int *out) { out[0] = twice(1) + thrice(10); printf(\"\"); }\n";
    const struct ocl *ocl = *state;
    cl_program a = ocl_object(ocl, part_text, ""),
               b = ocl_object(ocl, "int thrice(int x) { return FACTOR * x; }\n", "-DFACTOR=3");
    cl_program library = ocl_linked(ocl, "-create-library -enable-link-options", a, b);
    assert_int_equal(type_of(ocl, library), CL_PROGRAM_BINARY_TYPE_LIBRARY);
    cl_program loaded = ocl_again(ocl, library), c = ocl_object(ocl, user, "");
    assert_int_equal(type_of(ocl, loaded), CL_PROGRAM_BINARY_TYPE_LIBRARY);
    cl_program program = ocl_linked(ocl, "", loaded, c);
    assert_int_equal(ocl_result(ocl, program), 32);
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    size_t group[3];
    char name[16];
    assert_success(clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                            sizeof group, group, NULL));
    assert_int_equal(group[0], 1);
    assert_success(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, sizeof name, name, NULL));
    assert_string_equal(name, "out");
    assert_success(clReleaseKernel(kernel));
    release(a, b, library);
    release(loaded, c, program);
}

/* A header's inline function, too large to be inlined, in two objects and a library: one of them all; a function of that name that is
 * not inline is it. */
static void inline_functions_are_one(void **state)
{
    const struct ocl *ocl = *state;
    char *big = NULL, *texts[3] = {NULL, NULL, NULL};
    size_t bytes;
    int expected = 7;
    FILE *out = open_memstream(&big, &bytes);
    assert_non_null(out);
    fputs("int big(int x, __constant int *p) {\n", out);
    for (int i = 0; i < 1500; i++) {
        fprintf(out, "x = x * 3 + (p[%d] ^ %d);\n", i % 4, i);
        expected = (int)((unsigned)expected * 3 + (unsigned)((i % 4 + 1) ^ i));
    }
    fputs("return x; }\n", out);
    assert_int_equal(fclose(out), 0);
    static const char *const formats[] = {
        "inline %s__kernel void a(__global int *o, __constant int *p) { o[0] = big(o[0], p) + "
        "big(o[1], p); }\n",
        "inline %s__kernel void k(__global int *o) { o[0] = big(7, table) - big(o[0] * 0, table) + "
        "big(0, table); }\n",
        "%s"};
    for (int i = 0; i < 3; i++)
        assert_true(asprintf(&texts[i], formats[i], big) > 0);
    char *with_table = NULL;
    assert_true(asprintf(&with_table, "__constant int table[] = {1, 2, 3, 4};\n%s", texts[1]) > 0);
    cl_program a = ocl_object(ocl, texts[0], ""), k = ocl_object(ocl, with_table, ""),
               strong = ocl_object(ocl, texts[2], "");
    cl_program two = ocl_linked(ocl, "", a, k),
               library = ocl_linked(ocl, "-create-library", a, NULL);
    assert_int_equal(ocl_result(ocl, two), expected);
    cl_program with_library = ocl_linked(ocl, "", library, k),
               with_strong = ocl_linked(ocl, "", strong, k);
    assert_int_equal(ocl_result(ocl, with_library), expected);
    assert_int_equal(ocl_result(ocl, with_strong), expected);
    release(a, k, strong);
    release(two, library, with_library);
    release(with_strong, NULL, NULL);
    for (int i = 0; i < 3; i++)
        free(texts[i]);
    free(with_table);
    free(big);
}

static void headers_are_programs(void **state)
{
    static const char text[] = "#include \"one.h\"\n#include <folder/two.h>\n"
                               "__kernel void k(__global int *o) { o[0] = ONE + TWO; }\n";
    static const char *names[] = {"one.h", "folder/two.h", "one.h"};
    const struct ocl *ocl = *state;
    const cl_program headers[] = {ocl_source(ocl, "#define ONE 40\n"),
                                  ocl_source(ocl, "#include \"one.h\"\n#define TWO (ONE / 20)\n")};
    cl_program a = ocl_source(ocl, text);
    if (clCompileProgram(a, 1, &ocl->device, "", 2, headers, names, NULL, NULL) != CL_SUCCESS)
        fail_msg("%s", ocl_log(ocl, a));
    cl_program program = ocl_linked(ocl, "", a, NULL);
    assert_int_equal(ocl_result(ocl, program), 42);
    /* A header's mistake is named where it is. */
    cl_program bad = ocl_source(ocl, "\nint f( {\n");
    assert_int_equal(clCompileProgram(a, 0, NULL, "", 1, &bad, names, NULL, NULL),
                     CL_COMPILE_PROGRAM_FAILURE);
    assert_non_null(strstr(ocl_log(ocl, a), "one.h:2:"));
    assert_int_equal(type_of(ocl, a), CL_PROGRAM_BINARY_TYPE_NONE);
    release(headers[0], headers[1], a);
    release(program, bad, NULL);
}

/* What is not there, is there twice, or is no object: the log says what. */
static void what_does_not_fit_is_refused(void **state)
{
    static const unsigned char junk[] = "HEDDLE OBJECT\nBC no bitcode";
    const struct ocl *ocl = *state;
    const unsigned char *binary = junk;
    const size_t length = sizeof junk;
    cl_int error;
    cl_program a = ocl_object(ocl, main_text, ""), b = ocl_object(ocl, part_text, ""),
               c = ocl_object(ocl, part_text, "");
    const cl_program twice[] = {b, c};
    cl_program program =
        clLinkProgram(ocl->context, 0, NULL, "", 1, &a, NULL, NULL, &error); /* no twice() */
    assert_int_equal(error, CL_LINK_PROGRAM_FAILURE);
    assert_non_null(program);
    assert_true(*ocl_log(ocl, program) != 0);
    assert_success(clReleaseProgram(program));
    program = clLinkProgram(ocl->context, 0, NULL, "", 2, twice, NULL, NULL, &error);
    assert_int_equal(error, CL_LINK_PROGRAM_FAILURE);
    assert_non_null(program);
    assert_non_null(strstr(ocl_log(ocl, program), "table"));
    cl_program bad =
        clCreateProgramWithBinary(ocl->context, 1, &ocl->device, &length, &binary, NULL, &error);
    assert_success(error);
    release(program, c, NULL);
    program = clLinkProgram(ocl->context, 0, NULL, "", 1, &bad, NULL, NULL, &error);
    assert_int_equal(error, CL_LINK_PROGRAM_FAILURE);
    assert_int_equal(clBuildProgram(bad, 0, NULL, "", NULL, NULL), CL_INVALID_BINARY);
    release(a, b, bad);
    release(program, NULL, NULL);
}

static int notified;
static void CL_CALLBACK notify(cl_program program, void *data)
{
    assert_non_null(program);
    notified += *(int *)data;
}

static void callbacks_are_called(void **state)
{
    const struct ocl *ocl = *state;
    cl_int error;
    int one = 1;
    cl_program a = ocl_source(ocl, "__kernel void k(__global int *o) { *o = 9; }\n");
    assert_success(clCompileProgram(a, 0, NULL, "", 0, NULL, NULL, notify, &one));
    assert_int_equal(notified, 1);
    cl_program program = clLinkProgram(ocl->context, 0, NULL, "", 1, &a, notify, &one, &error);
    assert_success(error);
    assert_int_equal(notified, 2);
    assert_int_equal(ocl_result(ocl, program), 9);
    release(a, program, NULL);
}

static void wrong_calls(void **state)
{
    const struct ocl *ocl = *state;
    const cl_device_id device = ocl->device, other = OTHER(cl_device_id);
    cl_program a = ocl_object(ocl, part_text, ""), unbuilt = ocl_source(ocl, main_text),
               stray = OTHER(cl_program), built = ocl_program(ocl, "__kernel void k() {}", ""),
               program = ocl_linked(ocl, "", a, NULL);
    const cl_program mixed[] = {a, unbuilt};
    const char *name = "one.h", *none = NULL, *odd = "a;b";
    cl_int status;
    cl_kernel kernel = clCreateKernel(built, "k", &status);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
#define COMPILE(error, ...) CASE(error, clCompileProgram(__VA_ARGS__))
#define LINK(error, ...)    MAKE(error, clLinkProgram(__VA_ARGS__, &status))
    const struct misuse cases[] = {
        COMPILE(CL_INVALID_PROGRAM, stray, 0, NULL, "", 0, NULL, NULL, NULL, NULL),
        COMPILE(CL_INVALID_PROGRAM, NULL, 0, NULL, "", 0, NULL, NULL, NULL, NULL),
        COMPILE(CL_INVALID_VALUE, a, 1, NULL, "", 0, NULL, NULL, NULL, NULL),
        COMPILE(CL_INVALID_VALUE, a, 0, &device, "", 0, NULL, NULL, NULL, NULL),
        COMPILE(CL_INVALID_VALUE, a, 0, NULL, "", 0, &unbuilt, NULL, NULL, NULL),
        COMPILE(CL_INVALID_VALUE, a, 0, NULL, "", 0, NULL, &name, NULL, NULL),
        COMPILE(CL_INVALID_VALUE, a, 0, NULL, "", 1, &unbuilt, NULL, NULL, NULL),
        COMPILE(CL_INVALID_VALUE, a, 0, NULL, "", 1, NULL, &name, NULL, NULL),
        COMPILE(CL_INVALID_VALUE, a, 0, NULL, "", 1, &unbuilt, &none, NULL, NULL),
        COMPILE(CL_INVALID_VALUE, a, 0, NULL, "", 1, &unbuilt, &odd, NULL, NULL),
        COMPILE(CL_INVALID_PROGRAM, a, 0, NULL, "", 1, &stray, &name, NULL, NULL),
        COMPILE(CL_INVALID_PROGRAM, a, 0, NULL, "", 1, &program, &name, NULL, NULL),
        COMPILE(CL_INVALID_VALUE, a, 0, NULL, "", 0, NULL, NULL, NULL, &status),
        COMPILE(CL_INVALID_DEVICE, a, 1, &other, "", 0, NULL, NULL, NULL, NULL),
        COMPILE(CL_INVALID_COMPILER_OPTIONS, unbuilt, 0, NULL, "-bad", 0, NULL, NULL, NULL, NULL),
        COMPILE(CL_INVALID_COMPILER_OPTIONS, unbuilt, 0, NULL, "-create-library", 0, NULL, NULL,
                NULL, NULL),
        COMPILE(CL_INVALID_OPERATION, built, 0, NULL, "", 0, NULL, NULL, NULL, NULL),
        COMPILE(CL_INVALID_OPERATION, program, 0, NULL, "", 0, NULL, NULL, NULL, NULL),
        CASE(CL_INVALID_OPERATION, clBuildProgram(program, 0, NULL, "", NULL, NULL)),
        LINK(CL_INVALID_CONTEXT, NO_CONTEXT, 0, NULL, "", 1, &a, NULL, NULL),
        LINK(CL_INVALID_CONTEXT, context, 0, NULL, "", 1, &a, NULL, NULL),
        LINK(CL_INVALID_VALUE, ocl->context, 1, NULL, "", 1, &a, NULL, NULL),
        LINK(CL_INVALID_VALUE, ocl->context, 0, &device, "", 1, &a, NULL, NULL),
        LINK(CL_INVALID_VALUE, ocl->context, 0, NULL, "", 0, NULL, NULL, NULL),
        LINK(CL_INVALID_VALUE, ocl->context, 0, NULL, "", 0, &a, NULL, NULL),
        LINK(CL_INVALID_VALUE, ocl->context, 0, NULL, "", 1, NULL, NULL, NULL),
        LINK(CL_INVALID_VALUE, ocl->context, 0, NULL, "", 1, &a, NULL, &status),
        LINK(CL_INVALID_PROGRAM, ocl->context, 0, NULL, "", 1, &stray, NULL, NULL),
        LINK(CL_INVALID_DEVICE, ocl->context, 1, &other, "", 1, &a, NULL, NULL),
        LINK(CL_INVALID_OPERATION, ocl->context, 0, NULL, "", 1, &unbuilt, NULL, NULL),
        LINK(CL_INVALID_OPERATION, ocl->context, 0, NULL, "", 1, &built, NULL, NULL),
        LINK(CL_INVALID_OPERATION, ocl->context, 0, NULL, "", 2, mixed, NULL, NULL),
        LINK(CL_INVALID_LINKER_OPTIONS, ocl->context, 0, NULL, "-bad", 1, &a, NULL, NULL),
        LINK(CL_INVALID_LINKER_OPTIONS, ocl->context, 0, NULL, "-DX", 1, &a, NULL, NULL),
    };
    CHECK(cases);
    assert_success(clReleaseKernel(kernel));
    release(a, unbuilt, built);
    release(program, NULL, NULL);
    assert_success(clReleaseContext(context));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_are_linked),
        cmocka_unit_test(libraries_are_linked),
        cmocka_unit_test(inline_functions_are_one),
        cmocka_unit_test(headers_are_programs),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(callbacks_are_called),
        cmocka_unit_test(wrong_calls),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}

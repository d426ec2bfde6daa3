/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/accepted_test.c: of a text that was accepted before only those bodies are read that the program's kernels reach, with the
 * same results; a text of which a kernel is left out, a short one and one that is not known are read whole. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hw.h"
#include "tb/ocl/accepted.h"
#include "tb/ocl/calls.h"
#include "tb/ocl/object.h"
#include "tests/tb/ocl/ocl_support.h"

#define HEADER ".version 6.0\n.target sm_70\n.address_size 64\n"
#define CALLED                                                                                     \
    ".func (.reg .b32 %r) add(.reg .b32 %a)\n{\n add.u32 %r, %a, 40;\n ret;\n}\n"                  \
    ".func nobody()\n{\n ret;\n}\n"
/* A kernel that writes `value` to its only argument's first word. */
#define KERNEL(name, value)                                                                        \
    ".entry " name "(.param .u64 .ptr .global .align 4 o)\n{\n .reg .b64 %d;\n .reg .b32 %r;\n"    \
    " ld.param.u64 %d, [o];\n mov.u32 %r, " value ";\n st.global.u32 [%d], %r;\n ret;\n}\n"
#define CALLER                                                                                     \
    ".global .u32 base = 2;\n"                                                                     \
    ".entry k(.param .u64 .ptr .global .align 4 o)\n{\n .reg .b64 %d;\n .reg .b32 %r;\n"           \
    " ld.param.u64 %d, [o];\n ld.global.u32 %r, [base];\n call (%r), add, (%r);\n"                 \
    " st.global.u32 [%d], %r;\n ret;\n}\n"
static const char good[] = HEADER CALLED CALLER KERNEL("other", "7") KERNEL("third", "8");
static const char partly[] = HEADER CALLED CALLER KERNEL("other", "7") //
    ".entry wrong()\n{\n what;\n}\n";

static char folder[] = "/tmp/heddle-accepted-XXXXXX";
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

/* A program of the text, behind as many blanks as make it long, or fewer; built. */
static cl_program built(const char *text, int is_long)
{
    const size_t blanks = is_long ? ACCEPTED_LEAST_BYTES : 0;
    cl_int error;
    char *whole = malloc(strlen(text) + blanks + 1);
    assert_non_null(whole);
    memset(whole, ' ', blanks);
    strcpy(whole + blanks, text);
    const unsigned char *binary = (unsigned char *)whole;
    const size_t bytes = strlen(whole);
    cl_program program =
        ocl_CreateProgramWithBinary(context, 1, &device, &bytes, &binary, NULL, &error);
    assert_success(error);
    assert_success(ocl_BuildProgram(program, 1, &device, NULL, NULL, NULL));
    free(whole);
    return program;
}

static cl_uint bodies(cl_program program)
{
    return program->module->bodies_read;
}

/* Runs a kernel; returns what it has written. */
static cl_uint result_of(cl_program program, const char *name)
{
    cl_uint value = 0;
    const size_t one = 1;
    cl_int error;
    cl_kernel kernel = ocl_CreateKernel(program, name, &error);
    assert_success(error);
    cl_mem memory = ocl_CreateBuffer(context, 0, sizeof value, NULL, &error);
    assert_success(error);
    assert_success(ocl_SetKernelArg(kernel, 0, sizeof memory, &memory));
    assert_success(ocl_EnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    assert_success(
        ocl_EnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
    assert_success(ocl_ReleaseMemObject(memory));
    assert_success(ocl_ReleaseKernel(kernel));
    return value;
}

static const char *log_of(cl_program program)
{
    return program->log ? program->log : "";
}

/* The first time all is read, later what is asked for. */
static void second_run(void **unused)
{
    (void)unused;
    cl_program first = built(good, 1), second = built(good, 1);
    assert_int_equal(bodies(first), 5);
    assert_int_equal(result_of(first, "k"), 42);
    assert_int_equal(bodies(second), 0);
    assert_int_equal(result_of(second, "k"), 42);
    assert_int_equal(bodies(second), 2); /* with the function that it calls */
    assert_int_equal(result_of(second, "other"), 7);
    assert_int_equal(result_of(second, "k"), 42);
    assert_int_equal(bodies(second), 3);
    assert_string_equal(log_of(first), log_of(second));
    assert_success(ocl_ReleaseProgram(first));
    assert_success(ocl_ReleaseProgram(second));
}

/* clCreateKernelsInProgram reads all kernels, and a program that is built again nothing. */
static void all_kernels(void **unused)
{
    cl_kernel kernels[3];
    cl_uint count;
    (void)unused;
    cl_program program = built(good, 1);
    assert_success(ocl_CreateKernelsInProgram(program, 0, NULL, &count));
    assert_int_equal(count, 3);
    assert_int_equal(bodies(program), 0);
    assert_success(ocl_CreateKernelsInProgram(program, 3, kernels, NULL));
    assert_int_equal(bodies(program), 4);
    for (int i = 0; i < 3; i++)
        assert_success(ocl_ReleaseKernel(kernels[i]));
    assert_success(ocl_BuildProgram(program, 1, &device, NULL, NULL, NULL));
    assert_int_equal(bodies(program), 0);
    assert_int_equal(result_of(program, "third"), 8);
    assert_success(ocl_ReleaseProgram(program));
}

/* Whoever builds it is told each time, and by the same calls. */
static void left_out(void **unused)
{
    (void)unused;
    for (int again = 0; again < 2; again++) {
        cl_int error;
        cl_program program = built(partly, 1);
        assert_int_equal(bodies(program), 5);
        assert_non_null(strstr(log_of(program), "kernel 'wrong' is left out: "));
        assert_null(ocl_CreateKernel(program, "wrong", &error));
        assert_int_equal(error, CL_INVALID_KERNEL_DEFINITION);
        assert_int_equal(result_of(program, "k"), 42);
        assert_success(ocl_ReleaseProgram(program));
    }
}

static void short_ones(void **unused)
{
    (void)unused;
    for (int again = 0; again < 2; again++) {
        cl_program program = built(good, 0);
        assert_int_equal(bodies(program), 5);
        assert_success(ocl_ReleaseProgram(program));
    }
}

/* No folder, no memory of what was accepted. */
static void without_a_cache(void **unused)
{
    (void)unused;
    setenv("HEDDLE_CACHE", "", 1);
    cl_program program = built(good, 1);
    assert_int_equal(bodies(program), 5);
    assert_success(ocl_ReleaseProgram(program));
    setenv("HEDDLE_CACHE", folder, 1);
}

static int setup(void **unused)
{
    cl_platform_id platform;
    cl_int error;
    (void)unused;
    assert_non_null(mkdtemp(folder));
    setenv("HEDDLE_CACHE", folder, 1);
    setenv("HEDDLE_CONFIG_FILE", "configs/" CONFIG_NAME ".ini", 1);
    assert_success(ocl_GetPlatformIDs(1, &platform, NULL));
    assert_success(ocl_GetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL));
    context = ocl_CreateContext(NULL, 1, &device, NULL, NULL, &error);
    assert_success(error);
    queue = ocl_CreateCommandQueue(context, device, 0, &error);
    return error;
}

static int teardown(void **unused)
{
    char command[128];
    (void)unused;
    assert_success(ocl_ReleaseCommandQueue(queue));
    assert_success(ocl_ReleaseContext(context));
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(second_run), cmocka_unit_test(all_kernels),     cmocka_unit_test(left_out),
        cmocka_unit_test(short_ones), cmocka_unit_test(without_a_cache),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/vprintf_test.c: printf of CUDA kernels: PTX that calls vprintf, which it only declares.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/tb/ocl/ocl_support.h"

/* What the kernel prints, run by `items` work-items in groups of 2. */
static char *printed(const struct ocl *ocl, const char *ptx, size_t items)
{
    const unsigned char *binary = (const unsigned char *)ptx;
    size_t bytes = strlen(ptx);
    cl_int error;
    cl_program program =
        clCreateProgramWithBinary(ocl->context, 1, &ocl->device, &bytes, &binary, NULL, &error);
    assert_success(error);
    assert_success(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    assert_success(error);
    const int file = memfd_create("printed", 0), kept = dup(STDOUT_FILENO);
    fflush(NULL);
    dup2(file, STDOUT_FILENO);
    const cl_int run = clEnqueueNDRangeKernel(ocl->queue, kernel, 2, NULL, (size_t[]){items, 2},
                                              (size_t[]){2, 1}, 0, NULL, NULL);
    clFinish(ocl->queue);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    assert_success(run);
    const off_t size = lseek(file, 0, SEEK_END);
    char *text = calloc(1, (size_t)size + 1);
    assert_int_equal(pread(file, text, (size_t)size, 0), size);
    close(file);
    assert_success(clReleaseKernel(kernel));
    assert_success(clReleaseProgram(program));
    return text;
}

/* PTX of a kernel that calls vprintf once with this format; `stores` fill the arguments at %SP. */
static char *kernel(const char *format, const char *stores)
{
    char *text = calloc(1, 8192), *at = text;
    at += sprintf(at,
                  ".version 3.1\n.target sm_20\n.address_size 64\n"
                  ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b)\n"
                  ".global .align 1 .b8 word[3] = {104, 105, 0};\n"
                  ".global .align 1 .b8 format[%zu] = {",
                  strlen(format) + 1);
    for (const char *c = format; *c; c++)
        at += sprintf(at, "%d, ", *c);
    sprintf(at,
            "0};\n.entry k() { .local .align 8 .b8 depot[80]; .reg .u64 %%SP, %%d<5>; .reg .u32 "
            "%%r<5>; .reg .pred %%p;\nmov.u64 %%d1, depot; cvta.local.u64 %%SP, %%d1; mov.u32 "
            "%%r1, %%ctaid.x; mov.u32 %%r2, %%tid.x; mad.lo.u32 %%r1, %%r1, 2, %%r2;\n%s\n"
            "{ .param .b64 p; .param .b64 q; .param .b32 s; cvta.global.u64 %%d2, format; "
            "st.param.b64 [p], %%d2; st.param.b64 [q], %%SP; call.uni (s), vprintf, (p, q); "
            "ld.param.b32 %%r3, [s]; }\nret; }\n",
            stores);
    return text;
}

static void check(const struct ocl *ocl, const char *format, const char *stores, size_t items,
                  const char *expected)
{
    char *ptx = kernel(format, stores), *text = printed(ocl, ptx, items);
    if (strcmp(text, expected) != 0)
        fail_msg("%s\nprints   %s\nexpected %s", format, text, expected);
    free(text);
    free(ptx);
}

static void prints(void **state)
{
    const struct ocl *ocl = *state;
    check(ocl, "none %%|\n", "", 2, "none %|\nnone %|\nnone %|\nnone %|\n");
    check(ocl, "%d;", "st.u32 [%SP], %r1;", 4, "0;1;2;3;0;1;2;3;");
    check(ocl, "%d %u %x %c %5.1f %s %lld %-3d| %hd %p %lu %g\n",
          "st.s32 [%SP], -5; st.u32 [%SP+4], 4000000000; st.u32 [%SP+8], 255; st.u32 [%SP+12], 65;"
          "st.f64 [%SP+16], 2.25; mov.u64 %d3, word; st.u64 [%SP+24], %d3;"
          "st.s64 [%SP+32], -5000000000; st.u32 [%SP+40], 7; st.u32 [%SP+44], 3;"
          "st.u64 [%SP+48], 0x123; st.u64 [%SP+56], 18446744073709551615; st.f64 [%SP+64], 0.25;"
          "setp.eq.u32 %p, %r2, 5; @%p st.u32 [%SP], 0;",
          2,
          "-5 4000000000 ff A   2.2 hi -5000000000 7  | 3 0x123 18446744073709551615 0.25\n"
          "-5 4000000000 ff A   2.2 hi -5000000000 7  | 3 0x123 18446744073709551615 0.25\n"
          "-5 4000000000 ff A   2.2 hi -5000000000 7  | 3 0x123 18446744073709551615 0.25\n"
          "-5 4000000000 ff A   2.2 hi -5000000000 7  | 3 0x123 18446744073709551615 0.25\n");
    /* A double behind an int is aligned; a * is printed as it stands, the rest is right. */
#define STARRED "1 5.000000e-01 %*d 7\n"
    check(ocl, "%i %e %*d %d\n",
          "st.u32 [%SP], 1; st.f64 [%SP+8], 0.5; st.u32 [%SP+16], 9; st.u32 [%SP+20], 8;"
          "st.u32 [%SP+24], 7;",
          2, STARRED STARRED STARRED STARRED);
    check(ocl, "%", "", 2, "%%%%");
    check(ocl, "%zu %X %y", "st.u64 [%SP], 5; st.u32 [%SP+8], 0xab;", 2,
          "5 AB %y5 AB %y5 AB %y5 AB %y");
}

/* Lanes that do not call print nothing. */
static void some_lanes(void **state)
{
    check(*state, "[%d]", "st.u32 [%SP], %r1; setp.ne.u32 %p, %r1, 3; @%p exit;", 6, "[3][3]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints),
        cmocka_unit_test(some_lanes),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}

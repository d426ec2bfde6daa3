/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/arguments_test.c: what the driver takes out of LLVM assembly, writes into PTX and
 * reads again; whole, cut off anywhere, and wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/ocl/arguments.h"

static const char assembly[] =
    "; a comment\n"
    "define dso_local spir_kernel void @k2(i32 addrspace(1)* %0, %opencl.t addrspace(4)* %1) #0"
    " !kernel_arg_addr_space !6 !kernel_arg_access_qual !7 !kernel_arg_type !8"
    " !kernel_arg_base_type !9 !kernel_arg_type_qual !10 !kernel_arg_name !11"
    " !reqd_work_group_size !14 {\n"
    "}\n"
    "define internal void @helper() !kernel_arg_type !8 {\n"
    "}\n"
    "define dso_local spir_kernel void @k() #0 !kernel_arg_addr_space !12 {\n"
    "}\n"
    "!6 = !{i32 1, i32 0}\n"
    "!7 = !{!\"none\", !\"none\"}\n"
    "!8 = !{!\"my type*\", !\"sampler_t\"}\n"
    "!9 = !{!\"int*\", !\"sampler_t\"}\n"
    "!10 = !{!\"restrict const\", !\"\"}\n"
    "!11 = !{!\"a\", !\"b\"}\n"
    "!12 = !{}\n"
    "!14 = !{i32 4, i32 2, i32 1}\n";
static const char ptx[] =
    ".version 6.0\n\n.entry k(\n)\n{\n}\n.entry k2(\n\t.param .u64 p\n)\n{\n}\n";

static char *inserted(const char *text)
{
    size_t bytes = strlen(ptx);
    char *result = arguments_insert(strdup(ptx), &bytes, text);
    assert_non_null(result);
    assert_int_equal(bytes, strlen(result));
    return result;
}

static void assembly_goes_into_ptx(void **state)
{
    (void)state;
    char *text = inserted(assembly);
    assert_string_equal(text, ".version 6.0\n\n.entry k(\n)\n{\n}\n"
                              ".entry k2(\n\t.param .u64 p\n)\n.reqntid 4, 2, 1\n{\n}\n"
                              "//heddle.arg\tk2\t0\t1\tnone\trestrict const\tint*\tmy type*\ta\n"
                              "//heddle.arg\tk2\t1\t0\tnone\t\tsampler_t\tsampler_t\tb\n");
    struct argument *a = arguments_of(text, "k2", 2);
    assert_non_null(a);
    assert_int_equal(a[0].image, 0);
    assert_int_equal(a[0].is_sampler, 0);
    assert_int_equal(a[0].address, CL_KERNEL_ARG_ADDRESS_GLOBAL);
    assert_int_equal(a[0].qualifiers, CL_KERNEL_ARG_TYPE_RESTRICT | CL_KERNEL_ARG_TYPE_CONST);
    assert_string_equal(a[0].type, "my type*");
    assert_string_equal(a[0].name, "a");
    assert_int_equal(a[1].is_sampler, 1);
    assert_int_equal(a[1].address, CL_KERNEL_ARG_ADDRESS_PRIVATE);
    arguments_free(a, 2);
    assert_null(arguments_of(text, "k2", 3)); /* not all are known */
    assert_null(arguments_of(text, "k", 1));
    a = arguments_of(text, "k", 0);
    assert_non_null(a);
    arguments_free(a, 0);
    free(text);
}

static void cut_off_anywhere(void **state)
{
    (void)state;
    for (size_t length = 0; length < sizeof assembly; length++) {
        char *cut = strndup(assembly, length), *text = inserted(cut);
        arguments_free(arguments_of(text, "k2", 2), 2);
        free(text);
        free(cut);
    }
    char *whole = inserted(assembly);
    for (size_t length = 0; length <= strlen(whole); length++) {
        char *cut = strndup(whole, length);
        arguments_free(arguments_of(cut, "k2", 2), 2);
        free(cut);
    }
    free(whole);
}

/* Lines that say nothing, and assembly that promises what it does not have. */
static void wrong_lines_are_none(void **state)
{
    static const char *const lines[] = {
        "//heddle.arg\tk\t0\t1\tnone\t\tint*\tint*",       /* no name: a word too few */
        "//heddle.arg\tk\t0\t7\tnone\t\tint*\tint*\ta\n",  /* no such space */
        "//heddle.arg\tk\t0\t1\tsome\t\tint*\tint*\ta\n",  /* no such access */
        "//heddle.arg\tk\t1\t1\tnone\t\tint*\tint*\ta\n",  /* not the first */
        "//heddle.arg\tk\t-1\t1\tnone\t\tint*\tint*\ta\n", /* no number */
        "//heddle.arg\tkk\t0\t1\tnone\t\tint*\tint*\ta\n", /* another kernel's */
        "//heddle.arg k 0 1 none int* int* a\n",           /* blanks */
        "//heddle.arg\tk\t99999999999999999999\t1\n",      "//heddle.arg",
    };
    static const char *const assemblies[] = {
        "\ndefine spir_kernel void @k( !kernel_arg_addr_space !4 {\n!4 = !{i32 1, i32",
        "\ndefine spir_kernel void @k( !kernel_arg_addr_space !99999999999999 {\n",
        "\ndefine spir_kernel void @k( !kernel_arg_addr_space !4 {\n!4 = !{\"a}\n",
        "\ndefine spir_kernel void @k( !reqd_work_group_size !4 {\n!4 = !{i32 1}\n",
        "\ndefine spir_kernel void @k",
        "\ndefine spir_kernel @",
    };
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct argument *a = arguments_of(lines[i], "k", 1);
        if (i > 0) /* the first one's name is empty */
            assert_null(a);
        arguments_free(a, 1);
    }
    assert_null(arguments_of("//heddle.arg\tk\t1\t1\tnone\t\tint*\tint*\tb\n"
                             "//heddle.arg\tk\t0\t1\tnone\t\tint*\tint*\ta\n",
                             "k", 2)); /* the second one first */
    for (size_t i = 0; i < sizeof assemblies / sizeof assemblies[0]; i++)
        free(inserted(assemblies[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assembly_goes_into_ptx),
        cmocka_unit_test(cut_off_anywhere),
        cmocka_unit_test(wrong_lines_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

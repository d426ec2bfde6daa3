/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/attributes_test.c: hints out of LLVM assembly, as a line of the PTX and back; types that OpenCL C has no name for,
 * promises that are not kept, texts that are cut off anywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/ocl/attributes.h"

/* The line that is made of a kernel's definition and the metadata behind it. */
static char *line_of(const char *definitions)
{
    char *text = NULL;
    size_t bytes;
    struct assembly assembly;
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    assert_int_equal(assembly_open(&assembly, definitions), 0);
    for (size_t i = 0; i < assembly.num_kernels; i++)
        attributes_print(out, &assembly, &assembly.kernels[i]);
    assembly_close(&assembly);
    assert_int_equal(fclose(out), 0);
    return text;
}

#define KERNEL "\ndefine dso_local spir_kernel void @k(i32 %0) #0 "

static void hints_become_a_line(void **state)
{
    static const struct {
        const char *assembly, *line;
    } cases[] = {
        {KERNEL "!vec_type_hint !4 {\n!4 = !{<4 x float> undef, i32 0}\n",
         "k\tvec_type_hint(float4)\n"},
        {KERNEL "!vec_type_hint !4 {\n!4 = !{<16 x i8> undef, i32 1}\n",
         "k\tvec_type_hint(char16)\n"},
        {KERNEL "!vec_type_hint !4 {\n!4 = !{i64 undef, i32 0}\n", "k\tvec_type_hint(ulong)\n"},
        {KERNEL "!vec_type_hint !4 {\n!4 = !{<2 x half> undef, i32 0}\n",
         "k\tvec_type_hint(half2)\n"},
        {KERNEL "!work_group_size_hint !14 {\n!14 = !{i32 8, i32 4, i32 4294967295}\n",
         "k\twork_group_size_hint(8,4,4294967295)\n"},
        {KERNEL "!work_group_size_hint !5 !vec_type_hint !4 {\n!5 = !{i32 1, i32 2, i32 3}\n!4 = "
                "!{i16 undef, i32 1}\n",
         "k\tvec_type_hint(short) work_group_size_hint(1,2,3)\n"},
        {KERNEL "!reqd_work_group_size !4 {\n!4 = !{i32 1, i32 2, i32 3}\n", ""},
        {KERNEL "!vec_type_hint !4 {\n!4 = !{i128 undef, i32 1}\n", ""},
        {KERNEL "!vec_type_hint !4 {\n!4 = !{<4 x longest_of_names> undef, i32 1}\n", ""},
        {KERNEL "!vec_type_hint !4 {\n!4 = !{}\n", ""},
        {KERNEL "!vec_type_hint !4 {\n!4 = !{i32 undef}\n", ""},
        {KERNEL "!vec_type_hint !4 {\n", ""},
        {KERNEL "!work_group_size_hint !4 {\n!4 = !{i32 1, i32 2}\n", ""},
        {"\ndefine void @k() !vec_type_hint !4 {\n!4 = !{i64 undef, i32 0}\n", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char expected[128] = "", *line = line_of(cases[i].assembly);
        if (*cases[i].line)
            strcat(strcpy(expected, "//heddle.attributes\t"), cases[i].line);
        assert_string_equal(line, expected);
        for (size_t length = 0; length < strlen(cases[i].assembly); length++) {
            char *cut = strndup(cases[i].assembly, length);
            free(line_of(cut));
            free(cut);
        }
        free(line);
    }
}

static void expect(const char *ptx, const char *kernel, const char *hints)
{
    const struct piece found = attributes_of(ptx, kernel);
    assert_int_equal(found.length, strlen(hints));
    assert_memory_equal(found.length ? found.text : "", hints, found.length);
}

static void a_line_is_found(void **state)
{
    static const char ptx[] =
        ".entry k()\n//heddle.attributes\tkk\ttwo\n//heddle.attributes\tk\tone more\n"
        "//heddle.attributes k three\n//heddle.attributes\tx\t";
    (void)state;
    expect(ptx, "k", "one more");
    expect(ptx, "kk", "two");
    expect(ptx, "x", "");
    expect(ptx, "kkk", "");
    expect(ptx, "", "");
    for (size_t length = 0; length < sizeof ptx; length++) {
        char *cut = strndup(ptx, length);
        const struct piece found = attributes_of(cut, "k");
        assert_true(found.length <= strlen("one more"));
        free(cut);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hints_become_a_line),
        cmocka_unit_test(a_line_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

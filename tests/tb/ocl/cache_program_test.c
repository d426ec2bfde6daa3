/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/cache_program_test.c: programs that read files, or the time of day, out of the cache: compiled again when what they
 * read has changed, and only then. A clang in front of the system's counts how often it runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/tb/ocl/ocl_support.h"

static char top[] = "/tmp/heddle-programs-XXXXXX", cache[64], headers[64], bin[64];

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static unsigned clang_runs(void)
{
    char path[128];
    unsigned lines = 0;
    snprintf(path, sizeof path, "%s/runs", top);
    FILE *f = fopen(path, "r");
    for (int c; f && (c = getc(f)) != EOF;)
        lines += c == '\n';
    if (f)
        fclose(f);
    return lines;
}

/* Builds and runs; returns the result, with how often the compiler has run. */
static cl_int run(const struct ocl *ocl, const char *source, const char *options, unsigned *runs)
{
    const unsigned before = clang_runs();
    cl_program program = ocl_program(ocl, source, options);
    const cl_int value = ocl_result(ocl, program);
    assert_success(clReleaseProgram(program));
    *runs = clang_runs() - before;
    return value;
}

/* Names that stand in the source: the compiler runs twice, or not at all. */
static void headers_in_folders(void **state)
{
    static const char source[] = "#include \"value.h\"\n"
                                 "__kernel void k(__global int *o) { o[0] = VALUE; }\n";
    static const struct {
        const char *name, *text;
        cl_int value;
        unsigned runs;
    } steps[] = {
        {"second/value.h", "#define VALUE 30\n", 30, 2},
        {"second/value.h", "#define VALUE 30\n", 30, 0},
        {"second/value.h", "#define VALUE 31\n", 31, 2}, /* of the same length */
        {"value.h", "#define VALUE 32\n", 32, 2},        /* before the other one */
        {"second/value.h", "#define VALUE 33\n", 32, 0}, /* nobody reads it */
        {"value.h", "#include \"second/value.h\"\n", 33, 2},
        {"second/value.h", "#define VALUE 34\n", 34, 2},
        {"second/value.h", "#define VALUE 33\n", 33, 0}, /* as it was */
    };
    const struct ocl *ocl = *state;
    char options[200];
    unsigned runs;
    snprintf(options, sizeof options, "-I%s -I %s/second", headers, headers);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        write_file(headers, steps[i].name, steps[i].text);
        assert_int_equal(run(ocl, source, options, &runs), steps[i].value);
        assert_int_equal(runs, steps[i].runs);
    }
}

/* Names that do not: the compiler's first stage runs in any case. */
static void headers_that_are_asked_for(void **state)
{
    static const char source[] = "#define NAME \"first.h\"\n#include NAME\n"
                                 "#if __has_include(\"more.h\")\n#include \"more.h\"\n#endif\n"
                                 "#ifndef MORE\n#define MORE 0\n#endif\n"
                                 "__kernel void k(__global int *o) { o[0] = FIRST + MORE; }\n";
    const struct ocl *ocl = *state;
    char options[200];
    unsigned runs;
    snprintf(options, sizeof options, "-I%s", headers);
    write_file(headers, "first.h", "#define FIRST 1\n");
    assert_int_equal(run(ocl, source, options, &runs), 1);
    assert_int_equal(runs, 3);
    assert_int_equal(run(ocl, source, options, &runs), 1);
    assert_int_equal(runs, 1);
    write_file(headers, "more.h", "#define MORE 100\n");
    assert_int_equal(run(ocl, source, options, &runs), 101);
    assert_int_equal(runs, 3);
    assert_int_equal(run(ocl, source, options, &runs), 101);
    assert_int_equal(runs, 1);
}

/* What is missing is said by the compiler, each time. */
static void a_missing_header(void **state)
{
    const struct ocl *ocl = *state;
    const unsigned before = clang_runs();
    for (int i = 0; i < 2; i++) {
        cl_program program;
        assert_int_equal(
            ocl_build(ocl, "#include \"nowhere.h\"\n__kernel void k() {}\n", "", &program),
            CL_BUILD_PROGRAM_FAILURE);
        assert_non_null(strstr(ocl_log(ocl, program),
                               "program.cl:1:10: fatal error: 'nowhere.h' file not found"));
        assert_null(
            strstr(strstr(ocl_log(ocl, program), "nowhere.h' file") + 1, "nowhere.h' file"));
        assert_success(clReleaseProgram(program));
    }
    assert_int_equal(clang_runs() - before, 4);
}

static void the_time_of_day(void **state)
{
    static const char source[] =
        "__constant char t[] = __TIME__;\n"
        "__kernel void k(__global int *o) { o[0] = t[6] * 10 + t[7] - '0' * 11; }\n";
    const struct ocl *ocl = *state;
    unsigned runs;
    const cl_int first = run(ocl, source, "", &runs);
    assert_int_equal(runs, 3);
    sleep(1);
    assert_int_not_equal(run(ocl, source, "", &runs), first);
    assert_int_equal(runs, 3);
}

/* The same out of an option. */
static void the_time_in_an_option(void **state)
{
    const struct ocl *ocl = *state;
    unsigned runs;
    for (int i = 0; i < 2; i++) {
        const cl_int value = run(ocl, "__kernel void k(__global int *o) { o[0] = sizeof(T); }\n",
                                 "-DT=__TIMESTAMP__", &runs);
        assert_int_equal(value, sizeof "Mon Jan  1 00:00:00 2024");
        assert_in_range(runs, 1, 3);
    }
}

/* A word that looks like a directive, and is none: kept as others are. */
static void a_comment(void **state)
{
    static const char source[] =
        "/* includes nothing */ __kernel void k(__global int *o) { o[0] = 8; }\n";
    const struct ocl *ocl = *state;
    unsigned runs;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(run(ocl, source, "-Werror", &runs), 8);
        assert_int_equal(runs, i ? 1 : 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_in_folders),    cmocka_unit_test(headers_that_are_asked_for),
        cmocka_unit_test(a_missing_header),      cmocka_unit_test(the_time_of_day),
        cmocka_unit_test(the_time_in_an_option), cmocka_unit_test(a_comment),
    };
    char command[512], path[4096];
    if (!mkdtemp(top))
        return perror(top), 1;
    snprintf(cache, sizeof cache, "%s/cache", top);
    snprintf(headers, sizeof headers, "%s/headers", top);
    snprintf(bin, sizeof bin, "%s/bin", top);
    snprintf(command, sizeof command,
             "mkdir -p %s/second %s && clang=$(command -v clang) && "
             "printf '#!/bin/sh\\necho >>%s/runs\\nexec %%s \"$@\"\\n' $clang >%s/clang && chmod "
             "+x %s/clang",
             headers, bin, top, bin, bin);
    snprintf(path, sizeof path, "%s:%s", bin, getenv("PATH"));
    if (system(command) || setenv("HEDDLE_CACHE", cache, 1) || setenv("PATH", path, 1))
        return 1;
    const int result = cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
    snprintf(command, sizeof command, "rm -rf %s", top);
    return system(command) ? 1 : result;
}

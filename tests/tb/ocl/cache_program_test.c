/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/cache_program_test.c: programs that read files, or the time of day, out of the cache: compiled again when what they
 * read has changed, and only then. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/tb/ocl/ocl_support.h"

static char top[] = "/tmp/heddle-programs-XXXXXX", cache[64], headers[64];

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static unsigned kept(void)
{
    unsigned count = 0;
    DIR *d = opendir(cache);
    for (const struct dirent *e; d && (e = readdir(d));)
        count += *e->d_name != '.';
    if (d)
        closedir(d);
    return count;
}

/* Builds and runs; returns the result, with how many files the cache got. */
static cl_int run(const struct ocl *ocl, const char *source, const char *options, unsigned *more)
{
    const unsigned before = kept();
    cl_program program = ocl_program(ocl, source, options);
    const cl_int value = ocl_result(ocl, program);
    assert_success(clReleaseProgram(program));
    *more = kept() - before;
    return value;
}

static void headers_in_folders(void **state)
{
    static const char source[] =
        "#include \"value.h\"\n#if __has_include(\"more.h\")\n#include \"more.h\"\n#endif\n"
        "#ifndef MORE\n#define MORE 0\n#endif\n"
        "__kernel void k(__global int *o) { o[0] = VALUE + MORE; }\n";
    const struct ocl *ocl = *state;
    char options[200];
    unsigned more;
    snprintf(options, sizeof options, "-I%s -I %s/second", headers, headers);
    write_file(headers, "second/value.h", "#define VALUE 30\n");
    assert_int_equal(run(ocl, source, options, &more), 30);
    assert_int_equal(more, 2);
    assert_int_equal(run(ocl, source, options, &more), 30);
    assert_int_equal(more, 0);
    write_file(headers, "second/value.h", "#define VALUE 31\n"); /* of the same length */
    assert_int_equal(run(ocl, source, options, &more), 31);
    assert_int_equal(more, 2);
    write_file(headers, "value.h", "#define VALUE 32\n"); /* before the other one */
    assert_int_equal(run(ocl, source, options, &more), 32);
    assert_int_equal(more, 2);
    write_file(headers, "more.h", "#define MORE 100\n");
    assert_int_equal(run(ocl, source, options, &more), 132);
    assert_int_equal(more, 2);
    assert_int_equal(run(ocl, source, options, &more), 132);
    assert_int_equal(more, 0);
}

/* What is missing is said by the compiler, each time. */
static void a_missing_header(void **state)
{
    const struct ocl *ocl = *state;
    const unsigned before = kept();
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
    assert_int_equal(kept(), before);
}

static void the_time_of_day(void **state)
{
    static const char source[] =
        "__constant char t[] = __TIME__;\n"
        "__kernel void k(__global int *o) { o[0] = t[6] * 10 + t[7] - '0' * 11; }\n";
    const struct ocl *ocl = *state;
    unsigned more;
    const cl_int first = run(ocl, source, "", &more);
    assert_int_equal(more, 2);
    sleep(1);
    assert_int_not_equal(run(ocl, source, "", &more), first);
    assert_int_equal(more, 2);
}

/* A word that looks like reading, and does not: kept as others are. */
static void a_comment(void **state)
{
    static const char source[] =
        "/* includes nothing */ __kernel void k(__global int *o) { o[0] = 8; }\n";
    const struct ocl *ocl = *state;
    unsigned more;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(run(ocl, source, "-Werror", &more), 8);
        assert_int_equal(more, i ? 0 : 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_in_folders),
        cmocka_unit_test(a_missing_header),
        cmocka_unit_test(the_time_of_day),
        cmocka_unit_test(a_comment),
    };
    char command[128];
    if (!mkdtemp(top))
        return perror(top), 1;
    snprintf(cache, sizeof cache, "%s/cache", top);
    snprintf(headers, sizeof headers, "%s/headers", top);
    snprintf(command, sizeof command, "mkdir -p %s/second", headers);
    if (system(command) || setenv("HEDDLE_CACHE", cache, 1))
        return 1;
    const int result = cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
    snprintf(command, sizeof command, "rm -rf %s", top);
    return system(command) ? 1 : result;
}

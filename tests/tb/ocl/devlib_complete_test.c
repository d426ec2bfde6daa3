/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/devlib_complete_test.c: the device library has every built-in function that the
 * compiler declares for OpenCL C 1.2 (its header, opencl-c.h, is the list), for every type and
 * address space; and the compiler, as the driver calls it, knows every name of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tb/ocl/ocl_support.h"

#define TARGET                                                                                     \
    "--target=nvptx64-nvidia-nvcl -cl-std=CL1.2 -Xclang "                                          \
    "-cl-ext=+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics,+cl_khr_3d_image_writes "

struct names {
    char **list;
    size_t count;
};

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int has(const struct names *names, const char *name)
{
    return names->count &&
           bsearch(&name, names->list, names->count, sizeof *names->list, compare) != NULL;
}

/* The words of a command's output that stand between `before` and one of `ends`, sorted. */
static struct names read_names(const char *command, const char *before, const char *ends)
{
    struct names names = {NULL, 0};
    char *line = NULL;
    size_t room = 0;
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    while (getline(&line, &room, pipe) > 0) {
        char *at = strstr(line, before);
        if (!at)
            continue;
        at += strlen(before);
        at[strcspn(at, ends)] = 0;
        names.list = realloc(names.list, (names.count + 1) * sizeof *names.list);
        names.list[names.count++] = strdup(at);
    }
    assert_int_equal(pclose(pipe), 0);
    free(line);
    if (names.count)
        qsort(names.list, names.count, sizeof *names.list, compare);
    return names;
}

static void free_names(struct names *names)
{
    while (names->count)
        free(names->list[--names->count]);
    free(names->list);
}

static struct names declared(void)
{
    return read_names("echo | clang -x cl " TARGET "-cl-no-stdinc -Xclang -finclude-default-header "
                      "-Xclang -ast-dump=json -fsyntax-only -",
                      "\"mangledName\": \"", "\"");
}

static struct names defined(void)
{
    char command[4096 + 64];
    snprintf(command, sizeof command, "llvm-nm --defined-only -f posix %s/devlib.bc",
             getenv("HEDDLE_BUILD"));
    return read_names(command, "", " ");
}

static void every_built_in_is_defined(void **state)
{
    struct names wanted = declared(), there = defined();
    int missing = 0;
    (void)state;
    assert_true(wanted.count > 9000);
    for (size_t i = 0; i < wanted.count; i++)
        if (!has(&there, wanted.list[i]) && strcmp(wanted.list[i], "printf") != 0) {
            print_error("the device library lacks %s\n", wanted.list[i]);
            missing++;
        }
    assert_int_equal(missing, 0);
    free_names(&wanted);
    free_names(&there);
}

/* The whole build log, malloc'ed. */
static char *whole_log(const struct ocl *ocl, cl_program program)
{
    size_t size;
    assert_success(
        clGetProgramBuildInfo(program, ocl->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size));
    char *log = malloc(size);
    assert_success(
        clGetProgramBuildInfo(program, ocl->device, CL_PROGRAM_BUILD_LOG, size, log, NULL));
    return log;
}

/* A mangled name is _Z, the length of the plain name, the plain name, and the types. */
static void every_name_is_declared(void **state)
{
    const struct ocl *ocl = *state;
    struct names wanted = declared();
    char *source = NULL, last[64] = "";
    size_t bytes;
    int names = 0;
    FILE *out = open_memstream(&source, &bytes);
    for (size_t i = 0; i < wanted.count; i++) {
        char *plain;
        const long length = strtol(wanted.list[i] + 2, &plain, 10);
        if (strncmp(wanted.list[i], "_Z", 2) != 0 || length >= (long)sizeof last)
            continue;
        if (strncmp(plain, last, (size_t)length) != 0 || last[length]) {
            snprintf(last, sizeof last, "%.*s", (int)length, plain);
            fprintf(out, "void f%d() { %s(); }\n", names++, last);
        }
    }
    assert_int_equal(fclose(out), 0);
    assert_true(names > 700);
    /* All of it is wrong, but not because a name is unknown. clang stops after 20 errors. */
    cl_program program = NULL;
    for (char *line = strtok(source, "\n"); line;) {
        char some[2048] = "";
        for (int k = 0; k < 16 && line; k++, line = strtok(NULL, "\n"))
            strcat(strcat(some, line), "\n");
        assert_int_equal(ocl_build(ocl, some, "", &program), CL_BUILD_PROGRAM_FAILURE);
        char *log = whole_log(ocl, program);
        const char *unknown = strstr(log, "implicit declaration");
        if (unknown)
            fail_msg("%s", unknown);
        free(log);
        assert_success(clReleaseProgram(program));
    }
    free(source);
    free_names(&wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_built_in_is_defined),
        cmocka_unit_test(every_name_is_declared),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}

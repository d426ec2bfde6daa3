/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/build_test.c: from source to kernels: options, logs, threads. */
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/tb/ocl/ocl_support.h"

static void an_error_names_the_programs_line(void **state)
{
    static const char source[] = "__kernel void k(__global int *o) {\n"
                                 "    o[0] = VALUE;\n"
                                 "    undeclared(o);\n"
                                 "}\n";
    const struct ocl *ocl = *state;
    cl_program program;
    cl_build_status status;
    cl_int error;
    assert_int_equal(ocl_build(ocl, source, "-DVALUE=1", &program), CL_BUILD_PROGRAM_FAILURE);
    assert_non_null(strstr(ocl_log(ocl, program), "program.cl:3:5: error:"));
    assert_success(clGetProgramBuildInfo(program, ocl->device, CL_PROGRAM_BUILD_STATUS,
                                         sizeof status, &status, NULL));
    assert_int_equal(status, CL_BUILD_ERROR);
    assert_null(clCreateKernel(program, "k", &error));
    assert_int_equal(error, CL_INVALID_PROGRAM_EXECUTABLE);
    /* The same program, built again so that it is right. */
    assert_success(clBuildProgram(program, 0, NULL, "-D VALUE=7 -D 'undeclared(x)='", NULL, NULL));
    assert_string_equal(ocl_log(ocl, program), "");
    assert_int_equal(ocl_result(ocl, program), 7);
    assert_success(clReleaseProgram(program));
}

static void a_warning_is_in_the_log(void **state)
{
    const struct ocl *ocl = *state;
    cl_program program;
    static const char source[] = "__kernel void k(__global int *o) {\n#warning careful\n}\n";
    assert_success(ocl_build(ocl, source, NULL, &program));
    assert_non_null(strstr(ocl_log(ocl, program), "program.cl:2:2: warning: careful"));
    assert_success(clReleaseProgram(program));
    assert_int_equal(ocl_build(ocl, source, "-Werror", &program), CL_BUILD_PROGRAM_FAILURE);
    assert_success(clReleaseProgram(program));
    assert_success(ocl_build(ocl, source, "-w", &program));
    assert_string_equal(ocl_log(ocl, program), "");
    assert_success(clReleaseProgram(program));
}

/* HEDDLE_CACHE: built again, a program is the same, and so is what the compiler said; other options make another. */
static void what_was_compiled_is_kept(void **state)
{
    static const char source[] =
        "#warning careful\n__kernel void k(__global int *o) { o[0] = V; }\n";
    static const struct {
        const char *options;
        int result;
        unsigned files;
    } builds[] = {
        {"-DV=3", 3, 2}, {"-DV=3", 3, 2}, {"-DV=4", 4, 4}, {"-DV=3", 3, 4}, {"-I. -DV=5", 5, 6}};
    const struct ocl *ocl = *state;
    char folder[] = "/tmp/heddle-cache-XXXXXX", command[64];
    const char *given = getenv("HEDDLE_CACHE");
    char *before = given ? strdup(given) : NULL;
    assert_non_null(mkdtemp(folder));
    assert_success(setenv("HEDDLE_CACHE", folder, 1));
    for (size_t i = 0; i < sizeof builds / sizeof *builds; i++) {
        cl_program program;
        assert_success(ocl_build(ocl, source, builds[i].options, &program));
        assert_non_null(strstr(ocl_log(ocl, program), "program.cl:1:2: warning: careful"));
        assert_int_equal(ocl_result(ocl, program), builds[i].result);
        assert_success(clReleaseProgram(program));
        unsigned files = 0;
        DIR *d = opendir(folder);
        assert_non_null(d);
        for (const struct dirent *e; (e = readdir(d));)
            files += *e->d_name != '.';
        closedir(d);
        assert_int_equal(files, builds[i].files);
    }
    if (before)
        assert_success(setenv("HEDDLE_CACHE", before, 1));
    else
        assert_success(unsetenv("HEDDLE_CACHE"));
    free(before);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_success(system(command));
}

static void options_reach_the_compiler(void **state)
{
    static const char source[] = "#include \"given.h\"\n"
                                 "__constant char text[] = TEXT;\n"
                                 "__kernel void k(__global int *o) {\n"
                                 "    o[0] = GIVEN + A + (B) + sizeof text; }\n";
    const struct ocl *ocl = *state;
    char folder[] = "/tmp/heddle test XXXXXX", file[64], options[256];
    cl_program program;
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/given.h", folder);
    FILE *header = fopen(file, "w");
    assert_non_null(header);
    fputs("#define GIVEN 1000\n", header);
    assert_int_equal(fclose(header), 0);
    snprintf(options, sizeof options,
             " -I \"%s\"\t-DA=200 -D \"B=10 + 20\" '-DTEXT=\"a b\"' -cl-mad-enable ", folder);
    if (ocl_build(ocl, source, options, &program) != CL_SUCCESS)
        fail_msg("%s", ocl_log(ocl, program));
    assert_int_equal(ocl_result(ocl, program), 1000 + 200 + 30 + 4);
    assert_success(clReleaseProgram(program));
    assert_int_equal(unlink(file), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* clang replaces a word that begins with @ by the words of that file, wherever the option ends. */
static void options_hold_no_files_of_options(void **state)
{
    static const char *const formats[] = {
        "-D @%s",     "-D@%s", "-D '@%s'", "-I @%s",    "-I@%s",
        "-I \"@%s\"", "@%s",   "-w @%s",   "-D '' @%s",
    };
    static const char source[] = "#ifdef PLANTED\n#error planted\n#endif\n"
                                 "__kernel void k(__global int *o) { o[0] = 1; }";
    const struct ocl *ocl = *state;
    char path[] = "/tmp/heddle-options-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(dprintf(fd, "A -DPLANTED=2\n"), 14);
    close(fd);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        char options[64];
        cl_program program;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(options, sizeof options, formats[i], path);
#pragma GCC diagnostic pop
        const cl_int error = ocl_build(ocl, source, options, &program);
        const char *log = ocl_log(ocl, program);
        if (error != CL_INVALID_BUILD_OPTIONS || !strstr(log, "build options: "))
            fail_msg("%s: %d\n%s", options, error, log);
        assert_success(clReleaseProgram(program));
    }
    assert_int_equal(unlink(path), 0);
}

static void options_of_opencl_are_known_and_others_not(void **state)
{
    static const struct {
        const char *options;
        cl_int expected;
        const char *log;
    } cases[] = {
        {"-cl-single-precision-constant", CL_SUCCESS, ""},
        {"-cl-denorms-are-zero", CL_SUCCESS, ""},
        {"-cl-fp32-correctly-rounded-divide-sqrt", CL_SUCCESS, ""},
        {"-cl-no-signed-zeros -cl-finite-math-only", CL_SUCCESS, ""},
        {"-cl-unsafe-math-optimizations", CL_SUCCESS, ""},
        {"-cl-fast-relaxed-math", CL_SUCCESS, ""},
        {"-cl-std=CL1.0", CL_SUCCESS, ""},
        {"-cl-std=CL1.1", CL_SUCCESS, ""},
        {"-cl-std=CL1.2", CL_SUCCESS, ""},
        {"-cl-opt-disable", CL_SUCCESS, "-cl-opt-disable has no effect here"},
        {"-cl-nv-maxrregcount=32", CL_SUCCESS, "has no effect here"},
        {"-cl-std=CL2.0", CL_INVALID_BUILD_OPTIONS, "unknown option: -cl-std=CL2.0"},
        {"-O3", CL_INVALID_BUILD_OPTIONS, "unknown option: -O3"},
        {"-o /tmp/x", CL_INVALID_BUILD_OPTIONS, "unknown option: -o"},
        {"-w stray", CL_INVALID_BUILD_OPTIONS, "unknown option: stray"},
        {"-D", CL_INVALID_BUILD_OPTIONS, "-D needs an argument"},
        {"-I '' -w", CL_INVALID_BUILD_OPTIONS, "-I needs an argument"},
        {"-D@A", CL_INVALID_BUILD_OPTIONS, "the value of -D@A begins with @"},
        {"-DA=@B -I ./@nowhere", CL_SUCCESS, ""},
        {"-DA=\"b", CL_INVALID_BUILD_OPTIONS, "a quote is not closed"},
    };
    static const char source[] =
        "__kernel void k(__global int *o) { o[0] = 3 * (float)o[0] / 7 > 1.0f; }";
    const struct ocl *ocl = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cl_program program;
        const cl_int error = ocl_build(ocl, source, cases[i].options, &program);
        const char *log = ocl_log(ocl, program);
        if (error != cases[i].expected || !strstr(log, cases[i].log))
            fail_msg("%s: %d\n%s", cases[i].options, error, log);
        if (error == CL_SUCCESS)
            assert_in_range(ocl_result(ocl, program), 0, 1);
        assert_success(clReleaseProgram(program));
    }
}

static void pieces_make_one_source(void **state)
{
    const struct ocl *ocl = *state;
    const char *pieces[] = {"__kernel void k(", "__global int *o) { o[0] = 5; }XXX", "\n"};
    const size_t lengths[] = {0, 30, 1};
    cl_int error;
    cl_program program = clCreateProgramWithSource(ocl->context, 3, pieces, lengths, &error);
    char source[256];
    size_t bytes;
    assert_success(error);
    assert_success(clBuildProgram(program, 1, &ocl->device, NULL, NULL, NULL));
    assert_int_equal(ocl_result(ocl, program), 5);
    assert_success(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof source, source, &bytes));
    assert_string_equal(source, "__kernel void k(__global int *o) { o[0] = 5; }\n");
    assert_int_equal(bytes, strlen(source) + 1);
    assert_success(clReleaseProgram(program));
}

/* Helpers that are not inline, and a source of a megabyte. */
static void helpers_are_inlined(void **state)
{
    const struct ocl *ocl = *state;
    char *source = NULL;
    size_t bytes;
    FILE *out = open_memstream(&source, &bytes);
    for (int i = 0; i < 200; i++) {
        fprintf(out, "int f%d(int x) { for (int i = 0; i < x; i++) x ^= i * %d; return x; }\n", i,
                i);
        fprintf(out, "/*%5000s*/\n", "");
    }
    fprintf(out, "inline int g(int x) { return x + 1; }\n");
    fprintf(out, "__kernel void k(__global int *o) { int x = 3;\n");
    for (int i = 0; i < 200; i += 20)
        fprintf(out, "x = f%d(x & 15);\n", i);
    fprintf(out, "o[0] = g(x); }\n");
    assert_int_equal(fclose(out), 0);
    int x = 3;
    for (int f = 0; f < 200; f += 20) {
        x &= 15;
        for (int i = 0; i < x; i++)
            x ^= i * f;
    }
    cl_program program;
    if (ocl_build(ocl, source, "", &program) != CL_SUCCESS)
        fail_msg("%s", ocl_log(ocl, program));
    assert_int_equal(ocl_result(ocl, program), x + 1);
    assert_success(clReleaseProgram(program));
    free(source);
}

/* What clang accepts and the machine does not is told in the log too. */
/* A function that clang does not find worth inlining, C99's `inline` or static, alone and from an
 * object: it has its body. */
static void large_helpers_keep_their_bodies(void **state)
{
    static const char *const kinds[] = {"inline", "static", "static inline", ""};
    const struct ocl *ocl = *state;
    for (unsigned kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        char *source;
        size_t bytes;
        int expected = 0;
        FILE *out = open_memstream(&source, &bytes);
        assert_non_null(out);
        fprintf(out, "__constant int p[5] = {1};\n%s int f(int x) {\n", kinds[kind]);
        for (int i = 0; i < 1500; i++) {
            const char operation = "+^-"[i % 3];
            fprintf(out, "x = x %c (p[%d] + %d);\n", operation, i % 5, i);
            const int value = (i % 5 == 0 ? 1 : 0) + i;
            expected = operation == '+'   ? expected + value
                       : operation == '^' ? expected ^ value
                                          : expected - value;
        }
        fprintf(out, "return x; }\n__kernel void k(__global int *o) { int x = get_global_id(0);\n"
                     "o[0] = f(x) + 2 * (f(x + 1) - f(1 + x)) + f(2 * x) - f(3 * x); }\n");
        fclose(out);
        cl_program program = ocl_program(ocl, source, "");
        assert_int_equal(ocl_result(ocl, program), expected);
        assert_success(clReleaseProgram(program));

        cl_int error;
        const char *text = source;
        cl_program object = clCreateProgramWithSource(ocl->context, 1, &text, NULL, &error);
        assert_success(clCompileProgram(object, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
        program = clLinkProgram(ocl->context, 0, NULL, NULL, 1, &object, NULL, NULL, &error);
        assert_success(error);
        assert_int_equal(ocl_result(ocl, program), expected);
        assert_success(clReleaseProgram(program));
        assert_success(clReleaseProgram(object));
        free(source);
    }
}

static void what_the_machine_refuses_is_in_the_log(void **state)
{
    const struct ocl *ocl = *state;
    cl_program program;
    char folder[] = "/tmp/heddle-build-XXXXXX", path[PATH_MAX] = "", line[256];
    unsigned number = 0, at = 0;
    assert_non_null(mkdtemp(folder));
    setenv("HEDDLE_FAIL", folder, 1);
    assert_int_equal(ocl_build(ocl,
                               "__kernel void k(__global int *o) {\n"
                               "    __asm__ volatile(\"mma.sync.aligned;\");\n"
                               "    o[0] = 1; }",
                               "", &program),
                     CL_BUILD_PROGRAM_FAILURE);
    unsetenv("HEDDLE_FAIL");
    const char *log = ocl_log(ocl, program), *kept = strstr(log, "heddle: its PTX is ");
    assert_non_null(strstr(log, "opcode 'mma.sync.aligned' is not supported"));
    /* the PTX is kept, and the line that the log names is that instruction */
    assert_non_null(kept);
    assert_int_equal(sscanf(kept, "heddle: its PTX is %4095s", path), 1);
    assert_memory_equal(path, folder, strlen(folder));
    assert_int_equal(sscanf(log, "%*[^:]:%u", &number), 1);
    FILE *ptx = fopen(path, "r");
    assert_non_null(ptx);
    while (at < number && fgets(line, sizeof line, ptx))
        at++;
    fclose(ptx);
    assert_non_null(strstr(line, "mma.sync.aligned"));
    unlink(path);
    rmdir(folder);
    assert_success(clReleaseProgram(program));
}

static void CL_CALLBACK on_build(cl_program program, void *data)
{
    *(cl_program *)data = program;
}

static void the_callback_is_told(void **state)
{
    const struct ocl *ocl = *state;
    cl_program program, told = NULL;
    cl_int error;
    const char *bad = "nonsense";
    program = clCreateProgramWithSource(ocl->context, 1, &bad, NULL, &error);
    assert_int_equal(clBuildProgram(program, 0, NULL, "", on_build, &told),
                     CL_BUILD_PROGRAM_FAILURE);
    assert_ptr_equal(told, program);
    assert_success(clReleaseProgram(program));
}

struct job {
    const struct ocl *ocl;
    int number;
    pthread_t thread;
};

static void *build_and_run(void *data)
{
    const struct job *job = data;
    char options[32];
    for (int i = 0; i < 3; i++) {
        cl_program program;
        snprintf(options, sizeof options, "-DN=%d", 10 * job->number + i);
        assert_success(ocl_build(job->ocl, "__kernel void k(__global int *o) { o[0] = N; }",
                                 options, &program));
        assert_int_equal(ocl_result(job->ocl, program), 10 * job->number + i);
        assert_success(clReleaseProgram(program));
    }
    return NULL;
}

static void threads_build_side_by_side(void **state)
{
    struct job jobs[6];
    for (int i = 0; i < 6; i++) {
        jobs[i] = (struct job){.ocl = *state, .number = i};
        assert_int_equal(pthread_create(&jobs[i].thread, NULL, build_and_run, &jobs[i]), 0);
    }
    for (int i = 0; i < 6; i++)
        assert_int_equal(pthread_join(jobs[i].thread, NULL), 0);
}

static void without_clang_there_is_no_compiler(void **state)
{
    const struct ocl *ocl = *state;
    char path[4096];
    cl_program program;
    cl_bool available;
    assert_non_null(getenv("PATH"));
    snprintf(path, sizeof path, "%s", getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    const cl_int error = ocl_build(ocl, "__kernel void k() {}", "", &program);
    assert_success(clGetDeviceInfo(ocl->device, CL_DEVICE_COMPILER_AVAILABLE, sizeof available,
                                   &available, NULL));
    setenv("PATH", path, 1);
    assert_int_equal(error, CL_COMPILER_NOT_AVAILABLE);
    assert_int_equal(available, CL_FALSE);
    assert_string_equal(ocl_log(ocl, program), "clang is not on PATH\n");
    assert_success(clReleaseProgram(program));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_names_the_programs_line),
        cmocka_unit_test(a_warning_is_in_the_log),
        cmocka_unit_test(what_was_compiled_is_kept),
        cmocka_unit_test(options_reach_the_compiler),
        cmocka_unit_test(options_hold_no_files_of_options),
        cmocka_unit_test(options_of_opencl_are_known_and_others_not),
        cmocka_unit_test(pieces_make_one_source),
        cmocka_unit_test(helpers_are_inlined),
        cmocka_unit_test(large_helpers_keep_their_bodies),
        cmocka_unit_test(what_the_machine_refuses_is_in_the_log),
        cmocka_unit_test(the_callback_is_told),
        cmocka_unit_test(threads_build_side_by_side),
        cmocka_unit_test(without_clang_there_is_no_compiler),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}

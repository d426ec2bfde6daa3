/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/exit_test.c: how processes end: failed kernels that a program ignores, environments
 * that cannot be used, statistics at the exit. Each case is a process of its own. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tb/ocl/ocl_support.h"

enum { TEXT = 65536 };

/* Runs `body` in a child with `variables`, name=value pairs; returns the exit status and what it
 * wrote on standard error. */
static int run_child(void (*body)(void), const char *const *variables, char text[TEXT])
{
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        for (; *variables; variables++)
            putenv((char *)*variables);
        ocl_use_build();
        body();
        exit(0);
    }
    close(ends[1]);
    size_t used = 0;
    for (ssize_t got; (got = read(ends[0], text + used, TEXT - 1 - used)) > 0;)
        used += (size_t)got;
    text[used] = 0;
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static const char *const nothing[] = {NULL};

/* In the child: everything up to a kernel k(__global int *o) with a buffer of 4 bytes. */
static cl_kernel open_kernel(struct ocl *ocl, const char *source)
{
    void *state;
    ocl_setup(&state);
    *ocl = *(struct ocl *)state;
    cl_kernel kernel = ocl_kernel(ocl, source, "k");
    cl_mem memory = ocl_buffer(ocl, 4, NULL);
    assert_arg(kernel, 0, memory);
    return kernel;
}

static const char good[] = "__kernel void k(__global int *o) { o[0] = 1; }";
static const char bad[] = "void f(__global int *o) {\n  o[1000] = 1;\n}\n"
                          "__kernel void k(__global int *o) { f(o); }";

static void run_good(void)
{
    struct ocl ocl;
    cl_kernel kernel = open_kernel(&ocl, good);
    ocl_run(&ocl, kernel, 1, 1);
}

/* The errors that a failed kernel gives; the status says whether the program has noticed. */
static void run_bad(void)
{
    struct ocl ocl;
    const size_t one = 1;
    cl_event event;
    cl_int status;
    cl_kernel kernel = open_kernel(&ocl, bad);
    assert_int_equal(
        clEnqueueNDRangeKernel(ocl.queue, kernel, 1, NULL, &one, &one, 0, NULL, &event),
        CL_OUT_OF_RESOURCES);
    assert_success(
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    assert_int_equal(status, CL_OUT_OF_RESOURCES);
    assert_int_equal(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    assert_int_equal(clFinish(ocl.queue), CL_OUT_OF_RESOURCES);
}

static void run_bad_and_notice(void)
{
    run_bad();
    exit(7);
}

/* Where two kernels run at once, one that fails ends the other one, too; it fails when time passes. */
static void run_bad_beside_another(void)
{
    static const char slow[] = "__kernel void k(__global int *o) {"
                               "  for (int i = 0; i < 1000; i++) o[0] = o[0] * 3; }";
    struct ocl ocl;
    const size_t one = 1;
    cl_int error;
    cl_kernel kernels[2] = {open_kernel(&ocl, bad), ocl_kernel(&ocl, slow, "k")};
    cl_mem memory = ocl_buffer(&ocl, 4, NULL);
    assert_arg(kernels[1], 0, memory);
    cl_command_queue other = clCreateCommandQueue(ocl.context, ocl.device, 0, &error);
    assert_success(error);
    assert_success(clEnqueueNDRangeKernel(other, kernels[1], 1, NULL, &one, &one, 0, NULL, NULL));
    assert_success(
        clEnqueueNDRangeKernel(ocl.queue, kernels[0], 1, NULL, &one, &one, 0, NULL, NULL));
    assert_int_equal(clFinish(other), CL_OUT_OF_RESOURCES);
    assert_int_equal(clFinish(ocl.queue), CL_OUT_OF_RESOURCES);
}

static void run_two(void)
{
    struct ocl ocl;
    const size_t one = 1;
    cl_int error;
    cl_kernel kernel = open_kernel(&ocl, good);
    cl_command_queue other = clCreateCommandQueue(ocl.context, ocl.device, 0, &error);
    assert_success(error);
    clEnqueueNDRangeKernel(ocl.queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL);
    clEnqueueNDRangeKernel(other, kernel, 1, NULL, &one, &one, 0, NULL, NULL);
    clFinish(ocl.queue);
    clFinish(other);
}

/* Waits for nothing. */
static void leave_a_kernel(void)
{
    struct ocl ocl;
    const size_t one = 1;
    cl_kernel kernel = open_kernel(&ocl, good);
    assert_success(clEnqueueNDRangeKernel(ocl.queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
}

static void CL_CALLBACK print_notice(const char *text, const void *info, size_t size, void *data)
{
    (void)info, (void)size;
    fprintf(stderr, "%s%s\n", (const char *)data, text);
}

/* The context's callback gets the message too. */
static void run_bad_with_callback(void)
{
    struct ocl ocl;
    const size_t one = 1;
    cl_int error;
    void *state;
    ocl_setup(&state);
    ocl = *(struct ocl *)state;
    ocl.context = clCreateContext(NULL, 1, &ocl.device, print_notice, "NOTICE ", &error);
    ocl.queue = clCreateCommandQueue(ocl.context, ocl.device, 0, &error);
    cl_kernel kernel = ocl_kernel(&ocl, bad, "k");
    cl_mem memory = ocl_buffer(&ocl, 4, NULL);
    assert_arg(kernel, 0, memory);
    clEnqueueNDRangeKernel(ocl.queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL);
}

/* Asks for more local memory than an SM has. */
static void run_too_large(void)
{
    struct ocl ocl;
    const size_t one = 1;
    void *state;
    ocl_setup(&state);
    ocl = *(struct ocl *)state;
    cl_kernel kernel =
        ocl_kernel(&ocl, "__kernel void k(__local int *l, __global int *o) { o[0] = l[0]; }", "k");
    cl_mem memory = ocl_buffer(&ocl, 4, NULL);
    assert_arg(kernel, 1, memory);
    assert_success(clSetKernelArg(kernel, 0, (size_t)1 << 40, NULL));
    assert_int_equal(clEnqueueNDRangeKernel(ocl.queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL),
                     CL_OUT_OF_RESOURCES);
}

static void open_device(void)
{
    void *state;
    ocl_setup(&state);
}

/* A child of the child has the exit handler too, but not the machine. */
static void fork_after_opening(void)
{
    run_good();
    const pid_t child = fork();
    if (child == 0)
        exit(0);
    waitpid(child, NULL, 0);
}

/* Objects released after the machine has gone, as destructors of C++ programs do. */
static struct ocl late;
static cl_mem late_memory;
static void release_late(void)
{
    cl_int error, value = 0;
    if (clEnqueueReadBuffer(late.queue, late_memory, CL_TRUE, 0, 4, &value, 0, NULL, NULL) ==
            CL_SUCCESS ||
        clCreateBuffer(late.context, 0, 4, NULL, &error) ||
        clReleaseMemObject(late_memory) != CL_SUCCESS ||
        clReleaseCommandQueue(late.queue) != CL_SUCCESS ||
        clReleaseContext(late.context) != CL_SUCCESS)
        _exit(99);
}
static void release_at_exit(void)
{
    void *state;
    atexit(release_late);
    ocl_setup(&state);
    late = *(struct ocl *)state;
    late_memory = ocl_buffer(&late, 4, NULL);
}

/* A signal handler that ends the process from within a kernel that never ends. */
static void on_alarm(int number)
{
    (void)number;
    exit(5);
}
static void exit_in_a_launch(void)
{
    struct ocl ocl;
    cl_kernel kernel =
        open_kernel(&ocl, "__kernel void k(volatile __global int *o) { while (o[0] != 1); }");
    signal(SIGALRM, on_alarm);
    ualarm(100000, 0);
    ocl_run(&ocl, kernel, 1, 1);
}

static void statuses_and_messages(void **state)
{
    static const char *const no_file[] = {"HEDDLE_CONFIG_FILE=/nowhere/x.ini", NULL};
    static const char *const no_key[] = {"HEDDLE_SET=l1d.nonsense=3", NULL};
    static const char *const no_value[] = {"HEDDLE_SET=l1d.ways=4\nl1d.sets=three", NULL};
    static const char *const no_folder[] = {"HEDDLE_STATS=/nowhere/stats.json", NULL};
    static const char *const no_fail_folder[] = {"HEDDLE_FAIL=/proc/nowhere", NULL};
    static const char *const other_clock[] = {"HEDDLE_SET=\ngpu.clock_mhz=700\n", NULL};
    static const char *const two_at_once[] = {"HEDDLE_SET=run.dispatch=kmu", NULL};
    static const char *const watched[] = {"HEDDLE_SET=run.dispatch=kmu\nrun.observe=1", NULL};
    static const char *const profiled[] = {"HEDDLE_SET=run.dispatch=kmu",
                                           "HEDDLE_PROFILE=/dev/null", NULL};
    static const char *const analysed[] = {"HEDDLE_SET=run.dispatch=kmu",
                                           "HEDDLE_LOCALITY=/dev/null", NULL};
    static const struct {
        void (*body)(void);
        const char *const *variables;
        int status;
        const char *says[3];
    } cases[] = {
        {run_good, nothing, 0, {""}},
        {run_good, other_clock, 0, {""}},
        {run_bad,
         nothing,
         1,
         {"heddle: program1.ptx: kernel 'k'", " at program.cl:2 (line ",
          "the program ignored it: exit status 1"}},
        {run_bad, no_fail_folder, 1, {"heddle: /proc/nowhere/program1.ptx cannot be written"}},
        {run_bad_and_notice, nothing, 7, {"heddle: "}},
        {run_bad_with_callback, nothing, 1, {"heddle: ", "NOTICE "}},
        {run_too_large, nothing, 1, {"shared memory"}},
        {open_device, no_file, 2, {"/nowhere/x.ini"}},
        {open_device, no_key, 2, {"nonsense"}},
        {open_device, no_value, 2, {"three"}},
        {run_good, no_folder, 1, {"/nowhere/stats.json"}},
        {fork_after_opening, nothing, 0, {""}},
        {release_at_exit, nothing, 0, {""}},
        {exit_in_a_launch, nothing, 5, {""}},
        {exit_in_a_launch, two_at_once, 5, {""}},
        {run_bad_beside_another, two_at_once, 1, {"kernel 'k'", "ignored it: exit status 1"}},
        {leave_a_kernel, nothing, 0, {""}},
        {leave_a_kernel, two_at_once, 0, {"program1.ptx: kernel k: given up"}},
        {run_two, two_at_once, 0, {""}},
        {run_two, watched, 0, {""}},
        {run_two, profiled, 0, {""}},
        {run_two, analysed, 1, {"what a kernel reads is analysed of one kernel at a time"}},
    };
    static char text[TEXT];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const int status = run_child(cases[i].body, cases[i].variables, text);
        int said = 1;
        for (int n = 0; n < 3 && cases[i].says[n]; n++)
            said &= strstr(text, cases[i].says[n]) != NULL;
        if (status != cases[i].status || !said)
            fail_msg("case %zu: status %d, expected %d\n%s", i, status, cases[i].status, text);
    }
}

/* The PTX of a kernel that failed is kept, and the message's line is one of it. */
static void the_ptx_of_a_failed_kernel_is_kept(void **state)
{
    static char text[TEXT], variable[128], ptx[TEXT];
    char folder[] = "/tmp/heddle-exit-XXXXXX", file[64];
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/program1.ptx", folder);
    snprintf(variable, sizeof variable, "HEDDLE_FAIL=%s", folder);
    assert_int_equal(run_child(run_bad, (const char *[]){variable, NULL}, text), 1);
    assert_non_null(strstr(text, file));
    const char *line = strstr(text, "(line ");
    assert_non_null(line);
    FILE *in = fopen(file, "r");
    assert_non_null(in);
    for (long n = strtol(line + strlen("(line "), NULL, 10); n > 0; n--)
        assert_non_null(fgets(ptx, sizeof ptx, in));
    assert_non_null(strstr(ptx, "st.global"));
    fclose(in);
    assert_int_equal(unlink(file), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void statistics_are_written_at_the_exit(void **state)
{
    static char text[TEXT], variable[128];
    char folder[] = "/tmp/heddle-exit-XXXXXX", file[64];
    struct stat found;
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/stats.json", folder);
    snprintf(variable, sizeof variable, "HEDDLE_STATS=%s", file);
    assert_int_equal(run_child(run_good, (const char *[]){variable, NULL}, text), 0);
    assert_int_equal(stat(file, &found), 0);
    assert_true(found.st_size > 0);
    assert_int_equal(unlink(file), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* What comes from the program's memory, and other commands besides; the kernel's buffer is filled. */
static void copy_to_the_device(void)
{
    static int bytes[1024], own[64];
    const size_t there[] = {8, 2, 0}, here[] = {0, 0, 0}, region[] = {16, 3, 1};
    const cl_buffer_region part = {1024, 1024};
    const int zero = 0;
    struct ocl ocl;
    cl_int error;
    cl_kernel kernel = open_kernel(&ocl, good);
    cl_mem memory = clCreateBuffer(ocl.context, CL_MEM_COPY_HOST_PTR, 4096, bytes, &error);
    cl_mem piece = clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &error);
    assert_success(error);
    assert_success(clEnqueueWriteBuffer(ocl.queue, memory, CL_TRUE, 100, 40, bytes, 0, NULL, NULL));
    assert_success(clEnqueueFillBuffer(ocl.queue, memory, &zero, 4, 0, 64, 0, NULL, NULL));
    assert_success(clEnqueueCopyBuffer(ocl.queue, memory, memory, 0, 2048, 512, 0, NULL, NULL));
    ocl_run(&ocl, kernel, 1, 1);
    assert_success(clEnqueueWriteBufferRect(ocl.queue, piece, CL_TRUE, there, here, region, 64, 0,
                                            16, 0, bytes, 0, NULL, NULL));
    assert_success(clEnqueueReadBufferRect(ocl.queue, piece, CL_TRUE, there, here, region, 64, 0,
                                           16, 0, bytes, 0, NULL, NULL));
    ocl_read(&ocl, memory, 4096, bytes);
    clCreateBuffer(ocl.context, CL_MEM_USE_HOST_PTR, sizeof own, own, &error);
    assert_success(error);
}

static void copies_are_in_the_trace(void **state)
{
    static char text[TEXT], variable[128], list[TEXT], expected[TEXT];
    char folder[] = "/tmp/heddle-exit-XXXXXX", file[64];
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/kernelslist.g", folder);
    snprintf(variable, sizeof variable, "HEDDLE_TRACE=%s", folder);
    assert_int_equal(run_child(copy_to_the_device, (const char *[]){variable, NULL}, text), 0);
    FILE *in = fopen(file, "r");
    assert_non_null(in);
    list[fread(list, 1, TEXT - 1, in)] = 0;
    fclose(in);
    const char *last = strstr(list, ",256\n");
    assert_non_null(last);
    while (last[-1] != 'x')
        last--;
    const unsigned long base = strtoul(list + strlen("MemcpyHtoD,"), NULL, 16),
                        own = strtoul(last, NULL, 16);
    assert_true(base > 0 && base + 4096 < own);
    snprintf(expected, TEXT,
             "MemcpyHtoD,%#lx,4096\nMemcpyHtoD,%#lx,40\nkernel-1.traceg\n"
             "MemcpyHtoD,%#lx,144\nMemcpyHtoD,%#lx,256\n",
             base, base + 100, base + 1024 + 2 * 64 + 8, own);
    assert_string_equal(list, expected);
    snprintf(text, TEXT, "rm -r %s", folder);
    assert_int_equal(system(text), 0);
}

/* clinfo reads everything and finds no fault. */
static void clinfo_finds_no_fault(void **state)
{
    static char text[TEXT];
    (void)state;
#ifdef __SANITIZE_ADDRESS__
    skip(); /* a program without sanitizers cannot load a library with */
#endif
    ocl_use_build();
    FILE *out = popen("clinfo 2>&1", "r");
    assert_non_null(out);
    text[fread(text, 1, TEXT - 1, out)] = 0;
    assert_int_equal(pclose(out), 0);
    assert_non_null(strstr(text, "OpenCL 1.2 Heddle"));
    if (strstr(text, ": error -"))
        fail_msg("%s", text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statuses_and_messages),
        cmocka_unit_test(the_ptx_of_a_failed_kernel_is_kept),
        cmocka_unit_test(statistics_are_written_at_the_exit),
        cmocka_unit_test(copies_are_in_the_trace),
        cmocka_unit_test(clinfo_finds_no_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/recursion_test.c: OpenCL C whose functions recurse, on the machine, in lockstep and observed: results as on
 * the host; and a recursion that is too deep for the stack. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tb/ocl/ocl_support.h"

#define FUNCTIONS                                                                                  \
    int sums(const int *given, int count, int salt)                                                \
    {                                                                                              \
        int own[4];                                                                                \
        for (int i = 0; i < 4; i++)                                                                \
            own[i] = given[i % count] * (i + 3) + salt;                                            \
        if (count < 2)                                                                             \
            return own[0] ^ own[3];                                                                \
        const int left = sums(own, count / 2, salt + own[1]);                                      \
        return sums(own + count / 2, count - count / 2, left) * 3 + own[left & 3];                 \
    }                                                                                              \
    int deep(int n)                                                                                \
    {                                                                                              \
        return n == 0 ? 1 : (deep(n - 1) ^ (deep(n / 2) * 3 + n));                                 \
    }
#define TEXT_OF(...) #__VA_ARGS__
#define TEXT(...)    TEXT_OF(__VA_ARGS__)
FUNCTIONS

#define ITEMS 192

static const char source[] =
    "int sums(const int *given, int count, int salt); int deep(int n);\n" TEXT(
        FUNCTIONS) "\nkernel void k(global int *out, local int *shared, int depth) {\n"
                   "    const int i = get_global_id(0), l = get_local_id(0);\n"
                   "    int first[4] = {i, i + 1, i * 3, i >> 4};\n"
                   "    shared[l] = sums(first, 2 + i % 3, i & 3);\n"
                   "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                   "    out[i] = shared[l ^ 1] + deep(i % depth);\n"
                   "}\n";

/* Returns how the kernel ended. */
static cl_int run(const struct ocl *ocl, cl_kernel kernel, cl_mem out, cl_int depth)
{
    const size_t global = ITEMS, local = 64;
    cl_event event;
    cl_int status;
    assert_arg(kernel, 0, out);
    assert_success(clSetKernelArg(kernel, 1, local * sizeof(cl_int), NULL));
    assert_arg(kernel, 2, depth);
    const cl_int result =
        clEnqueueNDRangeKernel(ocl->queue, kernel, 1, NULL, &global, &local, 0, NULL, &event);
    if (result)
        return result;
    clFinish(ocl->queue);
    assert_success(
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    assert_success(clReleaseEvent(event));
    return status;
}

static void as_on_the_host(void **state)
{
    const struct ocl *ocl = *state;
    cl_kernel kernel = ocl_kernel(ocl, source, "k");
    cl_int found[ITEMS];
    cl_mem out = ocl_buffer(ocl, sizeof found, NULL);
    assert_int_equal(run(ocl, kernel, out, 7), CL_COMPLETE);
    ocl_read(ocl, out, sizeof found, found);
    for (int i = 0; i < ITEMS; i++) {
        const int other = i ^ 1, first[4] = {other, other + 1, other * 3, other >> 4};
        assert_int_equal(found[i], sums(first, 2 + other % 3, other & 3) + deep(i % 7));
    }
    assert_success(clReleaseMemObject(out));
    assert_success(clReleaseKernel(kernel));
}

/* A process of its own: after a fault nothing runs any more, and the process ends with status 1, though its program does not. */
static void too_deep(void **unused)
{
    (void)unused;
    int status;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        void *state;
        ocl_setup(&state);
        const struct ocl *ocl = state;
        cl_mem out = ocl_buffer(ocl, ITEMS * sizeof(cl_int), NULL);
        exit(run(ocl, ocl_kernel(ocl, source, "k"), out, 150) < 0 ? 0 : 2);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_deep),
        cmocka_unit_test_setup_teardown(as_on_the_host, ocl_setup, ocl_teardown),
    };
    ocl_use_build();
    setenv("HEDDLE_SET", "run.backend=lockstep\nrun.observe=1", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

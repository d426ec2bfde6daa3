/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/matmul/matmul.c: product of two square matrices of random floats. The host adds the
 * same products in the same order, so the results must be equal bit by bit (--tolerance is for
 * devices whose compilers contract a product and a sum although the kernel says not to). */
#include <stdio.h>
#include <stdlib.h>

#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/random.h"
#include "tb/workloads/common/reference.h"
#include "tb/workloads/common/verify.h"

extern const char matmul_cl[];

#define TILE 16

enum { ORDER, TOLERANCE, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [ORDER] = NUMBER_OPTION("size", 1, 4096, 100, 256, 512, "rows and columns"),
    [TOLERANCE] =
        REAL_OPTION("tolerance", "bit by bit", "allowed difference, relative to values above 1"),
};

static float *random_matrix(size_t elements, struct random *random)
{
    float *matrix = allocate(elements, sizeof *matrix);
    random_floats(random, matrix, elements);
    return matrix;
}

static size_t run(cl_uint order, const float *host_a, const float *host_b, const float *expected,
                  float *got, const struct options *options)
{
    struct opencl cl;
    const size_t work[] = {order, order}, group[] = {TILE, TILE};
    const size_t elements = (size_t)order * order, bytes = elements * sizeof(float);
    size_t wrong = 0;
    opencl_open(&cl, options->device_type.text, matmul_cl);
    cl_kernel kernel = opencl_kernel(&cl, "matmul");
    cl_mem a = opencl_buffer(&cl, CL_MEM_READ_ONLY, bytes, host_a);
    cl_mem b = opencl_buffer(&cl, CL_MEM_READ_ONLY, bytes, host_b);
    cl_mem c = opencl_buffer(&cl, CL_MEM_WRITE_ONLY, bytes, NULL);
    OPENCL_ARGUMENT(kernel, 0, a);
    OPENCL_ARGUMENT(kernel, 1, b);
    OPENCL_ARGUMENT(kernel, 2, c);
    OPENCL_ARGUMENT(kernel, 3, order);
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        opencl_poison(&cl, c, bytes);
        opencl_launch(&cl, kernel, 2, work, group);
        opencl_read(&cl, c, bytes, got);
        opencl_report(&cl, i, options->repeat.number);
        wrong = verify_floats("c", order, expected, got, elements, options->own[TOLERANCE].real,
                              stdout);
    }
    CL(clReleaseMemObject(a));
    CL(clReleaseMemObject(b));
    CL(clReleaseMemObject(c));
    CL(clReleaseKernel(kernel));
    opencl_close(&cl);
    return wrong;
}

int main(int argc, char **argv)
{
    struct options options;
    parse_command_line(&options, argc, argv,
                       "Multiplies two square matrices on an OpenCL device, tile by tile.", table,
                       NUM_OPTIONS);
    struct random random = {(uint64_t)options.seed.number};
    uint32_t order = (uint32_t)options.own[ORDER].number;
    size_t elements = (size_t)order * order;
    float *a = random_matrix(elements, &random);
    float *b = random_matrix(elements, &random);
    float *expected = allocate(elements, sizeof *expected);
    float *got = allocate(elements, sizeof *got);
    printf("matmul: %u x %u, seed %lld\n", order, order, (long long)options.seed.number);
    reference_matmul(order, a, b, expected);
    size_t wrong = run(order, a, b, expected, got, &options);
    if (wrong == 0)
        printf("verified: %zu elements equal the host's%s\n", elements,
               options.own[TOLERANCE].real > 0 ? " within the tolerance" : " bit by bit");
    free(a);
    free(b);
    free(expected);
    free(got);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}

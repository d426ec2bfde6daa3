/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/vecadd/vecadd.c: c = a + b, one work-item an element. By default the size is odd, so
 * that the last work-group has a tail; c's buffer is longer than the padded launch, so that an
 * element written past the end shows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/random.h"
#include "tb/workloads/common/verify.h"

extern const char vecadd_cl[];

#define BLOCK 128

enum { COUNT, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [COUNT] = NUMBER_OPTION("count", 1, 1 << 26, 10007, 100003, 1000003, "elements"),
};

struct vectors {
    size_t padded; /* elements of c's buffer */
    float *a, *b, *expected, *got;
};

/* Fills a and b; beyond count, the result is the poison that must stay. */
static struct vectors make_vectors(size_t count, uint64_t seed)
{
    struct random random = {seed};
    struct vectors v = {.padded = (count + BLOCK - 1) / BLOCK * BLOCK};
    v.a = allocate(count, sizeof *v.a);
    v.b = allocate(count, sizeof *v.b);
    v.expected = allocate(v.padded, sizeof *v.expected);
    v.got = allocate(v.padded, sizeof *v.got);
    memset(v.expected, 0xff, v.padded * sizeof *v.expected);
    for (size_t i = 0; i < count; i++) {
        v.a[i] = random_float(&random);
        v.b[i] = random_float(&random);
        v.expected[i] = v.a[i] + v.b[i];
    }
    return v;
}

static size_t run(const struct vectors *v, cl_uint count, const struct options *options)
{
    struct opencl cl;
    const size_t work = count, group = BLOCK, padded_bytes = v->padded * sizeof(float);
    size_t wrong = 0;
    opencl_open(&cl, options->device_type.text, vecadd_cl);
    cl_kernel kernel = opencl_kernel(&cl, "vecadd");
    cl_mem a = opencl_buffer(&cl, CL_MEM_READ_ONLY, count * sizeof(float), v->a);
    cl_mem b = opencl_buffer(&cl, CL_MEM_READ_ONLY, count * sizeof(float), v->b);
    cl_mem c = opencl_buffer(&cl, CL_MEM_WRITE_ONLY, padded_bytes, NULL);
    OPENCL_ARGUMENT(kernel, 0, a);
    OPENCL_ARGUMENT(kernel, 1, b);
    OPENCL_ARGUMENT(kernel, 2, c);
    OPENCL_ARGUMENT(kernel, 3, count);
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        opencl_poison(&cl, c, padded_bytes);
        opencl_launch(&cl, kernel, 1, &work, &group);
        opencl_read(&cl, c, padded_bytes, v->got);
        opencl_report(&cl, i, options->repeat.number);
        wrong = verify_floats("c", 0, v->expected, v->got, v->padded, 0, stdout);
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
                       "Adds two vectors of random floats on an OpenCL device.", table,
                       NUM_OPTIONS);
    size_t count = (size_t)options.own[COUNT].number;
    struct vectors v = make_vectors(count, (uint64_t)options.seed.number);
    printf("vecadd: %zu elements, seed %lld\n", count, (long long)options.seed.number);
    size_t wrong = run(&v, (cl_uint)count, &options);
    free(v.a);
    free(v.b);
    free(v.expected);
    free(v.got);
    if (wrong > 0)
        return EXIT_WRONG;
    printf("verified: %zu elements equal the host's\n", count);
    return EXIT_VERIFIED;
}

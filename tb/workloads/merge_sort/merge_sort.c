/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/merge_sort/merge_sort.c: sorts pairs of a random key and the number of its place.
 * Keys repeat, so the values show whether equal ones keep their order. All pairs must be where the
 * C library's qsort, by key and then by value, puts them. */
#include <stdio.h>
#include <stdlib.h>

#include "tb/workloads/common/check.h"
#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/random.h"

extern const char merge_sort_cl[];

#define BLOCK 256         /* as in merge_sort.cl */
#define TILE  (2 * BLOCK) /* as there */

enum { COUNT, KEYS, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [COUNT] = NUMBER_OPTION("count", 1, 1 << 24, 1500, 65000, 700001, "pairs to sort"),
    [KEYS] = NUMBER_OPTION("keys", 1, UINT32_MAX, 400, 1 << 20, 1 << 20, "different keys"),
};

static int compare(const void *a, const void *b)
{
    const cl_uint *x = a, *y = b;
    const int key = (x[0] > y[0]) - (x[0] < y[0]);
    return key != 0 ? key : (x[1] > y[1]) - (x[1] < y[1]);
}

/* Returns the buffer of the sorted pairs, one of the last two of three. */
static cl_mem sort(struct opencl *cl, cl_kernel tiles, cl_kernel merge, const cl_mem buffers[3],
                   cl_uint count)
{
    const size_t block = BLOCK, work = ((size_t)count + TILE - 1) / TILE * BLOCK;
    unsigned last = 1;
    opencl_arguments(tiles, buffers, 2);
    OPENCL_ARGUMENT(tiles, 2, count);
    opencl_launch(cl, tiles, 1, &work, &block);
    for (cl_uint run = TILE; run < count; run *= 2, last = 3 - last) {
        const cl_mem pair[] = {buffers[last], buffers[3 - last]};
        opencl_arguments(merge, pair, COUNT_OF(pair));
        OPENCL_ARGUMENT(merge, 2, count);
        OPENCL_ARGUMENT(merge, 3, run);
        opencl_launch(cl, merge, 1, &work, &block);
    }
    return buffers[last];
}

static size_t run(const cl_uint *pairs, const cl_uint *expected, cl_uint count,
                  const struct options *options)
{
    struct opencl cl;
    const size_t bytes = 2 * (size_t)count * sizeof *pairs;
    size_t wrong = 0;
    opencl_open(&cl, options->device_type.text, merge_sort_cl);
    cl_kernel tiles = opencl_kernel(&cl, "sort_tiles"), merge = opencl_kernel(&cl, "merge_runs");
    const cl_mem buffers[] = {opencl_buffer(&cl, CL_MEM_READ_ONLY, bytes, pairs),
                              opencl_buffer(&cl, CL_MEM_READ_WRITE, bytes, NULL),
                              opencl_buffer(&cl, CL_MEM_READ_WRITE, bytes, NULL)};
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        opencl_poison(&cl, buffers[1], bytes);
        opencl_poison(&cl, buffers[2], bytes);
        cl_mem sorted = sort(&cl, tiles, merge, buffers, count);
        opencl_report(&cl, i, options->repeat.number);
        wrong =
            check_integers(&cl, sorted, "key, value", (const int32_t *)expected, 2 * (size_t)count);
    }
    opencl_release(buffers, COUNT_OF(buffers));
    CL(clReleaseKernel(tiles));
    CL(clReleaseKernel(merge));
    opencl_close(&cl);
    return wrong;
}

int main(int argc, char **argv)
{
    struct options options;
    parse_command_line(&options, argc, argv,
                       "Sorts pairs of keys and values by merging on an OpenCL device.", table,
                       NUM_OPTIONS);
    struct random random = {(uint64_t)options.seed.number};
    const cl_uint count = (cl_uint)options.own[COUNT].number;
    cl_uint *pairs = allocate(count, 2 * sizeof *pairs);
    cl_uint *expected = allocate(count, 2 * sizeof *expected);
    for (size_t i = 0; i < count; i++) {
        pairs[2 * i] = expected[2 * i] =
            (cl_uint)random_below(&random, (uint64_t)options.own[KEYS].number);
        pairs[2 * i + 1] = expected[2 * i + 1] = (cl_uint)i;
    }
    qsort(expected, count, 2 * sizeof *expected, compare);
    printf("merge_sort: %u pairs, %lld keys, seed %lld\n", count,
           (long long)options.own[KEYS].number, (long long)options.seed.number);
    size_t wrong = run(pairs, expected, count, &options);
    if (wrong == 0)
        printf("verified: %u pairs are in the host's order\n", count);
    free(pairs);
    free(expected);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}

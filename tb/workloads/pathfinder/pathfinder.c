/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/pathfinder/pathfinder.c: cheapest ways through a grid of random costs, several rows
 * a launch. The last row's sums are compared with those of plain dynamic programming. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/random.h"
#include "tb/workloads/common/verify.h"

extern const char pathfinder_cl[];

#define BLOCK      256
#define MOST_CELLS (1 << 28)
#define MOST_COST  10 /* costs are below */

enum { COLUMNS, ROWS, PYRAMID, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [COLUMNS] = NUMBER_OPTION("columns", 1, 1 << 24, 2000, 25000, 100000, "columns of the grid"),
    [ROWS] = NUMBER_OPTION("rows", 2, 1 << 16, 21, 101, 101, "rows of the grid"),
    [PYRAMID] = NUMBER_OPTION("pyramid", 1, BLOCK / 2 - 1, 10, 20, 20, "most rows of a launch"),
};

static cl_int least(cl_int a, cl_int b)
{
    return a < b ? a : b;
}

/* `sum`: the first row's costs, and at the end the last row's sums. */
static void reference(const cl_int *cost, cl_int rows, cl_int columns, cl_int *sum)
{
    cl_int *above = allocate((size_t)columns, sizeof *above);
    memcpy(sum, cost, (size_t)columns * sizeof *sum);
    for (cl_int row = 1; row < rows; row++) {
        memcpy(above, sum, (size_t)columns * sizeof *sum);
        for (cl_int x = 0; x < columns; x++) {
            cl_int best = above[x];
            if (x > 0)
                best = least(best, above[x - 1]);
            if (x + 1 < columns)
                best = least(best, above[x + 1]);
            sum[x] = best + cost[(size_t)row * (size_t)columns + (size_t)x];
        }
    }
    free(above);
}

/* Goes from the first row, in sum[0], to the last; returns which of the two buffers has it. */
static unsigned descend(struct opencl *cl, cl_kernel kernel, cl_mem cost, const cl_mem *sum,
                        const struct options *options)
{
    const cl_int columns = (cl_int)options->own[COLUMNS].number,
                 rows = (cl_int)options->own[ROWS].number,
                 halo = (cl_int)options->own[PYRAMID].number;
    const size_t blocks = ((size_t)columns - 1) / (size_t)(BLOCK - 2 * halo) + 1, group = BLOCK,
                 work = blocks * group;
    unsigned last = 0;
    for (cl_int row = 1; row < rows; row += halo, last = !last) {
        cl_int steps = least(halo, rows - row);
        const cl_mem buffers[] = {cost, sum[last], sum[!last]};
        opencl_arguments(kernel, buffers, COUNT_OF(buffers));
        OPENCL_ARGUMENT(kernel, 3, columns);
        OPENCL_ARGUMENT(kernel, 4, row);
        OPENCL_ARGUMENT(kernel, 5, steps);
        OPENCL_ARGUMENT(kernel, 6, halo);
        opencl_launch(cl, kernel, 1, &work, &group);
    }
    return last;
}

static size_t run(const cl_int *cost, size_t cells, const cl_int *expected, cl_int *got,
                  const struct options *options)
{
    struct opencl cl;
    const size_t columns = (size_t)options->own[COLUMNS].number, bytes = columns * sizeof *got;
    size_t wrong = 0;
    opencl_open(&cl, options->device_type.text, pathfinder_cl);
    cl_kernel kernel = opencl_kernel(&cl, "pathfinder");
    cl_mem buffers[] = {
        opencl_buffer(&cl, CL_MEM_READ_ONLY, cells * sizeof *cost, cost),
        opencl_buffer(&cl, CL_MEM_READ_WRITE, bytes, NULL),
        opencl_buffer(&cl, CL_MEM_READ_WRITE, bytes, NULL),
    };
    const cl_mem *sum = buffers + 1;
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        opencl_poison(&cl, sum[1], bytes);
        opencl_write(&cl, sum[0], bytes, cost);
        unsigned last = descend(&cl, kernel, buffers[0], sum, options);
        opencl_read(&cl, sum[last], bytes, got);
        opencl_report(&cl, i, options->repeat.number);
        wrong = verify_integers("sum", expected, got, columns, stdout);
    }
    opencl_release(buffers, COUNT_OF(buffers));
    CL(clReleaseKernel(kernel));
    opencl_close(&cl);
    return wrong;
}

int main(int argc, char **argv)
{
    struct options options;
    parse_command_line(&options, argc, argv,
                       "Finds the cheapest ways down a grid of costs on an OpenCL device.", table,
                       NUM_OPTIONS);
    struct random random = {(uint64_t)options.seed.number};
    int64_t columns = options.own[COLUMNS].number, rows = options.own[ROWS].number;
    if (columns * rows > MOST_CELLS)
        fail_with(EXIT_USAGE, "--columns=%lld --rows=%lld: expected at most %d cells in all",
                  (long long)columns, (long long)rows, MOST_CELLS);
    size_t cells = (size_t)(columns * rows);
    cl_int *cost = allocate(cells, sizeof *cost);
    cl_int *expected = allocate((size_t)columns, sizeof *expected);
    cl_int *got = allocate((size_t)columns, sizeof *got);
    for (size_t i = 0; i < cells; i++)
        cost[i] = (cl_int)random_below(&random, MOST_COST);
    printf("pathfinder: %lld columns, %lld rows, %lld rows per launch, seed %lld\n",
           (long long)columns, (long long)rows, (long long)options.own[PYRAMID].number,
           (long long)options.seed.number);
    reference(cost, (cl_int)rows, (cl_int)columns, expected);
    size_t wrong = run(cost, cells, expected, got, &options);
    if (wrong == 0)
        printf("verified: the sums of %lld columns equal the host's\n", (long long)columns);
    free(cost);
    free(expected);
    free(got);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}

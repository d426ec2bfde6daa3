/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/sgemm/sgemm.c: C = alpha A B + beta C of random matrices of any shape. The host adds
 * the same products in the same order, so the results must be equal bit by bit (--tolerance is for
 * devices whose compilers contract a product and a sum although the kernel says not to). */
#include <stdio.h>
#include <stdlib.h>

#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/random.h"
#include "tb/workloads/common/verify.h"

extern const char sgemm_cl[];

#define WIDTH         16 /* of a work-group; as in sgemm.cl */
#define HEIGHT        8
#define ROWS_OF_GROUP (WIDTH * HEIGHT)
#define MOST_PRODUCTS (INT64_C(1) << 33) /* what the host computes in some ten seconds */

enum { ROWS, COLUMNS, DEPTH, TOLERANCE, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [ROWS] = NUMBER_OPTION("rows", 1, 4096, 150, 512, 768, "rows of A and C"),
    [COLUMNS] = NUMBER_OPTION("columns", 1, 4096, 40, 248, 760, "columns of B and C"),
    [DEPTH] = NUMBER_OPTION("depth", 1, 4096, 27, 250, 756, "columns of A, rows of B"),
    [TOLERANCE] =
        REAL_OPTION("tolerance", "bit by bit", "allowed difference, relative to values above 1"),
};

static const cl_float alpha = 0.75f, beta = -1.25f;

struct problem {
    cl_uint rows, columns, depth;
    float *a, *b, *c; /* A and C column by column, B row by row */
};

static float *random_matrix(size_t rows, size_t columns, struct random *random)
{
    float *matrix = allocate(rows * columns, sizeof *matrix);
    random_floats(random, matrix, rows * columns);
    return matrix;
}

static struct problem make_problem(const struct options *options)
{
    struct random random = {(uint64_t)options->seed.number};
    const int64_t rows = options->own[ROWS].number, columns = options->own[COLUMNS].number,
                  depth = options->own[DEPTH].number;
    if (rows * columns * depth > MOST_PRODUCTS)
        fail_with(EXIT_USAGE,
                  "--rows=%lld --columns=%lld --depth=%lld: expected at most %lld "
                  "products in all",
                  (long long)rows, (long long)columns, (long long)depth, (long long)MOST_PRODUCTS);
    return (struct problem){
        .rows = (cl_uint)rows,
        .columns = (cl_uint)columns,
        .depth = (cl_uint)depth,
        .a = random_matrix((size_t)rows, (size_t)depth, &random),
        .b = random_matrix((size_t)depth, (size_t)columns, &random),
        .c = random_matrix((size_t)rows, (size_t)columns, &random),
    };
}

/* Every element's sum runs along A's columns, from zero. */
static float *reference(const struct problem *p)
{
    const size_t rows = p->rows, columns = p->columns, elements = rows * columns;
    float *result = allocate(elements, sizeof *result);
    for (size_t column = 0; column < columns; column++)
        for (size_t k = 0; k < p->depth; k++)
            for (size_t row = 0; row < rows; row++)
                result[column * rows + row] += p->a[k * rows + row] * p->b[k * columns + column];
    for (size_t i = 0; i < elements; i++)
        result[i] = alpha * result[i] + beta * p->c[i];
    return result;
}

static size_t run(const struct problem *p, const float *expected, float *got,
                  const struct options *options)
{
    struct opencl cl;
    const size_t group[] = {WIDTH, HEIGHT};
    const size_t work[] = {(p->rows + ROWS_OF_GROUP - 1) / ROWS_OF_GROUP * WIDTH,
                           (p->columns + WIDTH - 1) / WIDTH * HEIGHT};
    const size_t elements = (size_t)p->rows * p->columns, bytes = elements * sizeof(float);
    size_t wrong = 0;
    opencl_open(&cl, options->device_type.text, sgemm_cl);
    cl_kernel kernel = opencl_kernel(&cl, "sgemm");
    const cl_mem buffers[] = {
        opencl_buffer(&cl, CL_MEM_READ_ONLY, (size_t)p->rows * p->depth * sizeof *p->a, p->a),
        opencl_buffer(&cl, CL_MEM_READ_ONLY, (size_t)p->depth * p->columns * sizeof *p->b, p->b),
        opencl_buffer(&cl, CL_MEM_READ_WRITE, bytes, NULL),
    };
    opencl_arguments(kernel, buffers, COUNT_OF(buffers));
    OPENCL_ARGUMENT(kernel, 3, p->rows);
    OPENCL_ARGUMENT(kernel, 4, p->columns);
    OPENCL_ARGUMENT(kernel, 5, p->depth);
    OPENCL_ARGUMENT(kernel, 6, alpha);
    OPENCL_ARGUMENT(kernel, 7, beta);
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        opencl_write(&cl, buffers[2], bytes, p->c);
        opencl_launch(&cl, kernel, 2, work, group);
        opencl_read(&cl, buffers[2], bytes, got);
        opencl_report(&cl, i, options->repeat.number);
        wrong = verify_floats("c", p->rows, expected, got, elements, options->own[TOLERANCE].real,
                              stdout);
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
                       "Multiplies two matrices on an OpenCL device, tiles of sums in registers.",
                       table, NUM_OPTIONS);
    struct problem p = make_problem(&options);
    const size_t elements = (size_t)p.rows * p.columns;
    printf("sgemm: %u x %u times %u x %u, seed %lld\n", p.rows, p.depth, p.depth, p.columns,
           (long long)options.seed.number);
    float *expected = reference(&p), *got = allocate(elements, sizeof *got);
    size_t wrong = run(&p, expected, got, &options);
    if (wrong == 0)
        printf("verified: %zu elements equal the host's%s\n", elements,
               options.own[TOLERANCE].real > 0 ? " within the tolerance" : " bit by bit");
    free(p.a);
    free(p.b);
    free(p.c);
    free(expected);
    free(got);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/sparse.c: matrices, launch and comparison of the sparse matrix times vector
 * workloads. */
#include "tb/workloads/common/sparse.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/generate.h"
#include "tb/workloads/common/matrix_market.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/verify.h"

/* BLOCK last: a workload with a fixed block has no such option. */
enum { ROWS, NONZEROS, WIDTH, MATRIX, TOLERANCE, VECTOR, BLOCK, NUM_OPTIONS };

static void read_matrix(struct csr *matrix, const char *path)
{
    char message[512];
    FILE *in = fopen(path, "r");
    if (in == NULL)
        fail_with(EXIT_USAGE, "%s: %s", path, strerror(errno));
    int result = matrix_market_read(matrix, in, path, message, sizeof message);
    fclose(in);
    if (result != 0)
        fail_with(EXIT_USAGE, "%s", message);
}

static void make_matrix(struct csr *matrix, const struct options *options, struct random *random)
{
    int64_t rows = options->own[ROWS].number, mean = options->own[NONZEROS].number;
    int64_t width = options->own[WIDTH].number;
    width = width == 0 || width > rows ? rows : width;
    if (mean > width)
        fail_with(EXIT_USAGE, "--nonzeros=%lld: rows of %lld columns have no room for so many",
                  (long long)mean, (long long)width);
    if (rows * mean > CSR_MOST_NONZEROS)
        fail_with(EXIT_USAGE, "--rows=%lld --nonzeros=%lld: expected at most %u non-zeros in all",
                  (long long)rows, (long long)mean, CSR_MOST_NONZEROS);
    if (generate_matrix(matrix, (uint32_t)rows, (uint32_t)rows, (uint32_t)width,
                        (uint32_t)(rows * mean), random) != 0)
        fail_with(EXIT_DEVICE, "no memory for a matrix of %lld non-zeros",
                  (long long)(rows * mean));
}

static void print_matrix(const struct sparse_workload *w, const struct csr *matrix,
                         const struct options *options)
{
    uint32_t shortest, longest;
    csr_row_lengths(matrix, &shortest, &longest);
    printf("%s: %u rows, %u columns, %u non-zeros, %u to %u in a row, block %lld, seed %lld\n",
           w->name, matrix->rows, matrix->columns, matrix->nonzeros, shortest, longest,
           (long long)options->own[BLOCK].number, (long long)options->seed.number);
}

/* A warp that shares a row does not synchronise, because its lanes take each step together. */
static void check_lockstep(const struct opencl *cl, cl_kernel kernel, size_t lanes)
{
    size_t multiple;
    CL(clGetKernelWorkGroupInfo(kernel, cl->device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                sizeof multiple, &multiple, NULL));
    if (multiple % lanes != 0)
        fail_with(EXIT_DEVICE, "the device runs work-items in groups of %zu; expected %zu",
                  multiple, lanes);
}

static unsigned rows_of(const struct csr *a, struct sparse_array *out)
{
    out[0] = (struct sparse_array){a->start, (a->rows + (size_t)1) * sizeof *a->start, 0};
    out[1] = (struct sparse_array){a->column, a->nonzeros * sizeof *a->column, 0};
    out[2] = (struct sparse_array){a->value, a->nonzeros * sizeof *a->value, 0};
    return 3;
}

static cl_mem upload(struct opencl *cl, const struct sparse_array *array)
{
    if (array->most && array->bytes > array->most)
        fail_with(EXIT_USAGE, "the matrix needs %zu bytes of constant memory; expected at most %zu",
                  array->bytes, array->most);
    return opencl_buffer(cl, CL_MEM_READ_ONLY, array->bytes, array->data);
}

/* Where the kernel reads x, which it calls VECTOR. */
static const char *vector_space(const struct options *options, const struct csr *matrix)
{
    const struct option_value *space = &options->own[VECTOR];
    if (!space->given || !strcmp(space->text, "global"))
        return "#define VECTOR __global\n#line 1\n";
    if (strcmp(space->text, "constant") != 0)
        fail_with(EXIT_USAGE, "--vector=%s: expected global or constant", space->text);
    if (matrix->columns > MOST_CONSTANT / sizeof(float))
        fail_with(EXIT_USAGE, "--vector=constant: %u columns; expected at most %zu",
                  matrix->columns, MOST_CONSTANT / sizeof(float));
    return "#define VECTOR __constant\n#line 1\n";
}

static size_t run(const struct sparse_workload *w, const struct csr *matrix, const float *x,
                  const float *expected, float *got, const struct options *options)
{
    struct opencl cl;
    const cl_uint rows = matrix->rows;
    const size_t work = rows * w->lanes, group = (size_t)options->own[BLOCK].number,
                 y_bytes = rows * sizeof(float);
    size_t wrong = 0;
    const char *const sources[] = {vector_space(options, matrix), w->source};
    opencl_open_sources(&cl, options->device_type.text, sources, 2);
    cl_kernel kernel = opencl_kernel(&cl, w->name);
    check_lockstep(&cl, kernel, w->lanes);
    struct sparse_array arrays[SPARSE_MOST_ARRAYS];
    const unsigned num_arrays = (w->arrays ? w->arrays : rows_of)(matrix, arrays);
    cl_mem buffers[SPARSE_MOST_ARRAYS + 2];
    for (unsigned i = 0; i < num_arrays; i++)
        buffers[i] = upload(&cl, &arrays[i]);
    buffers[num_arrays] = opencl_buffer(&cl, CL_MEM_READ_ONLY, matrix->columns * sizeof *x, x);
    cl_mem y = opencl_buffer(&cl, CL_MEM_WRITE_ONLY, y_bytes, NULL);
    buffers[num_arrays + 1] = y;
    const cl_uint num_buffers = num_arrays + 2;
    opencl_arguments(kernel, buffers, num_buffers);
    OPENCL_ARGUMENT(kernel, num_buffers, rows);
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        opencl_poison(&cl, y, y_bytes);
        opencl_launch(&cl, kernel, 1, &work, &group);
        opencl_read(&cl, y, y_bytes, got);
        opencl_report(&cl, i, options->repeat.number);
        wrong = verify_floats("y", 0, expected, got, rows, options->own[TOLERANCE].real, stdout);
    }
    opencl_release(buffers, num_buffers);
    CL(clReleaseKernel(kernel));
    opencl_close(&cl);
    return wrong;
}

static void parse(const struct sparse_workload *w, struct options *options, int argc, char **argv)
{
    const struct option_entry table[NUM_OPTIONS] = {
        [ROWS] = NUMBER_OPTION("rows", 1, CSR_MOST_ROWS, w->rows[SIZE_SMALL], w->rows[SIZE_MEDIUM],
                               w->rows[SIZE_LARGE], "rows and columns of the random matrix"),
        [NONZEROS] = NUMBER_OPTION("nonzeros", 0, CSR_MOST_ROWS, w->nonzeros, w->nonzeros,
                                   w->nonzeros, "non-zeros of its average row"),
        [WIDTH] = NUMBER_OPTION("width", 0, CSR_MOST_ROWS, w->width, w->width, w->width,
                                "columns around the diagonal that a row may have; 0: all"),
        [MATRIX] = TEXT_OPTION("matrix", "FILE", "none",
                               "a Matrix Market file instead of a random matrix"),
        [TOLERANCE] = REAL_OPTION("tolerance", "bit by bit",
                                  "allowed difference, relative to values above 1"),
        [VECTOR] = TEXT_OPTION("vector", "global|constant", "global",
                               "memory that the vector is read from"),
        [BLOCK] = NUMBER_OPTION("block", 1, 1024, w->group, w->group, w->group,
                                "work-items of a work-group"),
    };
    parse_command_line(options, argc, argv, w->meaning, table, w->block > 0 ? BLOCK : NUM_OPTIONS);
    if (w->block > 0)
        options->own[BLOCK].number = (int64_t)w->block;
}

int sparse_main(const struct sparse_workload *w, int argc, char **argv)
{
    struct options options;
    struct csr matrix;
    parse(w, &options, argc, argv);
    struct random random = {(uint64_t)options.seed.number};
    if (options.own[MATRIX].given)
        read_matrix(&matrix, options.own[MATRIX].text);
    else
        make_matrix(&matrix, &options, &random);
    print_matrix(w, &matrix, &options);
    float *x = allocate(matrix.columns, sizeof *x);
    float *expected = allocate(matrix.rows, sizeof *expected);
    float *got = allocate(matrix.rows, sizeof *got);
    random_floats(&random, x, matrix.columns);
    w->multiply(&matrix, x, expected);
    size_t wrong = run(w, &matrix, x, expected, got, &options);
    if (wrong == 0)
        printf("verified: %u rows equal the host's%s\n", matrix.rows,
               options.own[TOLERANCE].real > 0 ? " within the tolerance" : " bit by bit");
    free(x);
    free(expected);
    free(got);
    csr_free(&matrix);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}

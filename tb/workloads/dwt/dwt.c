/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/dwt/dwt.c: wavelet transform of a random texture, a launch a level. The host lifts
 * whole rows and columns of the image, one by one; all coefficients must be equal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workloads/common/check.h"
#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/image.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"

extern const char dwt_cl[];

#define BLOCK 256 /* as in dwt.cl */
#define TILE  32  /* as there */

enum { COLUMNS, ROWS, LEVELS, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [COLUMNS] = NUMBER_OPTION("columns", 2, 8192, 75, 1000, 3000, "columns of the image"),
    [ROWS] = NUMBER_OPTION("rows", 2, 8192, 51, 750, 2000, "rows of the image"),
    [LEVELS] = NUMBER_OPTION("levels", 1, 13, 3, 3, 3, "levels; each halves columns and rows"),
};

struct picture {
    cl_int columns, rows, levels;
    size_t pixels;
    cl_int *grey, *expected; /* expected: of each level's, the quarters of details, and the rest */
};

static cl_int half(cl_int count)
{
    return (count + 1) / 2;
}

/* Lifts `count` > 1 elements that are `step` apart: averages first, then details. Beyond an end, a
 * neighbour's neighbour is the one on the other side. */
static void lift(cl_int *data, cl_int count, size_t step, cl_int *average, cl_int *detail)
{
    const cl_int averages = half(count), details = count / 2;
    for (cl_int i = 0; i < count; i++)
        *(i % 2 ? &detail[i / 2] : &average[i / 2]) = data[(size_t)i * step];
    for (cl_int i = 0; i < details; i++)
        detail[i] -= (average[i] + average[i + 1 < averages ? i + 1 : i]) >> 1;
    for (cl_int i = 0; i < averages; i++)
        average[i] += (detail[i > 0 ? i - 1 : 0] + detail[i < details ? i : i - 1] + 2) >> 2;
    for (cl_int i = 0; i < averages; i++)
        data[(size_t)i * step] = average[i];
    for (cl_int i = 0; i < details; i++)
        data[(size_t)(averages + i) * step] = detail[i];
}

static void reference(struct picture *p)
{
    const size_t stride = (size_t)p->columns;
    const cl_int longer = p->columns > p->rows ? p->columns : p->rows;
    cl_int *average = allocate((size_t)longer, sizeof *average);
    cl_int *detail = allocate((size_t)longer, sizeof *detail);
    cl_int columns = p->columns, rows = p->rows;
    memcpy(p->expected, p->grey, p->pixels * sizeof *p->grey);
    for (cl_int level = 0; level < p->levels; level++) {
        for (cl_int row = 0; row < rows; row++)
            lift(p->expected + (size_t)row * stride, columns, 1, average, detail);
        for (cl_int column = 0; column < columns; column++)
            lift(p->expected + column, rows, stride, average, detail);
        columns = half(columns);
        rows = half(rows);
    }
    free(average);
    free(detail);
}

static struct picture make_picture(const struct options *options)
{
    struct random random = {(uint64_t)options->seed.number};
    struct picture p = {.columns = (cl_int)options->own[COLUMNS].number,
                        .rows = (cl_int)options->own[ROWS].number,
                        .levels = (cl_int)options->own[LEVELS].number};
    struct image image;
    cl_int shorter = p.columns < p.rows ? p.columns : p.rows, most = 0;
    for (; shorter > 1; shorter = half(shorter))
        most++;
    if (p.levels > most)
        fail_with(EXIT_USAGE, "--levels=%d: expected at most %d for %d columns and %d rows",
                  p.levels, most, p.columns, p.rows);
    p.pixels = (size_t)p.columns * (size_t)p.rows;
    p.grey = allocate(p.pixels, sizeof *p.grey);
    p.expected = allocate(p.pixels, sizeof *p.expected);
    image_texture(&image, (uint32_t)p.columns, (uint32_t)p.rows, &random);
    for (size_t i = 0; i < p.pixels; i++)
        p.grey[i] = image.pixel[i] - (IMAGE_WHITE + 1) / 2;
    image_free(&image);
    reference(&p);
    return p;
}

static void free_picture(struct picture *p)
{
    free(p->grey);
    free(p->expected);
}

enum { GREY, LOW, LOWER, COEFFICIENTS, NUM_BUFFERS };

/* A level reads the averages of the one before, and the last one puts its own to the details. */
static void transform(struct opencl *cl, cl_kernel kernel, const cl_mem *buffers,
                      const struct picture *p)
{
    cl_int columns = p->columns, rows = p->rows;
    cl_mem from = buffers[GREY];
    OPENCL_ARGUMENT(kernel, 2, buffers[COEFFICIENTS]);
    OPENCL_ARGUMENT(kernel, 3, p->columns);
    for (cl_int level = 0; level < p->levels; level++) {
        const size_t group[] = {BLOCK, 1};
        const size_t work[] = {((size_t)columns + TILE - 1) / TILE * BLOCK,
                               ((size_t)rows + TILE - 1) / TILE};
        cl_mem low = buffers[level + 1 == p->levels ? COEFFICIENTS : level % 2 ? LOWER : LOW];
        OPENCL_ARGUMENT(kernel, 0, from);
        OPENCL_ARGUMENT(kernel, 1, low);
        OPENCL_ARGUMENT(kernel, 4, columns);
        OPENCL_ARGUMENT(kernel, 5, rows);
        opencl_launch(cl, kernel, 2, work, group);
        from = low;
        columns = half(columns);
        rows = half(rows);
    }
}

static size_t run(const struct picture *p, const struct options *options)
{
    struct opencl cl;
    const size_t bytes = p->pixels * sizeof *p->grey;
    size_t wrong = 0;
    cl_mem buffers[NUM_BUFFERS];
    opencl_open(&cl, options->device_type.text, dwt_cl);
    cl_kernel kernel = opencl_kernel(&cl, "dwt");
    for (int i = 0; i < NUM_BUFFERS; i++)
        buffers[i] = opencl_buffer(&cl, CL_MEM_READ_WRITE, bytes, i == GREY ? p->grey : NULL);
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        for (int j = LOW; j < NUM_BUFFERS; j++)
            opencl_poison(&cl, buffers[j], bytes);
        transform(&cl, kernel, buffers, p);
        opencl_report(&cl, i, options->repeat.number);
        wrong = check_integers(&cl, buffers[COEFFICIENTS], "coefficient", p->expected, p->pixels);
    }
    opencl_release(buffers, NUM_BUFFERS);
    CL(clReleaseKernel(kernel));
    opencl_close(&cl);
    return wrong;
}

int main(int argc, char **argv)
{
    struct options options;
    parse_command_line(&options, argc, argv,
                       "Transforms an image into 5/3 integer wavelets on an OpenCL device.", table,
                       NUM_OPTIONS);
    struct picture p = make_picture(&options);
    printf("dwt: %d x %d pixels, %d levels, seed %lld\n", p.columns, p.rows, p.levels,
           (long long)options.seed.number);
    size_t wrong = run(&p, &options);
    if (wrong == 0)
        printf("verified: %zu coefficients equal the host's\n", p.pixels);
    free_picture(&p);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}

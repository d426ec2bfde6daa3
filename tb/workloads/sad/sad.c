/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/sad/sad.c: sums of absolute differences between a frame of random texture and the
 * next one, which has moved a little and has noise. The host sums the pixels of every block of
 * every shape by themselves; all sums must be equal. */
#include <stdio.h>
#include <stdlib.h>

#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/image.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/verify.h"

extern const char sad_cl[];

#define SIDE      16        /* of a macroblock */
#define BLOCKS    41        /* of a macroblock, as in sad.cl */
#define MOST_SUMS (1 << 26) /* what the host computes in some ten seconds */
#define MOVED     2         /* columns and rows from frame to frame */
#define NOISE     4         /* pixels differ by less */

enum { COLUMNS, ROWS, RANGE, BLOCK, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [COLUMNS] = NUMBER_OPTION("columns", 1, 256, 2, 11, 11, "macroblocks in a row"),
    [ROWS] = NUMBER_OPTION("rows", 1, 256, 2, 9, 9, "rows of macroblocks"),
    [RANGE] = NUMBER_OPTION("range", 0, 64, 3, 7, 16, "pixels that the search goes to each side"),
    [BLOCK] = NUMBER_OPTION("block", 1, 256, 61, 61, 61, "work-items of a 4x4 block"),
};

/* The shapes, in the order of a macroblock's blocks. */
static const struct {
    int columns, rows;
} shapes[] = {{4, 4}, {8, 4}, {4, 8}, {8, 8}, {16, 8}, {8, 16}, {16, 16}};

struct search {
    cl_int columns, rows, range, positions; /* pixels; positions: displacements */
    size_t macroblocks, sums;
    struct image reference, current;
    cl_int *expected, *got;
    cl_ushort *read;
};

static struct search make_search(const struct options *options)
{
    struct random random = {(uint64_t)options->seed.number};
    const int64_t columns = options->own[COLUMNS].number, rows = options->own[ROWS].number,
                  range = options->own[RANGE].number;
    struct search s = {.columns = (cl_int)columns * SIDE,
                       .rows = (cl_int)rows * SIDE,
                       .range = (cl_int)range,
                       .positions = (cl_int)((2 * range + 1) * (2 * range + 1))};
    s.macroblocks = (size_t)(columns * rows);
    s.sums = s.macroblocks * BLOCKS * (size_t)s.positions;
    if (s.sums > MOST_SUMS)
        fail_with(EXIT_USAGE,
                  "--columns=%lld --rows=%lld --range=%lld: %zu sums; expected %d at most",
                  (long long)columns, (long long)rows, (long long)range, s.sums, MOST_SUMS);
    image_texture(&s.reference, (uint32_t)s.columns, (uint32_t)s.rows, &random);
    s.current = s.reference;
    s.current.pixel = allocate((size_t)(s.columns * s.rows), sizeof *s.current.pixel);
    for (cl_int y = 0; y < s.rows; y++)
        for (cl_int x = 0; x < s.columns; x++)
            s.current.pixel[y * s.columns + x] =
                (uint8_t)(image_at(&s.reference, x + MOVED, y - MOVED) +
                          random_below(&random, NOISE));
    s.expected = allocate(s.sums, sizeof *s.expected);
    s.got = allocate(s.sums, sizeof *s.got);
    s.read = allocate(s.sums, sizeof *s.read);
    return s;
}

static void free_search(struct search *s)
{
    image_free(&s->reference);
    image_free(&s->current);
    free(s->expected);
    free(s->got);
    free(s->read);
}

/* Of the block with this corner, shape and displacement. */
static cl_int difference(const struct search *s, int left, int top, unsigned shape, int dx, int dy)
{
    cl_int sum = 0;
    for (int y = top; y < top + shapes[shape].rows; y++)
        for (int x = left; x < left + shapes[shape].columns; x++)
            sum += abs(image_at(&s->current, x, y) - image_at(&s->reference, x + dx, y + dy));
    return sum;
}

static void reference(struct search *s)
{
    cl_int *next = s->expected;
    for (int top = 0; top < s->rows; top += SIDE)
        for (int left = 0; left < s->columns; left += SIDE)
            for (unsigned shape = 0; shape < COUNT_OF(shapes); shape++)
                for (int y = top; y < top + SIDE; y += shapes[shape].rows)
                    for (int x = left; x < left + SIDE; x += shapes[shape].columns)
                        for (int dy = -s->range; dy <= s->range; dy++)
                            for (int dx = -s->range; dx <= s->range; dx++)
                                *next++ = difference(s, x, y, shape, dx, dy);
}

static size_t run(const struct search *s, const struct options *options)
{
    struct opencl cl;
    const size_t block = (size_t)options->own[BLOCK].number, small[] = {block, 1}, eights = 128,
                 sixteens = 32, bytes = s->sums * sizeof *s->read,
                 pixels = (size_t)(s->columns * s->rows);
    const size_t work[] = {block * (size_t)s->columns / 4, (size_t)s->rows / 4};
    size_t wrong = 0;
    opencl_open(&cl, options->device_type.text, sad_cl);
    cl_kernel sad_4x4 = opencl_kernel(&cl, "sad_4x4"), sad_8x8 = opencl_kernel(&cl, "sad_8x8"),
              sad_16x16 = opencl_kernel(&cl, "sad_16x16");
    const cl_mem buffers[] = {
        opencl_buffer(&cl, CL_MEM_READ_ONLY, pixels, s->current.pixel),
        opencl_buffer(&cl, CL_MEM_READ_ONLY, pixels, s->reference.pixel),
        opencl_buffer(&cl, CL_MEM_READ_WRITE, bytes, NULL),
    };
    const cl_mem sums = buffers[COUNT_OF(buffers) - 1];
    opencl_arguments(sad_4x4, buffers, COUNT_OF(buffers));
    OPENCL_ARGUMENT(sad_4x4, 3, s->columns);
    OPENCL_ARGUMENT(sad_4x4, 4, s->rows);
    OPENCL_ARGUMENT(sad_4x4, 5, s->range);
    OPENCL_ARGUMENT(sad_8x8, 0, sums);
    OPENCL_ARGUMENT(sad_8x8, 1, s->positions);
    OPENCL_ARGUMENT(sad_16x16, 0, sums);
    OPENCL_ARGUMENT(sad_16x16, 1, s->positions);
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        opencl_poison(&cl, sums, bytes);
        opencl_launch(&cl, sad_4x4, 2, work, small);
        opencl_launch(&cl, sad_8x8, 1, &(size_t){s->macroblocks * eights}, &eights);
        opencl_launch(&cl, sad_16x16, 1, &(size_t){s->macroblocks * sixteens}, &sixteens);
        opencl_read(&cl, sums, bytes, s->read);
        opencl_report(&cl, i, options->repeat.number);
        for (size_t j = 0; j < s->sums; j++)
            s->got[j] = s->read[j];
        wrong = verify_integers("sum", s->expected, s->got, s->sums, stdout);
    }
    opencl_release(buffers, COUNT_OF(buffers));
    CL(clReleaseKernel(sad_4x4));
    CL(clReleaseKernel(sad_8x8));
    CL(clReleaseKernel(sad_16x16));
    opencl_close(&cl);
    return wrong;
}

int main(int argc, char **argv)
{
    struct options options;
    parse_command_line(
        &options, argc, argv,
        "Sums absolute differences between blocks of two frames on an OpenCL device.", table,
        NUM_OPTIONS);
    struct search s = make_search(&options);
    printf("sad: frames of %d x %d pixels, search by %d pixels, seed %lld\n", s.columns, s.rows,
           s.range, (long long)options.seed.number);
    reference(&s);
    size_t wrong = run(&s, &options);
    if (wrong == 0)
        printf("verified: %zu sums equal the host's\n", s.sums);
    free_search(&s);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}

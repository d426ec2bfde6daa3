/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/histogram/histogram.c: saturating histograms of random images, one after another:
 * their range of values, then the counters window by window, then bytes. Atomics may come in any
 * order: only whether a counter reaches 255 matters, and that does not depend on it. All bins must
 * equal the host's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/random.h"
#include "tb/workloads/common/verify.h"

extern const char histogram_cl[];

#define BLOCK  256 /* as in histogram.cl, like the next two */
#define WINDOW 2048
#define MOST   255

enum { PIXELS, BINS, GROUPS, FRAMES, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [PIXELS] = NUMBER_OPTION("pixels", 1, 1 << 26, 10007, 400003, 1035840, "pixels of an image"),
    [BINS] = NUMBER_OPTION("bins", 1, 1 << 20, 4096, 4096, 8192, "values that a pixel can have"),
    [GROUPS] = NUMBER_OPTION("groups", 1, 4096, 6, 42, 42, "work-groups of a window"),
    [FRAMES] = NUMBER_OPTION("frames", 1, 100000, 1, 3, 8, "images"),
};

struct frames {
    cl_uint pixels, bins;
    cl_uint *image;   /* the current one */
    cl_int *expected; /* its histogram */
    cl_int *got;
    cl_uchar *bytes; /* as it comes from the device */
};

static struct frames make_frames(const struct options *options)
{
    struct frames f = {.pixels = (cl_uint)options->own[PIXELS].number,
                       .bins = (cl_uint)options->own[BINS].number};
    f.image = allocate(f.pixels, sizeof *f.image);
    f.expected = allocate(f.bins, sizeof *f.expected);
    f.got = allocate(f.bins, sizeof *f.got);
    f.bytes = allocate(f.bins, sizeof *f.bytes);
    return f;
}

static void free_frames(struct frames *f)
{
    free(f->image);
    free(f->expected);
    free(f->got);
    free(f->bytes);
}

/* Half of the pixels are like their neighbour. Of the others one in fifty is a speck of any value,
 * one in sixteen has the background's single value, the rest form a bell (four dice) over a quarter
 * of all values. */
static void draw_image(struct frames *f, struct random *random)
{
    const cl_uint sides = f->bins / 16 + 1, least = f->bins / 2 - f->bins / 8;
    for (cl_uint i = 0; i < f->pixels; i++) {
        cl_uint value = least;
        for (int die = 0; die < 4; die++)
            value += (cl_uint)random_below(random, sides);
        if (random_below(random, 16) == 0)
            value = f->bins / 3;
        if (random_below(random, 50) == 0)
            value = (cl_uint)random_below(random, f->bins);
        if (i > 0 && random_below(random, 2) == 0)
            value = f->image[i - 1];
        f->image[i] = value < f->bins ? value : f->bins - 1;
    }
    memset(f->expected, 0, f->bins * sizeof *f->expected);
    for (cl_uint i = 0; i < f->pixels; i++)
        if (f->expected[f->image[i]] < MOST)
            f->expected[f->image[i]]++;
}

/* The buffers. Those of each kernel are neighbours here. */
enum { IMAGE, RANGE, COUNTS, HISTOGRAM, NUM_BUFFERS };

struct device {
    struct opencl cl;
    cl_kernel find_range, count_pixels, saturate;
    cl_mem buffers[NUM_BUFFERS];
    size_t groups;
};

static void open_device(struct device *d, const struct frames *f, const struct options *options)
{
    const size_t bytes[NUM_BUFFERS] = {f->pixels * sizeof(cl_uint), 2 * sizeof(cl_uint),
                                       f->bins * sizeof(cl_uint), f->bins};
    opencl_open(&d->cl, options->device_type.text, histogram_cl);
    d->groups = (size_t)options->own[GROUPS].number;
    d->find_range = opencl_kernel(&d->cl, "find_range");
    d->count_pixels = opencl_kernel(&d->cl, "count_pixels");
    d->saturate = opencl_kernel(&d->cl, "saturate");
    for (int i = 0; i < NUM_BUFFERS; i++)
        d->buffers[i] = opencl_buffer(&d->cl, CL_MEM_READ_WRITE, bytes[i], NULL);
    opencl_arguments(d->find_range, d->buffers + IMAGE, 2);
    OPENCL_ARGUMENT(d->find_range, 2, f->pixels);
    opencl_arguments(d->count_pixels, d->buffers + IMAGE, 3);
    OPENCL_ARGUMENT(d->count_pixels, 3, f->pixels);
    OPENCL_ARGUMENT(d->count_pixels, 4, f->bins);
    opencl_arguments(d->saturate, d->buffers + COUNTS, 2);
    OPENCL_ARGUMENT(d->saturate, 2, f->bins);
}

static void close_device(struct device *d)
{
    opencl_release(d->buffers, NUM_BUFFERS);
    CL(clReleaseKernel(d->find_range));
    CL(clReleaseKernel(d->count_pixels));
    CL(clReleaseKernel(d->saturate));
    opencl_close(&d->cl);
}

/* One image's histogram into f->got. Returns 0 where the range of its values is wrong. */
static int compute_histogram(struct device *d, struct frames *f)
{
    const size_t bins = f->bins, block = BLOCK;
    cl_uint range[2] = {UINT32_MAX, 0};
    opencl_write(&d->cl, d->buffers[IMAGE], f->pixels * sizeof *f->image, f->image);
    opencl_write(&d->cl, d->buffers[RANGE], sizeof range, range);
    memset(f->got, 0, bins * sizeof *f->got);
    opencl_write(&d->cl, d->buffers[COUNTS], bins * sizeof *f->got, f->got);
    opencl_poison(&d->cl, d->buffers[HISTOGRAM], bins);
    opencl_launch(&d->cl, d->find_range, 1, &(size_t){d->groups * BLOCK}, &block);
    opencl_read(&d->cl, d->buffers[RANGE], sizeof range, range);
    if (range[0] > range[1] || range[1] >= f->bins)
        return 0;
    opencl_launch(&d->cl, d->count_pixels, 2,
                  (size_t[]){d->groups * BLOCK, (range[1] - range[0]) / WINDOW + 1},
                  (size_t[]){block, 1});
    opencl_launch(&d->cl, d->saturate, 1, &bins, &block);
    opencl_read(&d->cl, d->buffers[HISTOGRAM], bins, f->bytes);
    for (size_t i = 0; i < bins; i++)
        f->got[i] = f->bytes[i];
    return 1;
}

static size_t run(struct frames *f, const struct options *options)
{
    struct device d;
    size_t wrong = 0;
    open_device(&d, f, options);
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        struct random random = {(uint64_t)options->seed.number};
        for (int64_t frame = 0; frame < options->own[FRAMES].number && wrong == 0; frame++) {
            draw_image(f, &random);
            if (compute_histogram(&d, f)) {
                wrong = verify_integers("histogram", f->expected, f->got, f->bins, stdout);
            } else {
                printf("wrong: the range of the image's values is not within 0..%u\n", f->bins - 1);
                wrong = 1;
            }
        }
        opencl_report(&d.cl, i, options->repeat.number);
    }
    close_device(&d);
    return wrong;
}

int main(int argc, char **argv)
{
    struct options options;
    parse_command_line(&options, argc, argv,
                       "Counts the values of images' pixels, up to 255, on an OpenCL device.",
                       table, NUM_OPTIONS);
    struct frames f = make_frames(&options);
    printf("histogram: %lld images of %u pixels, %u bins, %lld groups a window, seed %lld\n",
           (long long)options.own[FRAMES].number, f.pixels, f.bins,
           (long long)options.own[GROUPS].number, (long long)options.seed.number);
    size_t wrong = run(&f, &options);
    if (wrong == 0)
        printf("verified: %u bins of each image equal the host's\n", f.bins);
    free_frames(&f);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}

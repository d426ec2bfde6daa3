/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/srad/srad.c: takes the speckle out of a random image (SRAD of DAWS): in each
 * iteration the pixels' sums, which the host turns into a measure of the speckle, and two kernels.
 * The final image is compared with the host's. --tolerance is for devices whose division is not
 * rounded correctly, which OpenCL allows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workloads/common/check.h"
#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/random.h"

extern const char srad_cl[];

/* As in srad.cl. */
#define GROUP 256
#define TILE  16

#define RATE 0.5f /* how much of the flow takes place in an iteration */

enum { SIDE, ITERATIONS, TOLERANCE, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [SIDE] = NUMBER_OPTION("side", 2, 4096, 45, 256, 1024, "rows, and columns, of the image"),
    [ITERATIONS] = NUMBER_OPTION("iterations", 1, 100000, 2, 4, 2, "iterations"),
    [TOLERANCE] =
        REAL_OPTION("tolerance", "bit by bit", "allowed difference, relative to values above 1"),
};

struct image {
    cl_uint side;
    size_t pixels;
    float *start, *expected;
};

/* What the sums over all pixels say: their variance by their squared mean. */
static float speckle_of(float sum, float square, size_t pixels)
{
    float mean = sum / (float)pixels;
    return (square / (float)pixels - mean * mean) / (mean * mean);
}

/* The sum of all values, in the kernel's order: in groups, by halves. Destroys them. */
static float add_up(float *value, size_t count)
{
    for (; count > 1; count = (count + GROUP - 1) / GROUP)
        for (size_t first = 0; first < count; first += GROUP) {
            float group[GROUP] = {0};
            size_t size = count - first < GROUP ? count - first : GROUP;
            memcpy(group, value + first, size * sizeof *group);
            for (size_t width = GROUP / 2; width > 0; width /= 2)
                for (size_t i = 0; i < width; i++)
                    group[i] += group[i + width];
            value[first / GROUP] = group[0];
        }
    return value[0];
}

static float measure(const struct image *image)
{
    float *sum = allocate(image->pixels, sizeof *sum);
    float *square = allocate(image->pixels, sizeof *square);
    memcpy(sum, image->expected, image->pixels * sizeof *sum);
    for (size_t i = 0; i < image->pixels; i++)
        square[i] = sum[i] * sum[i];
    float speckle =
        speckle_of(add_up(sum, image->pixels), add_up(square, image->pixels), image->pixels);
    free(sum);
    free(square);
    return speckle;
}

enum { NORTH, SOUTH, WEST, EAST, NUM_SIDES };

/* Differences of pixel i to its neighbours. */
static void differences(const struct image *image, size_t i, float d[NUM_SIDES])
{
    size_t side = image->side, column = i % side, row = i / side;
    const float *pixel = image->expected + i;
    d[NORTH] = row > 0 ? pixel[-(ptrdiff_t)side] - *pixel : 0;
    d[SOUTH] = row + 1 < side ? pixel[side] - *pixel : 0;
    d[WEST] = column > 0 ? pixel[-1] - *pixel : 0;
    d[EAST] = column + 1 < side ? pixel[1] - *pixel : 0;
}

static float coefficient(float here, const float d[NUM_SIDES], float speckle)
{
    float slope =
        (d[NORTH] * d[NORTH] + d[SOUTH] * d[SOUTH] + d[WEST] * d[WEST] + d[EAST] * d[EAST]) /
        (here * here);
    float laplacian = (d[NORTH] + d[SOUTH] + d[WEST] + d[EAST]) / here;
    float scale = 1 + 0.25f * laplacian;
    float variation = (0.5f * slope - 0.0625f * (laplacian * laplacian)) / (scale * scale);
    float c = 1 / (1 + (variation - speckle) / (speckle * (1 + speckle)));
    return c < 0 ? 0 : c > 1 ? 1 : c;
}

/* One iteration of the host's. */
static void iterate(struct image *image)
{
    size_t side = image->side;
    float speckle = measure(image), *c = allocate(image->pixels, sizeof *c), d[NUM_SIDES];
    float *next = allocate(image->pixels, sizeof *next);
    for (size_t i = 0; i < image->pixels; i++) {
        differences(image, i, d);
        c[i] = coefficient(image->expected[i], d, speckle);
    }
    for (size_t i = 0; i < image->pixels; i++) {
        float south = i / side + 1 < side ? c[i + side] : c[i];
        float east = i % side + 1 < side ? c[i + 1] : c[i];
        differences(image, i, d);
        next[i] =
            image->expected[i] +
            0.25f * RATE * (c[i] * d[NORTH] + south * d[SOUTH] + c[i] * d[WEST] + east * d[EAST]);
    }
    free(c);
    free(image->expected);
    image->expected = next;
}

enum { PREPARE, REDUCE, GRADIENT, DIFFUSE, NUM_KERNELS };
/* The image, what `gradient` finds, and the sums. */
enum { IMAGE, COEFFICIENT = IMAGE + NUM_SIDES + 1, SUM, SQUARE, NUM_BUFFERS };

struct filter {
    struct opencl cl;
    cl_kernel kernels[NUM_KERNELS];
    cl_mem buffers[NUM_BUFFERS];
};

static void open_filter(struct filter *f, const struct image *image, const char *device_type)
{
    static const char *const names[NUM_KERNELS] = {"prepare", "reduce", "gradient", "diffuse"};
    const cl_uint pixels = (cl_uint)image->pixels;
    const cl_float rate = RATE;
    opencl_open(&f->cl, device_type, srad_cl);
    for (unsigned i = 0; i < NUM_KERNELS; i++)
        f->kernels[i] = opencl_kernel(&f->cl, names[i]);
    for (unsigned i = 0; i < NUM_BUFFERS; i++)
        f->buffers[i] =
            opencl_buffer(&f->cl, CL_MEM_READ_WRITE, pixels * sizeof *image->start, NULL);
    const cl_mem prepared[] = {f->buffers[IMAGE], f->buffers[SUM], f->buffers[SQUARE]};
    opencl_arguments(f->kernels[PREPARE], prepared, COUNT_OF(prepared));
    OPENCL_ARGUMENT(f->kernels[PREPARE], 3, pixels);
    opencl_arguments(f->kernels[REDUCE], prepared + 1, 2);
    for (unsigned i = GRADIENT; i <= DIFFUSE; i++) {
        opencl_arguments(f->kernels[i], f->buffers, COEFFICIENT + 1);
        OPENCL_ARGUMENT(f->kernels[i], COEFFICIENT + 1, image->side);
        OPENCL_ARGUMENT(f->kernels[i], COEFFICIENT + 2, image->side);
    }
    OPENCL_ARGUMENT(f->kernels[DIFFUSE], COEFFICIENT + 3, rate);
}

static void close_filter(struct filter *f)
{
    for (unsigned i = 0; i < NUM_KERNELS; i++)
        CL(clReleaseKernel(f->kernels[i]));
    opencl_release(f->buffers, NUM_BUFFERS);
    opencl_close(&f->cl);
}

/* The device's measure of the speckle. */
static float reduce(struct filter *f, size_t pixels)
{
    const size_t group = GROUP;
    cl_uint stride = 1;
    cl_float sum, square;
    opencl_launch(&f->cl, f->kernels[PREPARE], 1, &pixels, &group);
    for (size_t count = pixels; count > 1; count = (count + GROUP - 1) / GROUP, stride *= GROUP) {
        const cl_uint now = (cl_uint)count;
        OPENCL_ARGUMENT(f->kernels[REDUCE], 2, now);
        OPENCL_ARGUMENT(f->kernels[REDUCE], 3, stride);
        opencl_launch(&f->cl, f->kernels[REDUCE], 1, &count, &group);
    }
    opencl_read(&f->cl, f->buffers[SUM], sizeof sum, &sum);
    opencl_read(&f->cl, f->buffers[SQUARE], sizeof square, &square);
    return speckle_of(sum, square, pixels);
}

static size_t run(const struct image *image, const struct options *options)
{
    struct filter f;
    const size_t bytes = image->pixels * sizeof *image->start;
    const size_t work[] = {image->side, image->side}, group[] = {TILE, TILE};
    size_t wrong = 0;
    open_filter(&f, image, options->device_type.text);
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        opencl_write(&f.cl, f.buffers[IMAGE], bytes, image->start);
        for (int64_t done = 0; done < options->own[ITERATIONS].number; done++) {
            for (unsigned b = IMAGE + 1; b < NUM_BUFFERS; b++)
                opencl_poison(&f.cl, f.buffers[b], bytes);
            const cl_float speckle = reduce(&f, image->pixels);
            OPENCL_ARGUMENT(f.kernels[GRADIENT], COEFFICIENT + 3, speckle);
            opencl_launch(&f.cl, f.kernels[GRADIENT], 2, work, group);
            opencl_launch(&f.cl, f.kernels[DIFFUSE], 2, work, group);
        }
        opencl_report(&f.cl, i, options->repeat.number);
        wrong = check_floats(&f.cl, f.buffers[IMAGE], "image", image->side, image->expected,
                             image->pixels, options->own[TOLERANCE].real);
    }
    close_filter(&f);
    return wrong;
}

int main(int argc, char **argv)
{
    struct options options;
    parse_command_line(&options, argc, argv,
                       "Takes the speckle out of an image on an OpenCL device.", table,
                       NUM_OPTIONS);
    struct random random = {(uint64_t)options.seed.number};
    struct image image = {.side = (cl_uint)options.own[SIDE].number};
    image.pixels = (size_t)image.side * image.side;
    image.start = allocate(image.pixels, sizeof *image.start);
    image.expected = allocate(image.pixels, sizeof *image.expected);
    for (size_t i = 0; i < image.pixels; i++)
        image.start[i] = image.expected[i] = 2 + random_float(&random);
    printf("srad: %u x %u pixels, %lld iterations, seed %lld\n", image.side, image.side,
           (long long)options.own[ITERATIONS].number, (long long)options.seed.number);
    for (int64_t i = 0; i < options.own[ITERATIONS].number; i++)
        iterate(&image);
    size_t wrong = run(&image, &options);
    if (wrong == 0)
        printf("verified: %zu pixels equal the host's%s\n", image.pixels,
               options.own[TOLERANCE].real > 0 ? " within the tolerance" : " bit by bit");
    free(image.start);
    free(image.expected);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/tpacf/tpacf.c: histograms of the angles within and between sets of points of a patch
 * of the sky, one of them in clusters. The host computes each pair's cosine by the same operations
 * in the same order and looks for its bin from the first on, so all counts must be equal. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/random.h"
#include "tb/workloads/common/verify.h"

extern const char tpacf_cl[];

#define MOST_BLOCK      256
#define BINS            20
#define BINS_PER_DECADE 5      /* of the angle, from one minute of arc on */
#define PATCH           0.364  /* tangent of half the patch's width: 20 degrees */
#define CLUSTER_POINTS  16     /* of the observed set */
#define CLUSTER_SIZE    0.0005 /* as PATCH */

enum { RANDOM_SETS, POINTS, BLOCK, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [RANDOM_SETS] = NUMBER_OPTION("sets", 1, 1000, 2, 50, 100, "random sets of points"),
    [POINTS] = NUMBER_OPTION("points", 1, 1 << 15, 60, 240, 487, "points of a set"),
    [BLOCK] = NUMBER_OPTION("block", 1, MOST_BLOCK, 128, 256, 256, "work-items of a work-group"),
};

/* All sets' points, set after set: x, y, z. */
struct sky {
    uint32_t sets, points;
    float *axis[3];
};

/* A point on the unit sphere near the z axis, from its projection on the plane z = 1. */
static void set_point(const struct sky *sky, size_t point, double u, double v)
{
    double length = sqrt(u * u + v * v + 1);
    sky->axis[0][point] = (float)(u / length);
    sky->axis[1][point] = (float)(v / length);
    sky->axis[2][point] = (float)(1 / length);
}

static void make_sky(struct sky *sky, struct random *random)
{
    const size_t total = (size_t)sky->sets * sky->points;
    double centre[2] = {0};
    for (unsigned d = 0; d < 3; d++)
        sky->axis[d] = allocate(total, sizeof *sky->axis[d]);
    for (size_t i = 0; i < total; i++) {
        double u = (double)random_float(random), v = (double)random_float(random);
        int observed = i < sky->points, parent = i % CLUSTER_POINTS == 0;
        if (observed && parent)
            centre[0] = u * PATCH, centre[1] = v * PATCH;
        if (observed)
            set_point(sky, i, centre[0] + u * CLUSTER_SIZE, centre[1] + v * CLUSTER_SIZE);
        else
            set_point(sky, i, u * PATCH, v * PATCH);
    }
}

/* The least cosines of all bins but the last. */
static void make_edges(float edge[BINS - 1])
{
    const double degree = acos(-1) / 180;
    for (unsigned bin = 0; bin < BINS - 1; bin++)
        edge[bin] = (float)cos(pow(10, (double)bin / BINS_PER_DECADE) / 60 * degree);
}

static unsigned bin_of(float cosine, const float edge[BINS - 1])
{
    unsigned bin = 0;
    while (bin < BINS - 1 && cosine < edge[bin])
        bin++;
    return bin;
}

/* Counts the pairs of two sets, or where they are the same one, its own pairs. */
static void count_pairs(const struct sky *sky, size_t first, size_t second,
                        const float edge[BINS - 1], cl_int count[BINS])
{
    const float *x = sky->axis[0], *y = sky->axis[1], *z = sky->axis[2];
    for (size_t i = first * sky->points; i < (first + 1) * sky->points; i++)
        for (size_t j = first == second ? i + 1 : second * sky->points;
             j < (second + 1) * sky->points; j++)
            count[bin_of(x[i] * x[j] + y[i] * y[j] + z[i] * z[j], edge)]++;
}

/* Within each set, then of set 0 with each other. */
static void reference(const struct sky *sky, const float edge[BINS - 1], cl_int *histogram)
{
    for (size_t set = 0; set < sky->sets; set++)
        count_pairs(sky, set, set, edge, histogram + set * BINS);
    for (size_t set = 1; set < sky->sets; set++)
        count_pairs(sky, 0, set, edge, histogram + (sky->sets + set - 1) * BINS);
}

static size_t run(const struct sky *sky, const float edge[BINS - 1], const cl_int *expected,
                  cl_int *got, const struct options *options)
{
    struct opencl cl;
    const size_t groups = 2 * (size_t)sky->sets - 1,
                 point_bytes = (size_t)sky->sets * sky->points * sizeof(float),
                 bytes = groups * BINS * sizeof *got;
    size_t wrong = 0;
    opencl_open(&cl, options->device_type.text, tpacf_cl);
    cl_kernel kernel = opencl_kernel(&cl, "tpacf");
    const size_t group = opencl_group(&cl, kernel, (size_t)options->own[BLOCK].number),
                 work = groups * group;
    cl_mem buffers[] = {
        opencl_buffer(&cl, CL_MEM_READ_ONLY, point_bytes, sky->axis[0]),
        opencl_buffer(&cl, CL_MEM_READ_ONLY, point_bytes, sky->axis[1]),
        opencl_buffer(&cl, CL_MEM_READ_ONLY, point_bytes, sky->axis[2]),
        opencl_buffer(&cl, CL_MEM_READ_ONLY, (BINS - 1) * sizeof *edge, edge),
        opencl_buffer(&cl, CL_MEM_WRITE_ONLY, bytes, NULL),
    };
    cl_mem histogram = buffers[COUNT_OF(buffers) - 1];
    opencl_arguments(kernel, buffers, COUNT_OF(buffers));
    OPENCL_ARGUMENT(kernel, COUNT_OF(buffers), sky->sets);
    OPENCL_ARGUMENT(kernel, COUNT_OF(buffers) + 1, sky->points);
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        opencl_poison(&cl, histogram, bytes);
        opencl_launch(&cl, kernel, 1, &work, &group);
        opencl_read(&cl, histogram, bytes, got);
        opencl_report(&cl, i, options->repeat.number);
        wrong = verify_integers("histogram", expected, got, groups * BINS, stdout);
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
                       "Counts the angles between points of the sky on an OpenCL device.", table,
                       NUM_OPTIONS);
    struct random random = {(uint64_t)options.seed.number};
    struct sky sky = {.sets = (uint32_t)options.own[RANDOM_SETS].number + 1,
                      .points = (uint32_t)options.own[POINTS].number};
    size_t histograms = 2 * (size_t)sky.sets - 1;
    float edge[BINS - 1];
    cl_int *expected = allocate(histograms * BINS, sizeof *expected);
    cl_int *got = allocate(histograms * BINS, sizeof *got);
    make_sky(&sky, &random);
    make_edges(edge);
    reference(&sky, edge, expected);
    printf("tpacf: %u sets of %u points, seed %lld\n", sky.sets, sky.points,
           (long long)options.seed.number);
    size_t wrong = run(&sky, edge, expected, got, &options);
    if (wrong == 0)
        printf("verified: the counts of %zu histograms equal the host's\n", histograms);
    for (unsigned d = 0; d < 3; d++)
        free(sky.axis[d]);
    free(expected);
    free(got);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}

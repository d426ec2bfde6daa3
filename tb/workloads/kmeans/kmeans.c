/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/kmeans/kmeans.c: k-means clustering (KMN of DAWS): the device assigns the points to
 * the nearest centres, the host moves the centres to the middle of their points, until no point
 * changes or --iterations are done. After each launch every assignment is compared with the host's.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workloads/common/check.h"
#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/random.h"

extern const char kmeans_cl[];

#define MOST_VALUES (1u << 27)

enum { POINTS, FEATURES, CENTRES, ITERATIONS, BLOCK, INVERT, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [POINTS] = NUMBER_OPTION("points", 1, 1 << 24, 350, 15360, 30720, "points"),
    [FEATURES] = NUMBER_OPTION("features", 1, 256, 34, 34, 34, "features of a point"),
    [CENTRES] = NUMBER_OPTION("centres", 1, 64, 5, 5, 5, "clusters"),
    [ITERATIONS] = NUMBER_OPTION("iterations", 1, 10000, 2, 2, 6, "at most, one launch each"),
    [BLOCK] = NUMBER_OPTION("block", 1, 1024, 64, 256, 256, "work-items of a work-group"),
    [INVERT] = NUMBER_OPTION("invert", 0, 1, 0, 0, 0,
                             "1: a kernel lays the points out column by column first"),
};

struct clustering {
    cl_uint points, features, centres;
    size_t values;  /* points * features */
    float *feature; /* row by row, one row per point */
    float *centre;  /* likewise */
    cl_int *membership;
};

/* Points scatter around as many places as there are centres, wide enough for clusters to touch. */
static void make_points(struct clustering *k, const struct options *options)
{
    struct random random = {(uint64_t)options->seed.number};
    size_t places = (size_t)k->centres * k->features;
    float *place = allocate(places, sizeof *place);
    random_floats(&random, place, places);
    random_floats(&random, k->feature, k->values);
    for (size_t point = 0; point < k->points; point++) {
        const float *around = place + random_below(&random, k->centres) * k->features;
        for (size_t f = 0; f < k->features; f++)
            k->feature[point * k->features + f] += around[f];
    }
    free(place);
}

static struct clustering make_clustering(const struct options *options)
{
    struct clustering k = {.points = (cl_uint)options->own[POINTS].number,
                           .features = (cl_uint)options->own[FEATURES].number,
                           .centres = (cl_uint)options->own[CENTRES].number};
    k.values = (size_t)k.points * k.features;
    if (k.values > MOST_VALUES)
        fail_with(EXIT_USAGE, "--points=%u --features=%u: expected at most %u features in all",
                  k.points, k.features, MOST_VALUES);
    if (k.centres > k.points)
        fail_with(EXIT_USAGE, "--centres=%u: expected at most one for each of the %u points",
                  k.centres, k.points);
    k.feature = allocate(k.values, sizeof *k.feature);
    k.centre = allocate((size_t)k.centres * k.features, sizeof *k.centre);
    k.membership = allocate(k.points, sizeof *k.membership);
    make_points(&k, options);
    return k;
}

static float distance(const float *a, const float *b, size_t features)
{
    float sum = 0;
    for (size_t f = 0; f < features; f++)
        sum += (a[f] - b[f]) * (a[f] - b[f]);
    return sum;
}

/* The host's assignment step. Returns how many points change their cluster. */
static size_t assign(struct clustering *k)
{
    size_t changed = 0;
    for (size_t point = 0; point < k->points; point++) {
        const float *feature = k->feature + point * k->features;
        float least = INFINITY;
        cl_int nearest = -1;
        for (size_t c = 0; c < k->centres; c++) {
            float far = distance(feature, k->centre + c * k->features, k->features);
            if (far < least) {
                least = far;
                nearest = (cl_int)c;
            }
        }
        changed += k->membership[point] != nearest;
        k->membership[point] = nearest;
    }
    return changed;
}

/* Moves every centre to the mean of its points; one without points stays. */
static void move_centres(struct clustering *k)
{
    size_t count = (size_t)k->centres * k->features;
    double *sum = allocate(count, sizeof *sum);
    size_t *members = allocate(k->centres, sizeof *members);
    for (size_t point = 0; point < k->points; point++) {
        size_t c = (size_t)k->membership[point];
        members[c]++;
        for (size_t f = 0; f < k->features; f++)
            sum[c * k->features + f] += (double)k->feature[point * k->features + f];
    }
    for (size_t i = 0; i < count; i++)
        if (members[i / k->features] > 0)
            k->centre[i] = (float)(sum[i] / (double)members[i / k->features]);
    free(members);
    free(sum);
}

enum { ROWS, COLUMNS, CENTRE, MEMBERSHIP, NUM_BUFFERS };

/* Lays the points out as the option says; `assign` gets the buffer and its strides. */
static void lay_out(struct opencl *cl, cl_kernel assign, const struct clustering *k,
                    const cl_mem *buffers, const struct options *options)
{
    const size_t work = k->points, group = (size_t)options->own[BLOCK].number;
    const int64_t inverted = options->own[INVERT].number;
    const cl_mem laid_out[] = {buffers[inverted ? COLUMNS : ROWS], buffers[CENTRE],
                               buffers[MEMBERSHIP]};
    const cl_uint sizes[] = {k->points, inverted ? 1 : k->features, inverted ? k->points : 1,
                             k->features, k->centres};
    opencl_arguments(assign, laid_out, COUNT_OF(laid_out));
    for (cl_uint i = 0; i < COUNT_OF(sizes); i++)
        OPENCL_ARGUMENT(assign, COUNT_OF(laid_out) + i, sizes[i]);
    if (!inverted)
        return;
    cl_kernel invert = opencl_kernel(cl, "invert");
    opencl_arguments(invert, buffers, COLUMNS + 1);
    OPENCL_ARGUMENT(invert, COLUMNS + 1, k->points);
    OPENCL_ARGUMENT(invert, COLUMNS + 2, k->features);
    opencl_launch(cl, invert, 1, &work, &group);
    CL(clReleaseKernel(invert));
}

/* Clusters on the device, and on the host beside it. Returns how many assignments are wrong. */
static size_t cluster(struct opencl *cl, cl_kernel kernel, struct clustering *k,
                      const cl_mem *buffers, const struct options *options)
{
    const size_t work = k->points, group = (size_t)options->own[BLOCK].number,
                 centre_bytes = (size_t)k->centres * k->features * sizeof *k->centre,
                 bytes = k->points * sizeof *k->membership;
    size_t wrong = 0, changed = 1;
    memcpy(k->centre, k->feature, centre_bytes); /* the first points */
    memset(k->membership, -1, bytes);
    lay_out(cl, kernel, k, buffers, options);
    for (int64_t i = 0; i < options->own[ITERATIONS].number && changed > 0 && wrong == 0; i++) {
        opencl_write(cl, buffers[CENTRE], centre_bytes, k->centre);
        opencl_poison(cl, buffers[MEMBERSHIP], bytes);
        opencl_launch(cl, kernel, 1, &work, &group);
        changed = assign(k);
        wrong = check_integers(cl, buffers[MEMBERSHIP], "membership", k->membership, k->points);
        move_centres(k);
    }
    return wrong;
}

static size_t run(struct clustering *k, const struct options *options)
{
    struct opencl cl;
    const size_t bytes = k->values * sizeof *k->feature;
    size_t wrong = 0;
    opencl_open(&cl, options->device_type.text, kmeans_cl);
    cl_kernel kernel = opencl_kernel(&cl, "assign");
    const cl_mem buffers[NUM_BUFFERS] = {
        [ROWS] = opencl_buffer(&cl, CL_MEM_READ_ONLY, bytes, k->feature),
        [COLUMNS] =
            opencl_buffer(&cl, CL_MEM_READ_WRITE, options->own[INVERT].number ? bytes : 0, NULL),
        [CENTRE] = opencl_buffer(&cl, CL_MEM_READ_ONLY,
                                 (size_t)k->centres * k->features * sizeof *k->centre, NULL),
        [MEMBERSHIP] =
            opencl_buffer(&cl, CL_MEM_WRITE_ONLY, k->points * sizeof *k->membership, NULL),
    };
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        wrong = cluster(&cl, kernel, k, buffers, options);
        opencl_report(&cl, i, options->repeat.number);
    }
    opencl_release(buffers, NUM_BUFFERS);
    CL(clReleaseKernel(kernel));
    opencl_close(&cl);
    return wrong;
}

int main(int argc, char **argv)
{
    struct options options;
    parse_command_line(&options, argc, argv, "Clusters points by k-means on an OpenCL device.",
                       table, NUM_OPTIONS);
    struct clustering k = make_clustering(&options);
    printf("kmeans: %u points of %u features, %u centres, seed %lld\n", k.points, k.features,
           k.centres, (long long)options.seed.number);
    size_t wrong = run(&k, &options);
    if (wrong == 0)
        printf("verified: %u points belong to the host's clusters in every iteration\n", k.points);
    free(k.feature);
    free(k.centre);
    free(k.membership);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}

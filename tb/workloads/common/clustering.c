/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/clustering.c: random points, launches and comparison of the k-means
 * workloads. */
#include "tb/workloads/common/clustering.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workloads/common/check.h"
#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/random.h"

extern const char clustering_cl[];

#define MOST_VALUES (1u << 27)

enum { POINTS, FEATURES, CENTRES, ITERATIONS, BLOCK, NUM_OPTIONS };

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

enum { ROWS, LAID_OUT, CENTRE, MEMBERSHIP, NUM_BUFFERS };

struct device {
    const struct clustering_workload *workload;
    struct opencl cl;
    cl_kernel assign;
    cl_mem buffers[NUM_BUFFERS];
    size_t block; /* work-items of a work-group */
};

/* Gives assign its arguments; before, has the points laid out if the workload wants that. */
static void lay_out(struct device *d, const struct clustering *k)
{
    const size_t work = k->points;
    const char *name = d->workload->lay_out;
    const cl_mem arguments[] = {d->buffers[name ? LAID_OUT : ROWS], d->buffers[CENTRE],
                                d->buffers[MEMBERSHIP]};
    opencl_arguments(d->assign, arguments, COUNT_OF(arguments));
    OPENCL_ARGUMENT(d->assign, COUNT_OF(arguments), k->points);
    OPENCL_ARGUMENT(d->assign, COUNT_OF(arguments) + 1, k->features);
    OPENCL_ARGUMENT(d->assign, COUNT_OF(arguments) + 2, k->centres);
    if (!name)
        return;
    cl_kernel kernel = opencl_kernel(&d->cl, name);
    opencl_arguments(kernel, d->buffers, LAID_OUT + 1);
    OPENCL_ARGUMENT(kernel, LAID_OUT + 1, k->points);
    OPENCL_ARGUMENT(kernel, LAID_OUT + 2, k->features);
    opencl_launch(&d->cl, kernel, 1, &work, &d->block);
    CL(clReleaseKernel(kernel));
}

/* Clusters on the device, and on the host beside it. Returns how many assignments are wrong. */
static size_t cluster(struct device *d, struct clustering *k, int64_t iterations)
{
    const size_t work = k->points, bytes = k->points * sizeof *k->membership,
                 centre_bytes = (size_t)k->centres * k->features * sizeof *k->centre;
    size_t wrong = 0, changed = 1;
    memcpy(k->centre, k->feature, centre_bytes); /* the first points */
    memset(k->membership, -1, bytes);
    lay_out(d, k);
    for (int64_t i = 0; i < iterations && changed > 0 && wrong == 0; i++) {
        opencl_write(&d->cl, d->buffers[CENTRE], centre_bytes, k->centre);
        opencl_poison(&d->cl, d->buffers[MEMBERSHIP], bytes);
        opencl_launch(&d->cl, d->assign, 1, &work, &d->block);
        changed = assign(k);
        wrong =
            check_integers(&d->cl, d->buffers[MEMBERSHIP], "membership", k->membership, k->points);
        move_centres(k);
    }
    return wrong;
}

static size_t run(const struct clustering_workload *workload, struct clustering *k,
                  const struct options *options)
{
    const char *const sources[] = {clustering_cl, workload->source};
    struct device d = {.workload = workload, .block = (size_t)options->own[BLOCK].number};
    const size_t bytes = k->values * sizeof *k->feature;
    size_t wrong = 0;
    opencl_open_sources(&d.cl, options->device_type.text, sources, COUNT_OF(sources));
    d.assign = opencl_kernel(&d.cl, "assign");
    d.buffers[ROWS] = opencl_buffer(&d.cl, CL_MEM_READ_ONLY, bytes, k->feature);
    d.buffers[LAID_OUT] =
        opencl_buffer(&d.cl, CL_MEM_READ_WRITE, workload->lay_out ? bytes : 0, NULL);
    d.buffers[CENTRE] = opencl_buffer(&d.cl, CL_MEM_READ_ONLY,
                                      (size_t)k->centres * k->features * sizeof *k->centre, NULL);
    d.buffers[MEMBERSHIP] =
        opencl_buffer(&d.cl, CL_MEM_WRITE_ONLY, k->points * sizeof *k->membership, NULL);
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        wrong = cluster(&d, k, options->own[ITERATIONS].number);
        opencl_report(&d.cl, i, options->repeat.number);
    }
    opencl_release(d.buffers, NUM_BUFFERS);
    CL(clReleaseKernel(d.assign));
    opencl_close(&d.cl);
    return wrong;
}

int clustering_main(const struct clustering_workload *workload, int argc, char **argv)
{
    const int64_t *iterations = workload->iterations;
    const struct option_entry table[NUM_OPTIONS] = {
        [POINTS] = NUMBER_OPTION("points", 1, 1 << 24, 350, 15360, 30720, "points"),
        [FEATURES] = NUMBER_OPTION("features", 1, 256, 34, 34, 34, "features of a point"),
        [CENTRES] = NUMBER_OPTION("centres", 1, 64, 5, 5, 5, "clusters"),
        [ITERATIONS] = NUMBER_OPTION("iterations", 1, 10000, iterations[0], iterations[1],
                                     iterations[2], "at most, one launch each"),
        [BLOCK] = NUMBER_OPTION("block", 1, 1024, 64, 256, 256, "work-items of a work-group"),
    };
    struct options options;
    parse_command_line(&options, argc, argv, workload->meaning, table, NUM_OPTIONS);
    struct clustering k = make_clustering(&options);
    printf("%s: %u points of %u features, %u centres, seed %lld\n", workload->name, k.points,
           k.features, k.centres, (long long)options.seed.number);
    size_t wrong = run(workload, &k, &options);
    if (wrong == 0)
        printf("verified: %u points belong to the host's clusters in every iteration\n", k.points);
    free(k.feature);
    free(k.centre);
    free(k.membership);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/cutcp/cutcp.c: the potential of random charges in a cube. The host goes the other
 * way, from each atom to the lattice points around it, and adds doubles. Atoms stand on a grid of
 * 1/64 of a length unit and lattice points on one of 1/2, so all distances are exact; atoms keep a
 * fifth of a unit away from lattice points, where the potential has a pole. What is left are the
 * roundings of a few hundred terms of either sign, each below 5 (TOLERANCE). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/random.h"
#include "tb/workloads/common/verify.h"

extern const char cutcp_cl[];

#define REGION    8 /* lattice points along an edge; as in cutcp.cl, like the next two */
#define LAYERS    2
#define BIN_ATOMS 8
#define SPACING   0.5f
#define BIN_EDGE  4 /* REGION * SPACING */
#define TOLERANCE 2e-5

enum { POINTS, CUTOFF, DENSITY, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [POINTS] = NUMBER_OPTION("points", 1, 128, 14, 31, 46, "lattice points along each edge"),
    [CUTOFF] =
        NUMBER_OPTION("cutoff", 1, 16, 4, 6, 12, "in units; the lattice has two points a unit"),
    [DENSITY] = NUMBER_OPTION("density", 0, BIN_ATOMS, 3, 5, 5, "atoms of the average 4x4x4 units"),
};

struct space {
    cl_uint points;  /* along an edge */
    cl_uint regions; /* likewise */
    cl_uint reach;   /* bins that the cutoff spans */
    cl_uint across;  /* bins along an edge, empty ones included */
    size_t num_atoms;
    cl_float4 *bins;
    cl_int *offsets;
    cl_uint num_offsets;
};

static cl_float4 *bin_at(const struct space *s, const cl_uint at[3])
{
    size_t bin = ((size_t)at[2] + s->reach) * s->across + at[1] + s->reach;
    return s->bins + (bin * s->across + at[0] + s->reach) * BIN_ATOMS;
}

/* Puts an atom into a bin chosen at random; tries again where that is full. */
static void add_atom(struct space *s, struct random *random)
{
    cl_uint at[3], used;
    cl_float4 *bin, atom;
    do {
        for (int axis = 0; axis < 3; axis++)
            at[axis] = (cl_uint)random_below(random, s->regions);
        bin = bin_at(s, at);
        for (used = 0; used < BIN_ATOMS && bin[used].s[3] != 0;)
            used++;
    } while (used == BIN_ATOMS);
    for (int axis = 0; axis < 3; axis++) {
        /* Of the cell between two lattice points, 32/64 wide, the middle half. */
        cl_uint cell = (cl_uint)random_below(random, REGION);
        cl_uint place = 8 + (cl_uint)random_below(random, 17);
        atom.s[axis] = (float)(at[axis] * BIN_EDGE) + (float)(cell * 32 + place) / 64;
    }
    atom.s[3] = (float)(1 + random_below(random, 1023)) / 1024 * (random_below(random, 2) ? 1 : -1);
    bin[used] = atom;
}

/* Bins any point of which is nearer than the cutoff to any point of the bin at 0. */
static void find_offsets(struct space *s, int cutoff)
{
    const int reach = (int)s->reach, across = (int)s->across;
    s->offsets =
        allocate((size_t)((2 * reach + 1) * (2 * reach + 1) * (2 * reach + 1)), sizeof *s->offsets);
    for (int z = -reach; z <= reach; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++) {
                const int gap[3] = {abs(x), abs(y), abs(z)};
                int square = 0;
                for (int axis = 0; axis < 3; axis++)
                    square += gap[axis] > 1 ? (gap[axis] - 1) * (gap[axis] - 1) : 0;
                if (square * BIN_EDGE * BIN_EDGE < cutoff * cutoff)
                    s->offsets[s->num_offsets++] = (z * across + y) * across + x;
            }
}

static struct space make_space(const struct options *options)
{
    struct random random = {(uint64_t)options->seed.number};
    const cl_uint cutoff = (cl_uint)options->own[CUTOFF].number;
    struct space s = {.points = (cl_uint)options->own[POINTS].number};
    s.regions = (s.points + REGION - 1) / REGION;
    s.reach = (cutoff + BIN_EDGE - 1) / BIN_EDGE;
    s.across = s.regions + 2 * s.reach;
    s.bins = allocate((size_t)s.across * s.across * s.across * BIN_ATOMS, sizeof *s.bins);
    s.num_atoms = (size_t)options->own[DENSITY].number * s.regions * s.regions * s.regions;
    for (size_t i = 0; i < s.num_atoms; i++)
        add_atom(&s, &random);
    find_offsets(&s, (int)cutoff);
    return s;
}

/* First and last lattice point of one axis within the cutoff of `centre`. */
static void range_of(const struct space *s, double centre, double cutoff, long range[2])
{
    const double first = ceil((centre - cutoff) / SPACING),
                 last = floor((centre + cutoff) / SPACING);
    range[0] = first > 0 ? (long)first : 0;
    range[1] = last < s->points - 1 ? (long)last : (long)s->points - 1;
}

static void spread(const struct space *s, const cl_float4 *atom, double cutoff, double *potential)
{
    long range[3][2];
    for (int axis = 0; axis < 3; axis++)
        range_of(s, (double)atom->s[axis], cutoff, range[axis]);
    for (long z = range[2][0]; z <= range[2][1]; z++)
        for (long y = range[1][0]; y <= range[1][1]; y++)
            for (long x = range[0][0]; x <= range[0][1]; x++) {
                const double d[3] = {(double)x * SPACING - (double)atom->s[0],
                                     (double)y * SPACING - (double)atom->s[1],
                                     (double)z * SPACING - (double)atom->s[2]};
                const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                const double smooth = 1 - r2 / (cutoff * cutoff);
                if (smooth > 0)
                    potential[((size_t)z * s->points + (size_t)y) * s->points + (size_t)x] +=
                        (double)atom->s[3] / sqrt(r2) * smooth * smooth;
            }
}

static float *reference(const struct space *s, double cutoff)
{
    const size_t points = (size_t)s->points * s->points * s->points;
    const size_t places = (size_t)s->across * s->across * s->across * BIN_ATOMS;
    double *potential = allocate(points, sizeof *potential);
    float *rounded = allocate(points, sizeof *rounded);
    for (size_t i = 0; i < places; i++)
        if (s->bins[i].s[3] != 0)
            spread(s, &s->bins[i], cutoff, potential);
    for (size_t i = 0; i < points; i++)
        rounded[i] = (float)potential[i];
    free(potential);
    return rounded;
}

static size_t run(const struct space *s, const float *expected, float *got,
                  const struct options *options)
{
    struct opencl cl;
    const size_t work[] = {s->points, s->points, (size_t)s->regions * LAYERS};
    const size_t group[] = {REGION, REGION, LAYERS};
    const size_t points = (size_t)s->points * s->points * s->points, bytes = points * sizeof *got;
    const size_t places = (size_t)s->across * s->across * s->across * BIN_ATOMS;
    const cl_float spacing = SPACING, cutoff = (cl_float)options->own[CUTOFF].number;
    size_t wrong = 0;
    opencl_open(&cl, options->device_type.text, cutcp_cl);
    cl_kernel kernel = opencl_kernel(&cl, "cutcp");
    const cl_mem buffers[] = {
        opencl_buffer(&cl, CL_MEM_READ_ONLY, places * sizeof *s->bins, s->bins),
        opencl_buffer(&cl, CL_MEM_READ_ONLY, s->num_offsets * sizeof *s->offsets, s->offsets),
        opencl_buffer(&cl, CL_MEM_WRITE_ONLY, bytes, NULL),
    };
    opencl_arguments(kernel, buffers, COUNT_OF(buffers));
    OPENCL_ARGUMENT(kernel, 3, s->num_offsets);
    OPENCL_ARGUMENT(kernel, 4, s->reach);
    OPENCL_ARGUMENT(kernel, 5, s->points);
    OPENCL_ARGUMENT(kernel, 6, spacing);
    OPENCL_ARGUMENT(kernel, 7, cutoff);
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        opencl_poison(&cl, buffers[2], bytes);
        opencl_launch(&cl, kernel, 3, work, group);
        opencl_read(&cl, buffers[2], bytes, got);
        opencl_report(&cl, i, options->repeat.number);
        wrong = verify_floats("potential", s->points, expected, got, points, TOLERANCE, stdout);
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
                       "Computes the potential of charges around a lattice on an OpenCL device.",
                       table, NUM_OPTIONS);
    struct space s = make_space(&options);
    const size_t points = (size_t)s.points * s.points * s.points;
    printf("cutcp: %zu points, %zu atoms, cutoff %lld, %u bins a region, seed %lld\n", points,
           s.num_atoms, (long long)options.own[CUTOFF].number, s.num_offsets,
           (long long)options.seed.number);
    float *expected = reference(&s, (double)options.own[CUTOFF].number);
    float *got = allocate(points, sizeof *got);
    size_t wrong = run(&s, expected, got, &options);
    if (wrong == 0)
        printf("verified: %zu points equal the host's within %g of values above 1\n", points,
               TOLERANCE);
    free(s.bins);
    free(s.offsets);
    free(expected);
    free(got);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}

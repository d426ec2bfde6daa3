/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/stencil/stencil.c: several Jacobi steps on a 3-D lattice, between two buffers, one
 * launch a step. The host adds in the same order, so the lattices must be equal bit by bit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/random.h"
#include "tb/workloads/common/verify.h"

extern const char stencil_cl[];

#define WIDTH       32 /* of a work-group; as in stencil.cl */
#define HEIGHT      4
#define POINTS      2
#define MOST_POINTS (1 << 26)

/* All weights are positive and their sum is one: nothing grows. */
#define CENTRE (-0.5f)
#define SIDE   (0.5f / 6)

enum { COLUMNS, ROWS, PLANES, STEPS, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [COLUMNS] = NUMBER_OPTION("columns", 3, 4096, 70, 128, 256, "points along x"),
    [ROWS] = NUMBER_OPTION("rows", 3, 4096, 10, 126, 254, "points along y"),
    [PLANES] = NUMBER_OPTION("planes", 3, 4096, 8, 32, 64, "points along z"),
    [STEPS] = NUMBER_OPTION("steps", 1, 100000, 3, 5, 8, "Jacobi steps, one launch each"),
};

struct lattice {
    cl_uint columns, rows, planes;
    size_t points;
};

static int on_a_face(const struct lattice *l, size_t i)
{
    size_t column = i % l->columns, row = i / l->columns % l->rows,
           plane = i / l->columns / l->rows;
    return column == 0 || column + 1 == l->columns || row == 0 || row + 1 == l->rows ||
           plane == 0 || plane + 1 == l->planes;
}

static void step(const struct lattice *l, const float *in, float *out)
{
    size_t row = l->columns, plane = row * l->rows;
    for (size_t i = 0; i < l->points; i++)
        if (on_a_face(l, i))
            out[i] = in[i];
        else
            out[i] = SIDE * (in[i - 1] + in[i + 1] + in[i - row] + in[i + row] + in[i - plane] +
                             in[i + plane]) -
                     CENTRE * in[i];
}

/* The lattice after all steps. */
static float *reference(const struct lattice *l, const float *start, int64_t steps)
{
    float *in = allocate(l->points, sizeof *in), *out = allocate(l->points, sizeof *out);
    memcpy(out, start, l->points * sizeof *out);
    for (int64_t i = 0; i < steps; i++) {
        float *last = out;
        out = in;
        in = last;
        step(l, in, out);
    }
    free(in);
    return out;
}

static size_t run(const struct lattice *l, const float *start, const float *expected, float *got,
                  const struct options *options)
{
    struct opencl cl;
    const size_t work[] = {(l->columns + POINTS - 1) / POINTS, l->rows}, group[] = {WIDTH, HEIGHT};
    const size_t bytes = l->points * sizeof(float);
    const cl_float centre = CENTRE, side = SIDE;
    const int64_t steps = options->own[STEPS].number;
    size_t wrong = 0;
    float *faces = allocate(l->points, sizeof *faces); /* nothing between them */
    for (size_t i = 0; i < l->points; i++)
        faces[i] = on_a_face(l, i) ? start[i] : NAN;
    opencl_open(&cl, options->device_type.text, stencil_cl);
    cl_kernel kernel = opencl_kernel(&cl, "stencil");
    cl_mem buffers[] = {opencl_buffer(&cl, CL_MEM_READ_WRITE, bytes, NULL),
                        opencl_buffer(&cl, CL_MEM_READ_WRITE, bytes, NULL)};
    OPENCL_ARGUMENT(kernel, 2, l->columns);
    OPENCL_ARGUMENT(kernel, 3, l->rows);
    OPENCL_ARGUMENT(kernel, 4, l->planes);
    OPENCL_ARGUMENT(kernel, 5, centre);
    OPENCL_ARGUMENT(kernel, 6, side);
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        opencl_write(&cl, buffers[0], bytes, start);
        opencl_write(&cl, buffers[1], bytes, faces);
        cl_mem last = opencl_alternate(&cl, kernel, buffers, steps, 2, work, group);
        opencl_read(&cl, last, bytes, got);
        opencl_report(&cl, i, options->repeat.number);
        wrong = verify_floats("lattice", l->columns, expected, got, l->points, 0, stdout);
    }
    free(faces);
    opencl_release(buffers, COUNT_OF(buffers));
    CL(clReleaseKernel(kernel));
    opencl_close(&cl);
    return wrong;
}

int main(int argc, char **argv)
{
    struct options options;
    parse_command_line(&options, argc, argv,
                       "Lets heat diffuse through a 3-D lattice on an OpenCL device.", table,
                       NUM_OPTIONS);
    struct random random = {(uint64_t)options.seed.number};
    struct lattice l = {.columns = (cl_uint)options.own[COLUMNS].number,
                        .rows = (cl_uint)options.own[ROWS].number,
                        .planes = (cl_uint)options.own[PLANES].number};
    l.points = (size_t)l.columns * l.rows * l.planes;
    if (l.points > MOST_POINTS)
        fail_with(EXIT_USAGE, "--columns=%u --rows=%u --planes=%u: expected at most %d points",
                  l.columns, l.rows, l.planes, MOST_POINTS);
    float *start = allocate(l.points, sizeof *start), *got = allocate(l.points, sizeof *got);
    random_floats(&random, start, l.points);
    printf("stencil: %u x %u x %u points, %lld steps, seed %lld\n", l.columns, l.rows, l.planes,
           (long long)options.own[STEPS].number, (long long)options.seed.number);
    float *expected = reference(&l, start, options.own[STEPS].number);
    size_t wrong = run(&l, start, expected, got, &options);
    if (wrong == 0)
        printf("verified: %zu points equal the host's bit by bit\n", l.points);
    free(start);
    free(expected);
    free(got);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}

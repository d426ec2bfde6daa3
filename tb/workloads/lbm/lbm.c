/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/lbm/lbm.c: lattice-Boltzmann steps in a box with walls around it and a lid that
 * moves, between two buffers, one launch a step. The host's step is written with tables instead of
 * one line for each velocity, but rounds in the same places: all populations must be equal bit by
 * bit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/random.h"
#include "tb/workloads/common/verify.h"

extern const char lbm_cl[];

#define NUM_VELOCITIES 19
#define MOST_CELLS     (1 << 22)
#define LINE           32 /* floats: every velocity's array begins with a line */
#define CELL_WORDS     20 /* of a cell, where its populations stand side by side */

enum { FLUID, WALL, LID }; /* as in lbm.cl */

/* The relaxation of a thin liquid, and a slow lid: the flow stays far below the speed of sound. */
static const cl_float omega = 1.85f, lid_x = 0.05f, lid_z = 0.02f;

enum { COLUMNS, ROWS, PLANES, STEPS, LAYOUT, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [COLUMNS] = NUMBER_OPTION("columns", 3, 512, 60, 120, 120, "cells along x, a work-group"),
    [ROWS] = NUMBER_OPTION("rows", 3, 1024, 6, 24, 64, "cells along y"),
    [PLANES] = NUMBER_OPTION("planes", 3, 1024, 6, 24, 64, "cells along z"),
    [STEPS] = NUMBER_OPTION("steps", 1, 100000, 2, 4, 5, "time steps, one launch each"),
    [LAYOUT] = TEXT_OPTION("layout", "velocities|cells", "an array of cells for each velocity",
                           "how populations lie in memory; cells: an array of cells, each with all "
                           "its populations"),
};

/* The order is lbm.cl's. */
static const int velocity[NUM_VELOCITIES][3] = {
    {0, 0, 0},  {1, 0, 0},   {-1, 0, 0},  {0, 1, 0},  {0, -1, 0}, {0, 0, 1},   {0, 0, -1},
    {1, 1, 0},  {-1, -1, 0}, {1, -1, 0},  {-1, 1, 0}, {1, 0, 1},  {-1, 0, -1}, {1, 0, -1},
    {-1, 0, 1}, {0, 1, 1},   {0, -1, -1}, {0, 1, -1}, {0, -1, 1},
};

struct box {
    cl_uint columns, rows, planes, cells;
    cl_uint margin, stride; /* cells in front of the first; cells with all margins */
    int side_by_side;       /* the layout: cells */
    size_t populations;     /* in all arrays, margins included */
    cl_uchar *kind;
};

/* The weights of the three lengths that velocities have, squared. */
static float weight(int d)
{
    static const float by_square[] = {1.0f / 3, 1.0f / 18, 1.0f / 36};
    const int *v = velocity[d];
    return by_square[v[0] * v[0] + v[1] * v[1] + v[2] * v[2]];
}

static int opposite(int d)
{
    for (int i = 0; i < NUM_VELOCITIES; i++)
        if (velocity[i][0] == -velocity[d][0] && velocity[i][1] == -velocity[d][1] &&
            velocity[i][2] == -velocity[d][2])
            return i;
    return -1;
}

/* Where the population of velocity d of the cell is, which counts from the front of the margin; and back. */
static size_t place(const struct box *b, int d, size_t cell)
{
    return b->side_by_side ? CELL_WORDS * cell + (size_t)d : (size_t)d * b->stride + cell;
}
static size_t cell_of(const struct box *b, size_t place)
{
    return b->side_by_side ? place / CELL_WORDS : place % b->stride;
}
static int velocity_of(const struct box *b, size_t place)
{
    return (int)(b->side_by_side ? place % CELL_WORDS : place / b->stride);
}

static int side_by_side(const char *layout)
{
    if (!layout || !strcmp(layout, "velocities"))
        return 0;
    if (strcmp(layout, "cells"))
        fail_with(EXIT_USAGE, "--layout=%s: expected velocities or cells", layout);
    return 1;
}

static struct box make_box(const struct options *options)
{
    struct box b = {.columns = (cl_uint)options->own[COLUMNS].number,
                    .rows = (cl_uint)options->own[ROWS].number,
                    .planes = (cl_uint)options->own[PLANES].number,
                    .side_by_side = side_by_side(options->own[LAYOUT].text)};
    b.cells = b.columns * b.rows * b.planes;
    if (b.cells > MOST_CELLS)
        fail_with(EXIT_USAGE, "--columns=%u --rows=%u --planes=%u: expected at most %d cells",
                  b.columns, b.rows, b.planes, MOST_CELLS);
    /* The farthest neighbour is one plane and one row away. */
    b.margin = (b.columns * (b.rows + 1) + LINE - 1) / LINE * LINE;
    b.stride = (b.cells + 2 * b.margin + LINE - 1) / LINE * LINE;
    b.populations = (size_t)(b.side_by_side ? CELL_WORDS : NUM_VELOCITIES) * b.stride;
    b.kind = allocate(b.cells, sizeof *b.kind);
    for (cl_uint i = 0; i < b.cells; i++) {
        cl_uint x = i % b.columns, y = i / b.columns % b.rows, z = i / b.columns / b.rows;
        if (x == 0 || x + 1 == b.columns || y == 0 || y + 1 == b.rows || z == 0 ||
            z + 1 == b.planes)
            b.kind[i] = WALL;
        else
            b.kind[i] = y + 2 == b.rows ? LID : FLUID;
    }
    return b;
}

/* Near equilibrium at rest, with some noise. */
static float *make_populations(const struct box *b, struct random *random)
{
    float *f = allocate(b->populations, sizeof *f);
    for (size_t i = 0; i < b->populations; i++)
        f[i] = weight(velocity_of(b, i) % NUM_VELOCITIES) * (1 + 0.01f * random_float(random));
    return f;
}

/* Is it no cell's population? */
static int in_a_margin(const struct box *b, size_t i)
{
    return cell_of(b, i) - b->margin >= b->cells || /* also where that is below 0 */
           velocity_of(b, i) >= NUM_VELOCITIES;
}

/* One cell's 19 populations from its neighbours'. */
static void step_cell(const struct box *b, cl_uint cell, const float *in, float *out)
{
    float f[NUM_VELOCITIES], density = 0, u[3] = {0, 0, 0};
    for (int d = 0; d < NUM_VELOCITIES; d++) {
        const int *v = velocity[d];
        int from = (int)(b->margin + cell) - v[0] - (int)b->columns * (v[1] + (int)b->rows * v[2]);
        f[d] = in[place(b, d, (size_t)from)];
        density += f[d];
        for (int axis = 0; axis < 3; axis++)
            u[axis] += (float)v[axis] * f[d];
    }
    const float inverse = 1 / density, lid[3] = {lid_x, 0, lid_z};
    for (int axis = 0; axis < 3; axis++)
        u[axis] = b->kind[cell] == LID ? lid[axis] : u[axis] * inverse;
    const float square = 1.5f * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    for (int d = 0; d < NUM_VELOCITIES; d++) {
        const int *v = velocity[d];
        const size_t at = b->margin + cell;
        float cu = (float)v[0] * u[0] + (float)v[1] * u[1] + (float)v[2] * u[2];
        if (b->kind[cell] == WALL)
            out[place(b, opposite(d), at)] = f[d];
        else
            out[place(b, d, at)] = (1 - omega) * f[d] + weight(d) * (omega * density) *
                                                            (1 + cu * (4.5f * cu + 3) - square);
    }
}

/* The populations after all steps. */
static float *reference(const struct box *b, const float *start, int64_t steps)
{
    const size_t bytes = b->populations * sizeof *start;
    float *in = allocate(b->populations, sizeof *in), *out = allocate(b->populations, sizeof *out);
    memcpy(in, start, bytes);
    memcpy(out, start, bytes);
    for (int64_t i = 0; i < steps; i++) {
        float *last = out;
        out = in;
        in = last;
        for (cl_uint cell = 0; cell < b->cells; cell++)
            step_cell(b, cell, in, out);
    }
    free(in);
    return out;
}

static size_t run(const struct box *b, const float *start, const float *expected, float *got,
                  const struct options *options)
{
    struct opencl cl;
    const size_t work[] = {b->columns, b->rows, b->planes}, group[] = {b->columns, 1, 1};
    const size_t bytes = b->populations * sizeof(float);
    const int64_t steps = options->own[STEPS].number;
    size_t wrong = 0;
    float *margins = allocate(b->populations, sizeof *margins); /* nothing between them */
    for (size_t i = 0; i < b->populations; i++)
        margins[i] = in_a_margin(b, i) ? start[i] : NAN;
    const char *const sources[] = {"#define CELLS\n", lbm_cl};
    opencl_open_sources(&cl, options->device_type.text, sources + !b->side_by_side,
                        COUNT_OF(sources) - !b->side_by_side);
    cl_kernel kernel = opencl_kernel(&cl, "lbm");
    cl_mem buffers[] = {opencl_buffer(&cl, CL_MEM_READ_WRITE, bytes, NULL),
                        opencl_buffer(&cl, CL_MEM_READ_WRITE, bytes, NULL),
                        opencl_buffer(&cl, CL_MEM_READ_ONLY, b->cells, b->kind)};
    opencl_arguments(kernel, buffers, COUNT_OF(buffers));
    OPENCL_ARGUMENT(kernel, 3, b->margin);
    OPENCL_ARGUMENT(kernel, 4, b->stride);
    OPENCL_ARGUMENT(kernel, 5, omega);
    OPENCL_ARGUMENT(kernel, 6, lid_x);
    OPENCL_ARGUMENT(kernel, 7, lid_z);
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        opencl_write(&cl, buffers[0], bytes, start);
        opencl_write(&cl, buffers[1], bytes, margins);
        cl_mem last = opencl_alternate(&cl, kernel, buffers, steps, 3, work, group);
        opencl_read(&cl, last, bytes, got);
        opencl_report(&cl, i, options->repeat.number);
        wrong = verify_floats("f", b->side_by_side ? CELL_WORDS : b->stride, expected, got,
                              b->populations, 0, stdout);
    }
    free(margins);
    opencl_release(buffers, COUNT_OF(buffers));
    CL(clReleaseKernel(kernel));
    opencl_close(&cl);
    return wrong;
}

int main(int argc, char **argv)
{
    struct options options;
    parse_command_line(&options, argc, argv,
                       "Stirs a liquid in a box, a lattice-Boltzmann method, on an OpenCL device.",
                       table, NUM_OPTIONS);
    struct random random = {(uint64_t)options.seed.number};
    struct box b = make_box(&options);
    float *start = make_populations(&b, &random), *got = allocate(b.populations, sizeof *got);
    printf("lbm: %u x %u x %u cells, %lld steps, seed %lld\n", b.columns, b.rows, b.planes,
           (long long)options.own[STEPS].number, (long long)options.seed.number);
    float *expected = reference(&b, start, options.own[STEPS].number);
    size_t wrong = run(&b, start, expected, got, &options);
    if (wrong == 0)
        printf("verified: the populations of %u cells equal the host's bit by bit\n", b.cells);
    free(start);
    free(expected);
    free(got);
    free(b.kind);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}

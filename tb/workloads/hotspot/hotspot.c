/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/hotspot/hotspot.c: temperatures of a chip with random power (HOTSP of DAWS), several
 * steps a launch, between two buffers. All temperatures are compared with those of single steps
 * over the whole grid. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workloads/common/check.h"
#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/random.h"

extern const char hotspot_cl[];

/* As in hotspot.cl. */
#define TILE         16
#define ALONG_ROW    0.1f
#define ALONG_COLUMN 0.15f
#define TO_AIR       0.002f
#define AIR          80.0f

#define WARMEST    20.0f /* above air, at the start */
#define MOST_POWER 0.5f

enum { SIDE, STEPS, PYRAMID, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [SIDE] = NUMBER_OPTION("side", 1, 8192, 45, 512, 1024, "rows, and columns, of the grid"),
    [STEPS] = NUMBER_OPTION("steps", 1, 1000000, 3, 3, 6, "steps in all"),
    [PYRAMID] = NUMBER_OPTION("pyramid", 1, TILE / 2 - 1, 2, 2, 2, "most steps of a launch"),
};

struct chip {
    cl_int side;
    size_t cells;
    float *power, *start, *expected;
};

static struct chip make_chip(const struct options *options)
{
    struct random random = {(uint64_t)options->seed.number};
    struct chip chip = {.side = (cl_int)options->own[SIDE].number};
    chip.cells = (size_t)chip.side * (size_t)chip.side;
    chip.power = allocate(chip.cells, sizeof *chip.power);
    chip.start = allocate(chip.cells, sizeof *chip.start);
    chip.expected = allocate(chip.cells, sizeof *chip.expected);
    random_floats(&random, chip.power, chip.cells);
    random_floats(&random, chip.start, chip.cells);
    for (size_t i = 0; i < chip.cells; i++) {
        chip.power[i] = fabsf(chip.power[i]) * MOST_POWER;
        chip.start[i] = AIR + fabsf(chip.start[i]) * WARMEST;
    }
    return chip;
}

static void free_chip(struct chip *chip)
{
    free(chip->power);
    free(chip->start);
    free(chip->expected);
}

static float next_heat(const struct chip *chip, const float *heat, size_t i)
{
    size_t side = (size_t)chip->side, column = i % side, row = i / side;
    float here = heat[i];
    float west = column > 0 ? heat[i - 1] : here, east = column + 1 < side ? heat[i + 1] : here;
    float north = row > 0 ? heat[i - side] : here, south = row + 1 < side ? heat[i + side] : here;
    return here + (chip->power[i] + (north + south - 2.0f * here) * ALONG_COLUMN +
                   (west + east - 2.0f * here) * ALONG_ROW + (AIR - here) * TO_AIR);
}

static void reference(struct chip *chip, int64_t steps)
{
    float *last = allocate(chip->cells, sizeof *last);
    memcpy(chip->expected, chip->start, chip->cells * sizeof *last);
    for (int64_t step = 0; step < steps; step++) {
        memcpy(last, chip->expected, chip->cells * sizeof *last);
        for (size_t i = 0; i < chip->cells; i++)
            chip->expected[i] = next_heat(chip, last, i);
    }
    free(last);
}

/* Does all steps, from heat[0] on; returns which of the two buffers has the result. */
static unsigned simulate(struct opencl *cl, cl_kernel kernel, cl_mem power, const cl_mem *heat,
                         cl_int side, const struct options *options)
{
    const cl_int steps = (cl_int)options->own[STEPS].number,
                 halo = (cl_int)options->own[PYRAMID].number, inner = TILE - 2 * halo;
    const size_t tiles = (size_t)((side + inner - 1) / inner);
    const size_t work[] = {tiles * TILE, tiles * TILE}, group[] = {TILE, TILE};
    unsigned last = 0;
    for (cl_int done = 0; done < steps; done += halo, last = !last) {
        const cl_int now = steps - done < halo ? steps - done : halo;
        const cl_mem buffers[] = {power, heat[last], heat[!last]};
        opencl_arguments(kernel, buffers, COUNT_OF(buffers));
        OPENCL_ARGUMENT(kernel, 5, now);
        OPENCL_ARGUMENT(kernel, 6, halo);
        opencl_launch(cl, kernel, 2, work, group);
    }
    return last;
}

static size_t run(const struct chip *chip, const struct options *options)
{
    struct opencl cl;
    const size_t bytes = chip->cells * sizeof *chip->start;
    size_t wrong = 0;
    opencl_open(&cl, options->device_type.text, hotspot_cl);
    cl_kernel kernel = opencl_kernel(&cl, "hotspot");
    const cl_mem buffers[] = {opencl_buffer(&cl, CL_MEM_READ_ONLY, bytes, chip->power),
                              opencl_buffer(&cl, CL_MEM_READ_WRITE, bytes, NULL),
                              opencl_buffer(&cl, CL_MEM_READ_WRITE, bytes, NULL)};
    const cl_mem *heat = buffers + 1;
    OPENCL_ARGUMENT(kernel, 3, chip->side);
    OPENCL_ARGUMENT(kernel, 4, chip->side);
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        opencl_poison(&cl, heat[1], bytes);
        opencl_write(&cl, heat[0], bytes, chip->start);
        unsigned last = simulate(&cl, kernel, buffers[0], heat, chip->side, options);
        opencl_report(&cl, i, options->repeat.number);
        wrong = check_floats(&cl, heat[last], "heat", (size_t)chip->side, chip->expected,
                             chip->cells, 0);
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
                       "Simulates the temperatures of a chip on an OpenCL device.", table,
                       NUM_OPTIONS);
    struct chip chip = make_chip(&options);
    printf("hotspot: %d x %d cells, %lld steps, %lld a launch, seed %lld\n", chip.side, chip.side,
           (long long)options.own[STEPS].number, (long long)options.own[PYRAMID].number,
           (long long)options.seed.number);
    reference(&chip, options.own[STEPS].number);
    size_t wrong = run(&chip, &options);
    if (wrong == 0)
        printf("verified: %zu temperatures equal the host's bit by bit\n", chip.cells);
    free_chip(&chip);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}

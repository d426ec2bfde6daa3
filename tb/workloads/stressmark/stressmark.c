/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/stressmark/stressmark.c: the stressmark of the thesis (2.1, algorithm 1): reads lines of an array, of which each set of a cache
 * has as many as there are regions, so that it misses as often as one asks. README.md says how often. */
#include <stdio.h>
#include <stdlib.h>

#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/random.h"
#include "tb/workloads/common/verify.h"

extern const char stressmark_cl[];

#define GROUP 128
#define WARP  32 /* words of a line, and work-items that read one */
#define READS 4  /* lines of a round */

enum { GROUPS, ROUNDS, REGIONS, LINES, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [GROUPS] = NUMBER_OPTION("groups", 1, 1 << 12, 15, 64, 64, "work-groups of 128 work-items"),
    [ROUNDS] =
        NUMBER_OPTION("rounds", 1, 1 << 20, 24, 400, 2000, "times that a warp reads 4 lines"),
    [REGIONS] = NUMBER_OPTION("regions", 1, 1 << 12, 4, 24, 24,
                              "regions of the array: lines of it in each set of the cache"),
    [LINES] = NUMBER_OPTION("lines", READS, 1 << 12, 96, 384, 384,
                            "lines of 128 bytes in a region: sets of the cache"),
};

struct problem {
    cl_uint count, rounds, places; /* places: of four lines */
    size_t words, warps;
    cl_uint *array, *states; /* states[warp]: where the warp's random numbers start */
    int32_t *expected, *got;
};

/* What the work-items of a warp compute. */
static void expect(const struct problem *p, size_t warp)
{
    cl_uint state = p->states[warp], sum[WARP] = {0};
    for (cl_uint round = 0; round < p->rounds; round++) {
        const cl_uint *words = &p->array[(((uint64_t)state * p->places) >> 32) * READS * WARP];
        for (size_t i = 0; i < (size_t)READS * WARP; i++)
            sum[i % WARP] += words[i];
        state = state * 1664525u + 1013904223u;
    }
    for (size_t lane = 0; lane < WARP; lane++)
        p->expected[warp * WARP + lane] = (int32_t)sum[lane];
}

static struct problem make_problem(const struct options *o)
{
    struct random random = {(uint64_t)o->seed.number};
    struct problem p = {.count = (cl_uint)o->own[GROUPS].number * GROUP,
                        .rounds = (cl_uint)o->own[ROUNDS].number,
                        .places = (cl_uint)(o->own[REGIONS].number * o->own[LINES].number) / READS};
    p.words = (size_t)p.places * READS * WARP;
    p.warps = p.count / WARP;
    p.array = allocate(p.words, sizeof *p.array);
    p.states = allocate(p.warps, sizeof *p.states);
    p.expected = allocate(p.count, sizeof *p.expected);
    p.got = allocate(p.count, sizeof *p.got);
    for (size_t i = 0; i < p.words; i++)
        p.array[i] = (cl_uint)random_bits(&random);
    for (size_t warp = 0; warp < p.warps; warp++) {
        p.states[warp] = (cl_uint)random_bits(&random);
        expect(&p, warp);
    }
    return p;
}

static size_t run(const struct problem *p, const struct options *options)
{
    struct opencl cl;
    const size_t work = p->count, group = GROUP, bytes = p->count * sizeof(cl_uint);
    size_t wrong = 0;
    opencl_open(&cl, options->device_type.text, stressmark_cl);
    cl_kernel kernel = opencl_kernel(&cl, "stressmark");
    const cl_mem array =
        opencl_buffer(&cl, CL_MEM_READ_ONLY, p->words * sizeof *p->array, p->array);
    const cl_mem states =
        opencl_buffer(&cl, CL_MEM_READ_ONLY, p->warps * sizeof *p->states, p->states);
    const cl_mem results = opencl_buffer(&cl, CL_MEM_WRITE_ONLY, bytes, NULL);
    const cl_mem buffers[] = {array, states, results};
    opencl_arguments(kernel, buffers, COUNT_OF(buffers));
    OPENCL_ARGUMENT(kernel, 3, p->rounds);
    OPENCL_ARGUMENT(kernel, 4, p->places);
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        opencl_poison(&cl, results, bytes);
        opencl_launch(&cl, kernel, 1, &work, &group);
        opencl_read(&cl, results, bytes, p->got);
        opencl_report(&cl, i, options->repeat.number);
        wrong = verify_integers("result", p->expected, p->got, p->count, stdout);
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
                       "Reads lines of an array at random, on an OpenCL device: a stressmark of a "
                       "cache that misses as often as one asks.",
                       table, NUM_OPTIONS);
    struct problem p = make_problem(&options);
    printf("stressmark: %u work-items, %u rounds of 4 of %u lines, seed %lld\n", p.count, p.rounds,
           p.places * READS, (long long)options.seed.number);
    const size_t wrong = run(&p, &options);
    const cl_uint count = p.count;
    free(p.array);
    free(p.states);
    free(p.expected);
    free(p.got);
    if (wrong > 0)
        return EXIT_WRONG;
    printf("verified: %u results equal the host's\n", count);
    return EXIT_VERIFIED;
}

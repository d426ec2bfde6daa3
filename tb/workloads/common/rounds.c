/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/rounds.c: graph, rounds and comparison of the workloads that go in rounds. */
#include "tb/workloads/common/rounds.h"

#include <stdio.h>
#include <stdlib.h>

#include "tb/workloads/common/check.h"
#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/opencl.h"

struct problem {
    const struct rounds_workload *workload;
    struct csr graph;
    int32_t *initial, *expected;
    uint32_t rounds;
};

static void make_problem(struct problem *p, const struct options *options)
{
    struct random random = {(uint64_t)options->seed.number};
    if (p->workload->generate(&p->graph, (unsigned)options->own[SCALE].number,
                              (uint32_t)options->own[DEGREE].number, &random) != 0)
        fail_with(EXIT_DEVICE, "no memory for a graph of 2^%lld vertices",
                  (long long)options->own[SCALE].number);
    p->initial = allocate(p->graph.rows, sizeof *p->initial);
    p->expected = allocate(p->graph.rows, sizeof *p->expected);
    p->rounds = p->workload->expect(&p->graph, &random, p->initial, p->expected);
}

static void free_problem(struct problem *p)
{
    csr_free(&p->graph);
    free(p->initial);
    free(p->expected);
}

/* Launches rounds until one leaves `again` zero, or is one too many. The states are read from and
 * written to the two buffers by turns. Returns how many rounds there were. */
static uint32_t run_rounds(struct opencl *cl, cl_kernel kernel, const cl_mem states[2],
                           cl_mem again_buffer, const struct problem *p, size_t block)
{
    const size_t work = p->graph.rows;
    cl_uint again = 1;
    uint32_t round = 0;
    for (; again != 0 && round <= p->rounds; round++) {
        again = 0;
        opencl_write(cl, again_buffer, sizeof again, &again);
        OPENCL_ARGUMENT(kernel, 2, states[round % 2]);
        OPENCL_ARGUMENT(kernel, 3, states[(round + 1) % 2]);
        opencl_launch(cl, kernel, 1, &work, &block);
        opencl_read(cl, again_buffer, sizeof again, &again);
    }
    return round;
}

static size_t compare(const struct problem *p, struct opencl *cl, cl_mem states, uint32_t rounds)
{
    size_t wrong = check_integers(cl, states, p->workload->state, p->expected, p->graph.rows);
    if (rounds != p->rounds && wrong++ == 0)
        printf("wrong: the states are right, but not after round %u\n", p->rounds);
    return wrong;
}

static size_t run(const struct problem *p, const struct options *options)
{
    struct opencl cl;
    const struct csr *graph = &p->graph;
    const cl_uint vertices = graph->rows;
    const size_t bytes = vertices * sizeof *p->initial;
    size_t wrong = 0;
    opencl_open(&cl, options->device_type.text, p->workload->source);
    cl_kernel kernel = opencl_kernel(&cl, p->workload->name);
    const cl_mem buffers[] = {
        opencl_buffer(&cl, CL_MEM_READ_ONLY, (vertices + (size_t)1) * sizeof *graph->start,
                      graph->start),
        opencl_buffer(&cl, CL_MEM_READ_ONLY, graph->nonzeros * sizeof *graph->column,
                      graph->column),
        opencl_buffer(&cl, CL_MEM_READ_WRITE, bytes, NULL),
        opencl_buffer(&cl, CL_MEM_READ_WRITE, bytes, NULL),
        opencl_buffer(&cl, CL_MEM_READ_WRITE, sizeof(cl_uint), NULL),
    };
    const cl_mem *states = buffers + 2, again = buffers[4];
    opencl_arguments(kernel, buffers, COUNT_OF(buffers));
    OPENCL_ARGUMENT(kernel, COUNT_OF(buffers), vertices);
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        opencl_write(&cl, states[0], bytes, p->initial);
        opencl_poison(&cl, states[1], bytes);
        uint32_t rounds =
            run_rounds(&cl, kernel, states, again, p, (size_t)options->own[BLOCK].number);
        opencl_report(&cl, i, options->repeat.number);
        wrong = compare(p, &cl, states[rounds % 2], rounds);
    }
    opencl_release(buffers, COUNT_OF(buffers));
    CL(clReleaseKernel(kernel));
    opencl_close(&cl);
    return wrong;
}

int rounds_main(const struct rounds_workload *workload, int argc, char **argv)
{
    struct options options;
    struct problem p = {.workload = workload};
    parse_command_line(&options, argc, argv, workload->meaning, workload->table,
                       NUM_ROUNDS_OPTIONS);
    make_problem(&p, &options);
    printf("%s: %u vertices, %u edges, %u rounds, seed %lld\n", workload->name, p.graph.rows,
           p.graph.nonzeros / 2, p.rounds, (long long)options.seed.number);
    size_t wrong = run(&p, &options);
    if (wrong == 0)
        printf("verified: the %ss of %u vertices equal the host's\n", workload->state,
               p.graph.rows);
    free_problem(&p);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}

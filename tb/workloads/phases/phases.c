/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/phases/phases.c: one kernel of two phases by turns, one bound by arithmetic and one by memory: what a policy that
 * goes by phases is tried with, as that of the SMs' clock (thesis 5). No paper measures it. */
#include <stdio.h>
#include <stdlib.h>

#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/random.h"
#include "tb/workloads/common/verify.h"

extern const char phases_cl[];

#define GROUP 128
#define STEP  8 /* words between the reads of two work-items: a sector */

enum { GROUPS, ROUNDS, ADDITIONS, READS, WORDS, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [GROUPS] = NUMBER_OPTION("groups", 1, 1 << 16, 15, 60, 60, "work-groups of 128 work-items"),
    [ROUNDS] = NUMBER_OPTION("rounds", 1, 1 << 20, 3, 8, 12, "times that each phase comes"),
    [ADDITIONS] = NUMBER_OPTION("additions", 1, 1 << 20, 100, 1000, 2000,
                                "multiplications and additions of a work-item in a phase"),
    [READS] = NUMBER_OPTION("reads", 1, 1 << 20, 10, 60, 120, "reads of a work-item in a phase"),
    [WORDS] = NUMBER_OPTION("words", 64, 1 << 28, 1 << 17, 1 << 20, 1 << 22,
                            "words of the table, rounded down to a power of two"),
};

struct problem {
    cl_uint count, rounds, additions, reads, words;
    cl_uint *table;
    int32_t *expected, *got;
};

static cl_uint power_of_two_below(int64_t most)
{
    cl_uint power = 1;
    while ((int64_t)power * 2 <= most)
        power *= 2;
    return power;
}

/* What a work-item computes. */
static cl_uint result_of(const struct problem *p, cl_uint id)
{
    cl_uint at = id * STEP & (p->words - 1), sum = id;
    for (cl_uint round = 0; round < p->rounds; round++) {
        for (cl_uint i = 0; i < p->additions; i++)
            sum = sum * 1664525u + 1013904223u;
        for (cl_uint i = 0; i < p->reads; i++) {
            sum += p->table[at];
            at = (at + STEP * p->count + STEP) & (p->words - 1);
        }
    }
    return sum;
}

static struct problem make_problem(const struct options *o)
{
    struct random random = {(uint64_t)o->seed.number};
    struct problem p = {.count = (cl_uint)o->own[GROUPS].number * GROUP,
                        .rounds = (cl_uint)o->own[ROUNDS].number,
                        .additions = (cl_uint)o->own[ADDITIONS].number,
                        .reads = (cl_uint)o->own[READS].number,
                        .words = power_of_two_below(o->own[WORDS].number)};
    p.table = allocate(p.words, sizeof *p.table);
    p.expected = allocate(p.count, sizeof *p.expected);
    p.got = allocate(p.count, sizeof *p.got);
    for (cl_uint i = 0; i < p.words; i++)
        p.table[i] = (cl_uint)random_bits(&random);
    for (cl_uint i = 0; i < p.count; i++)
        p.expected[i] = (int32_t)result_of(&p, i);
    return p;
}

static size_t run(const struct problem *p, const struct options *options)
{
    struct opencl cl;
    const size_t work = p->count, group = GROUP, bytes = p->count * sizeof(cl_uint);
    const cl_uint mask = p->words - 1;
    size_t wrong = 0;
    opencl_open(&cl, options->device_type.text, phases_cl);
    cl_kernel kernel = opencl_kernel(&cl, "phases");
    cl_mem read = opencl_buffer(&cl, CL_MEM_READ_ONLY, p->words * sizeof(cl_uint), p->table);
    cl_mem results = opencl_buffer(&cl, CL_MEM_WRITE_ONLY, bytes, NULL);
    OPENCL_ARGUMENT(kernel, 0, read);
    OPENCL_ARGUMENT(kernel, 1, results);
    OPENCL_ARGUMENT(kernel, 2, p->rounds);
    OPENCL_ARGUMENT(kernel, 3, p->additions);
    OPENCL_ARGUMENT(kernel, 4, p->reads);
    OPENCL_ARGUMENT(kernel, 5, mask);
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        opencl_poison(&cl, results, bytes);
        opencl_launch(&cl, kernel, 1, &work, &group);
        opencl_read(&cl, results, bytes, p->got);
        opencl_report(&cl, i, options->repeat.number);
        wrong = verify_integers("result", p->expected, p->got, p->count, stdout);
    }
    CL(clReleaseMemObject(read));
    CL(clReleaseMemObject(results));
    CL(clReleaseKernel(kernel));
    opencl_close(&cl);
    return wrong;
}

int main(int argc, char **argv)
{
    struct options options;
    parse_command_line(&options, argc, argv,
                       "Computes and reads memory by turns, in one kernel on an OpenCL device.",
                       table, NUM_OPTIONS);
    struct problem p = make_problem(&options);
    printf("phases: %u work-items, %u rounds of %u additions and %u reads of %u words, seed %lld\n",
           p.count, p.rounds, p.additions, p.reads, p.words, (long long)options.seed.number);
    const size_t wrong = run(&p, &options);
    const cl_uint count = p.count;
    free(p.table);
    free(p.expected);
    free(p.got);
    if (wrong > 0)
        return EXIT_WRONG;
    printf("verified: %u results equal the host's\n", count);
    return EXIT_VERIFIED;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/dense.c: random operands, launches and comparison of the dense linear algebra
 * workloads. */
#include "tb/workloads/common/dense.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workloads/common/check.h"
#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/random.h"

extern const char dense_cl[];

struct operand {
    size_t width, count;       /* elements of a row (0: a vector), and in all */
    float *initial, *expected; /* the same array where no kernel writes it */
};

struct problem {
    const struct dense_workload *workload;
    const struct options *options;
    cl_uint rows, columns;
    struct operand operands[DENSE_MOST_OPERANDS];
    cl_mem buffers[DENSE_MOST_OPERANDS];
    unsigned num_operands;
    size_t compared; /* elements */
};

/* Rows and columns of a shape; a vector has no columns. */
static void shape_sizes(const struct problem *p, enum dense_shape shape, size_t sizes[2])
{
    sizes[0] = shape == DENSE_COLUMNS ? p->columns : p->rows;
    sizes[1] = shape == DENSE_MATRIX ? p->columns : shape == DENSE_SQUARE ? p->rows : 0;
}

static void make_operand(struct problem *p, unsigned index, struct random *random)
{
    enum dense_role role = p->workload->operands[index].role;
    struct operand *operand = &p->operands[index];
    size_t sizes[2];
    shape_sizes(p, p->workload->operands[index].shape, sizes);
    operand->width = sizes[1];
    operand->count = sizes[0] * (sizes[1] > 0 ? sizes[1] : 1);
    operand->initial = allocate(operand->count, sizeof *operand->initial);
    operand->expected = operand->initial;
    if (role != DENSE_OUTPUT)
        random_floats(random, operand->initial, operand->count);
    if (role == DENSE_INPUT)
        return;
    operand->expected = allocate(operand->count, sizeof *operand->expected);
    memcpy(operand->expected, operand->initial, operand->count * sizeof *operand->expected);
    p->compared += operand->count;
}

static void make_problem(struct problem *p)
{
    struct random random = {(uint64_t)p->options->seed.number};
    float *operands[DENSE_MOST_OPERANDS];
    for (; p->workload->operands[p->num_operands].name != NULL; p->num_operands++) {
        make_operand(p, p->num_operands, &random);
        operands[p->num_operands] = p->operands[p->num_operands].expected;
    }
    p->workload->expect(p->workload, p->rows, p->columns, operands);
}

static void free_problem(struct problem *p)
{
    for (unsigned i = 0; i < p->num_operands; i++) {
        if (p->operands[i].expected != p->operands[i].initial)
            free(p->operands[i].expected);
        free(p->operands[i].initial);
    }
}

static void make_buffers(struct problem *p, struct opencl *cl)
{
    static const cl_mem_flags flags[] = {[DENSE_INPUT] = CL_MEM_READ_ONLY,
                                         [DENSE_UPDATE] = CL_MEM_READ_WRITE,
                                         [DENSE_OUTPUT] = CL_MEM_READ_WRITE};
    for (unsigned i = 0; i < p->num_operands; i++)
        p->buffers[i] = opencl_buffer(cl, flags[p->workload->operands[i].role],
                                      p->operands[i].count * sizeof(float), p->operands[i].initial);
}

static void reset_buffers(struct problem *p, struct opencl *cl)
{
    for (unsigned i = 0; i < p->num_operands; i++) {
        const struct operand *operand = &p->operands[i];
        size_t bytes = operand->count * sizeof(float);
        if (p->workload->operands[i].role == DENSE_UPDATE)
            opencl_write(cl, p->buffers[i], bytes, operand->initial);
        else if (p->workload->operands[i].role == DENSE_OUTPUT)
            opencl_poison(cl, p->buffers[i], bytes);
    }
}

static void launch(const struct problem *p, struct opencl *cl, unsigned index)
{
    size_t sizes[2], block = (size_t)p->options->own[BLOCK].number;
    cl_kernel kernel = opencl_kernel(cl, p->workload->kernels[index].name);
    cl_uint argument = p->num_operands;
    opencl_arguments(kernel, p->buffers, p->num_operands);
    OPENCL_ARGUMENT(kernel, argument++, p->rows);
    OPENCL_ARGUMENT(kernel, argument++, p->columns);
    for (unsigned i = 0; i < p->workload->num_scalars; i++)
        OPENCL_ARGUMENT(kernel, argument++, p->workload->scalars[i]);
    shape_sizes(p, p->workload->kernels[index].over, sizes);
    if (sizes[1] > 0)
        opencl_launch(cl, kernel, 2, (size_t[]){sizes[1], sizes[0]},
                      (size_t[]){(size_t)p->options->own[WIDTH].number, block});
    else
        opencl_launch(cl, kernel, 1, sizes, &block);
    CL(clReleaseKernel(kernel));
}

static size_t compare(const struct problem *p, struct opencl *cl)
{
    size_t wrong = 0;
    for (unsigned i = 0; i < p->num_operands; i++) {
        const struct operand *operand = &p->operands[i];
        if (p->workload->operands[i].role == DENSE_INPUT)
            continue;
        wrong += check_floats(cl, p->buffers[i], p->workload->operands[i].name, operand->width,
                              operand->expected, operand->count, p->options->own[TOLERANCE].real);
    }
    return wrong;
}

static size_t run(struct problem *p)
{
    const char *const sources[] = {dense_cl, p->workload->source};
    struct opencl cl;
    size_t wrong = 0;
    opencl_open_sources(&cl, p->options->device_type.text, sources, 2);
    make_buffers(p, &cl);
    for (int64_t i = 1; i <= p->options->repeat.number && wrong == 0; i++) {
        reset_buffers(p, &cl);
        for (unsigned k = 0; p->workload->kernels[k].name != NULL; k++)
            launch(p, &cl, k);
        opencl_report(&cl, i, p->options->repeat.number);
        wrong = compare(p, &cl);
    }
    opencl_release(p->buffers, p->num_operands);
    opencl_close(&cl);
    return wrong;
}

int dense_main(const struct dense_workload *workload, int argc, char **argv)
{
    struct options options;
    struct problem p = {.workload = workload, .options = &options};
    const unsigned matrix = workload->table[WIDTH].name != NULL;
    parse_command_line(&options, argc, argv, workload->meaning, workload->table,
                       matrix ? NUM_DENSE_OPTIONS : WIDTH);
    if (matrix && options.own[BLOCK].number * options.own[WIDTH].number > DENSE_MOST_ITEMS)
        fail_with(EXIT_USAGE,
                  "--block=%lld: expected at most %d work-items in all with --width=%lld",
                  (long long)options.own[BLOCK].number, DENSE_MOST_ITEMS,
                  (long long)options.own[WIDTH].number);
    p.rows = (cl_uint)options.own[ROWS].number;
    p.columns = (cl_uint)options.own[COLUMNS].number;
    printf("%s: A of %u x %u, block %lld, seed %lld\n", workload->name, p.rows, p.columns,
           (long long)options.own[BLOCK].number, (long long)options.seed.number);
    make_problem(&p);
    size_t wrong = run(&p);
    if (wrong == 0)
        printf("verified: %zu elements equal the host's%s\n", p.compared,
               options.own[TOLERANCE].real > 0 ? " within the tolerance" : " bit by bit");
    free_problem(&p);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}

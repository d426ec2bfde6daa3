/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/backprop/backprop.c: trains a network of many inputs, 16 hidden units and one output
 * with one random example (BACKP of DAWS). The device adds up what reaches the hidden units and
 * changes their weights, the host does the rest. All partial sums and weights are compared. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workloads/common/check.h"
#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/random.h"

extern const char backprop_cl[];

/* As in backprop.cl. */
#define HIDDEN   16
#define PITCH    (HIDDEN + 1)
#define ROWS     16
#define RATE     0.3f
#define MOMENTUM 0.3f

enum { INPUTS, EPOCHS, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [INPUTS] = NUMBER_OPTION("inputs", 1, 1 << 20, 300, 16384, 65536, "input units"),
    [EPOCHS] = NUMBER_OPTION("epochs", 1, 1000, 2, 2, 2, "times that the weights are changed"),
};

/* The network of the host. Unit 0 of each layer is the bias. */
struct network {
    uint32_t inputs, groups;
    size_t weights;                     /* (inputs + 1) * PITCH */
    float *input;                       /* inputs + 1 */
    float *weight, *start;              /* to the hidden units, now and at first */
    float *last;                        /* changes of the weights */
    float *partial;                     /* groups x HIDDEN */
    float delta[PITCH];                 /* of the hidden units */
    float out[PITCH], out_start[PITCH]; /* weights to the output */
};

static struct network make_network(const struct options *options)
{
    struct random random = {(uint64_t)options->seed.number};
    struct network n = {.inputs = (uint32_t)options->own[INPUTS].number};
    n.groups = (n.inputs + ROWS - 1) / ROWS;
    n.weights = (n.inputs + (size_t)1) * PITCH;
    n.input = allocate(n.inputs + (size_t)1, sizeof *n.input);
    n.weight = allocate(n.weights, sizeof *n.weight);
    n.start = allocate(n.weights, sizeof *n.start);
    n.last = allocate(n.weights, sizeof *n.last);
    n.partial = allocate((size_t)n.groups * HIDDEN, sizeof *n.partial);
    random_floats(&random, n.input, n.inputs + (size_t)1);
    random_floats(&random, n.start, n.weights);
    for (size_t i = 0; i < n.weights; i++) /* a full sum must not drive a unit to its limit */
        n.start[i] /= sqrtf((float)n.inputs);
    random_floats(&random, n.out_start, PITCH);
    return n;
}

static void free_network(struct network *n)
{
    free(n->input);
    free(n->weight);
    free(n->start);
    free(n->last);
    free(n->partial);
}

/* A group's sums, in the kernel's order: neighbours first. */
static void add_group(struct network *n, uint32_t group)
{
    for (uint32_t x = 0; x < HIDDEN; x++) {
        float sum[ROWS] = {0};
        for (uint32_t y = 0; y < ROWS; y++) {
            size_t unit = (size_t)group * ROWS + y + 1;
            if (unit <= n->inputs)
                sum[y] = n->weight[unit * PITCH + x + 1] * n->input[unit];
        }
        for (uint32_t step = 1; step < ROWS; step *= 2)
            for (uint32_t y = 0; y < ROWS; y += 2 * step)
                sum[y] += sum[y + step];
        n->partial[group * HIDDEN + x] = sum[0];
    }
}

static float squash(float x)
{
    return 1 / (1 + expf(-x));
}

/* From the partial sums to what the hidden units' weights must change by. The example's output is
 * to be 1. */
static void find_deltas(struct network *n)
{
    float hidden[PITCH] = {1}, sum = n->out[0];
    for (uint32_t x = 1; x < PITCH; x++) {
        hidden[x] = n->weight[x];
        for (uint32_t group = 0; group < n->groups; group++)
            hidden[x] += n->partial[group * HIDDEN + x - 1];
        hidden[x] = squash(hidden[x]);
        sum += hidden[x] * n->out[x];
    }
    float output = squash(sum), error = output * (1 - output) * (1 - output);
    for (uint32_t x = 1; x < PITCH; x++)
        n->delta[x] = hidden[x] * (1 - hidden[x]) * error * n->out[x];
    for (uint32_t x = 0; x < PITCH; x++)
        n->out[x] += RATE * error * hidden[x];
}

static void adjust(struct network *n)
{
    for (size_t i = 0; i < n->weights; i++) {
        size_t x = i % PITCH, unit = i / PITCH;
        if (x == 0)
            continue;
        float step = unit == 0 ? RATE * n->delta[x] + MOMENTUM * n->last[i]
                               : RATE * (n->delta[x] * n->input[unit]) + MOMENTUM * n->last[i];
        n->weight[i] += step;
        n->last[i] = step;
    }
}

enum { INPUT, DELTA, WEIGHT, LAST, PARTIAL, NUM_BUFFERS };

/* One epoch on the device, and on the host beside it. */
static size_t train(struct opencl *cl, cl_kernel forward, cl_kernel change, struct network *n,
                    const cl_mem *buffers)
{
    const size_t work[] = {HIDDEN, n->inputs}, group[] = {HIDDEN, ROWS},
                 partials = (size_t)n->groups * HIDDEN;
    opencl_poison(cl, buffers[PARTIAL], partials * sizeof *n->partial);
    opencl_launch(cl, forward, 2, work, group);
    for (uint32_t g = 0; g < n->groups; g++)
        add_group(n, g);
    size_t wrong = check_floats(cl, buffers[PARTIAL], "partial", HIDDEN, n->partial, partials, 0);
    find_deltas(n);
    opencl_write(cl, buffers[DELTA], sizeof n->delta, n->delta);
    opencl_launch(cl, change, 2, work, group);
    adjust(n);
    return wrong + check_floats(cl, buffers[WEIGHT], "weight", PITCH, n->weight, n->weights, 0);
}

static size_t run(struct network *n, const struct options *options)
{
    struct opencl cl;
    const size_t weight_bytes = n->weights * sizeof *n->weight;
    size_t wrong = 0;
    opencl_open(&cl, options->device_type.text, backprop_cl);
    cl_kernel forward = opencl_kernel(&cl, "forward"), change = opencl_kernel(&cl, "adjust");
    const cl_mem buffers[NUM_BUFFERS] = {
        [INPUT] = opencl_buffer(&cl, CL_MEM_READ_ONLY, (n->inputs + (size_t)1) * sizeof *n->input,
                                n->input),
        [DELTA] = opencl_buffer(&cl, CL_MEM_READ_ONLY, sizeof n->delta, NULL),
        [WEIGHT] = opencl_buffer(&cl, CL_MEM_READ_WRITE, weight_bytes, NULL),
        [LAST] = opencl_buffer(&cl, CL_MEM_READ_WRITE, weight_bytes, NULL),
        [PARTIAL] = opencl_buffer(&cl, CL_MEM_WRITE_ONLY,
                                  (size_t)n->groups * HIDDEN * sizeof *n->partial, NULL),
    };
    const cl_mem forward_buffers[] = {buffers[INPUT], buffers[WEIGHT], buffers[PARTIAL]};
    opencl_arguments(forward, forward_buffers, COUNT_OF(forward_buffers));
    OPENCL_ARGUMENT(forward, COUNT_OF(forward_buffers), n->inputs);
    opencl_arguments(change, buffers, LAST + 1);
    OPENCL_ARGUMENT(change, LAST + 1, n->inputs);
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        memcpy(n->weight, n->start, weight_bytes);
        memcpy(n->out, n->out_start, sizeof n->out);
        memset(n->last, 0, weight_bytes);
        opencl_write(&cl, buffers[WEIGHT], weight_bytes, n->weight);
        opencl_write(&cl, buffers[LAST], weight_bytes, n->last);
        for (int64_t epoch = 0; epoch < options->own[EPOCHS].number && wrong == 0; epoch++)
            wrong = train(&cl, forward, change, n, buffers);
        opencl_report(&cl, i, options->repeat.number);
        wrong += check_floats(&cl, buffers[LAST], "last", PITCH, n->last, n->weights, 0);
    }
    opencl_release(buffers, NUM_BUFFERS);
    CL(clReleaseKernel(forward));
    CL(clReleaseKernel(change));
    opencl_close(&cl);
    return wrong;
}

int main(int argc, char **argv)
{
    struct options options;
    parse_command_line(&options, argc, argv,
                       "Trains a neural network by back propagation on an OpenCL device.", table,
                       NUM_OPTIONS);
    struct network n = make_network(&options);
    printf("backprop: %u inputs, %d hidden units, %lld epochs, seed %lld\n", n.inputs, HIDDEN,
           (long long)options.own[EPOCHS].number, (long long)options.seed.number);
    size_t wrong = run(&n, &options);
    if (wrong == 0)
        printf("verified: sums and %zu weights equal the host's bit by bit\n", n.weights);
    free_network(&n);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}

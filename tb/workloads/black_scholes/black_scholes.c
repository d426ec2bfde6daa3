/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/black_scholes/black_scholes.c: prices of random options. The host computes them in
 * double, with the error function. The device's logarithm, of an argument within 0.05 .. 30, is off
 * by 1e-6 at most, and its quotient with the least deviation, 0.15, by 7e-6; the distribution's
 * slope is 0.4 at most, so both distributions are within 3e-6, and these weigh 30 and 100 at most:
 * TOLERANCE holds with a margin. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tb/workloads/common/check.h"
#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/random.h"

extern const char black_scholes_cl[];

#define BLOCK      128
#define RATE       0.02f /* without risk, of a year */
#define VOLATILITY 0.3f  /* of a year */
#define TOLERANCE  5e-4

enum { COUNT, GROUPS, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [COUNT] = NUMBER_OPTION("count", 1, 1 << 26, 10007, 1000003, 4000003, "options to price"),
    [GROUPS] = NUMBER_OPTION("groups", 1, 1 << 16, 30, 480, 480, "work-groups of 128 work-items"),
};

/* What is random, and what is computed; in the order of the kernel's arguments. */
enum { PRICE, STRIKE, YEARS, NUM_INPUTS, CALL = NUM_INPUTS, PUT, NUM_BUFFERS };

static const struct {
    const char *name;
    float least, most; /* of an input */
} columns[NUM_BUFFERS] = {
    [PRICE] = {"price", 5, 30}, [STRIKE] = {"strike", 1, 100}, [YEARS] = {"years", 0.25f, 10},
    [CALL] = {.name = "call"},  [PUT] = {.name = "put"},
};

static double normal(double d)
{
    return 0.5 * erfc(-d / sqrt(2));
}

static void set_prices(float *const *data, size_t i)
{
    const double rate = (double)RATE, volatility = (double)VOLATILITY, s = (double)data[PRICE][i],
                 x = (double)data[STRIKE][i], t = (double)data[YEARS][i];
    const double deviation = volatility * sqrt(t);
    const double d1 = (log(s / x) + (rate + volatility * volatility / 2) * t) / deviation;
    const double d2 = d1 - deviation, discounted = x * exp(-rate * t);
    data[CALL][i] = (float)(s * normal(d1) - discounted * normal(d2));
    data[PUT][i] = (float)(discounted * normal(-d2) - s * normal(-d1));
}

static void make_data(float **data, size_t count, uint64_t seed)
{
    struct random random = {seed};
    for (int column = 0; column < NUM_BUFFERS; column++) {
        data[column] = allocate(count, sizeof **data);
        for (size_t i = 0; i < count && column < NUM_INPUTS; i++)
            data[column][i] =
                columns[column].least +
                (columns[column].most - columns[column].least) * (random_float(&random) + 1) / 2;
    }
    for (size_t i = 0; i < count; i++)
        set_prices(data, i);
}

static size_t run(float *const *data, cl_uint count, const struct options *options)
{
    struct opencl cl;
    const size_t group = BLOCK, work = (size_t)options->own[GROUPS].number * group,
                 bytes = count * sizeof **data;
    const float rate = RATE, volatility = VOLATILITY;
    size_t wrong = 0;
    cl_mem buffers[NUM_BUFFERS];
    opencl_open(&cl, options->device_type.text, black_scholes_cl);
    cl_kernel kernel = opencl_kernel(&cl, "black_scholes");
    for (int i = 0; i < NUM_BUFFERS; i++)
        buffers[i] = i < NUM_INPUTS ? opencl_buffer(&cl, CL_MEM_READ_ONLY, bytes, data[i])
                                    : opencl_buffer(&cl, CL_MEM_WRITE_ONLY, bytes, NULL);
    opencl_arguments(kernel, buffers, NUM_BUFFERS);
    OPENCL_ARGUMENT(kernel, NUM_BUFFERS, count);
    OPENCL_ARGUMENT(kernel, NUM_BUFFERS + 1, rate);
    OPENCL_ARGUMENT(kernel, NUM_BUFFERS + 2, volatility);
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        opencl_poison(&cl, buffers[CALL], bytes);
        opencl_poison(&cl, buffers[PUT], bytes);
        opencl_launch(&cl, kernel, 1, &work, &group);
        opencl_report(&cl, i, options->repeat.number);
        for (int j = CALL; j <= PUT; j++)
            wrong += check_floats(&cl, buffers[j], columns[j].name, 0, data[j], count, TOLERANCE);
    }
    opencl_release(buffers, NUM_BUFFERS);
    CL(clReleaseKernel(kernel));
    opencl_close(&cl);
    return wrong;
}

int main(int argc, char **argv)
{
    struct options options;
    parse_command_line(&options, argc, argv,
                       "Prices European options by the Black-Scholes formula on an OpenCL device.",
                       table, NUM_OPTIONS);
    const size_t count = (size_t)options.own[COUNT].number;
    float *data[NUM_BUFFERS];
    make_data(data, count, (uint64_t)options.seed.number);
    printf("black_scholes: %zu options, %lld groups of %d, seed %lld\n", count,
           (long long)options.own[GROUPS].number, BLOCK, (long long)options.seed.number);
    size_t wrong = run(data, (cl_uint)count, &options);
    if (wrong == 0)
        printf("verified: the prices of %zu options equal the host's within %g\n", count,
               TOLERANCE);
    for (int i = 0; i < NUM_BUFFERS; i++)
        free(data[i]);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/lud/lud.c: LU decomposition of a random matrix (LUD of DAWS), three launches a tile
 * of the diagonal. The matrix is padded to whole tiles with an identity matrix; all of L and U is
 * compared with a decomposition without tiles. --tolerance is for devices whose division is not
 * rounded correctly, which OpenCL allows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workloads/common/check.h"
#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/random.h"

extern const char lud_cl[];

#define TILE 16 /* as in lud.cl */

enum { ORDER, TOLERANCE, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [ORDER] = NUMBER_OPTION("order", 1, 4096, 60, 256, 640, "rows and columns"),
    [TOLERANCE] =
        REAL_OPTION("tolerance", "bit by bit", "allowed difference, relative to values above 1"),
};

/* The diagonal outweighs the rest of its row, so that there is no need to exchange rows. */
static void make_matrix(float *a, size_t order, size_t padded, struct random *random)
{
    for (size_t row = 0; row < padded; row++)
        for (size_t column = 0; column < padded; column++) {
            float *element = &a[row * padded + column];
            if (row < order && column < order)
                *element = random_float(random) + (row == column ? (float)order : 0);
            else
                *element = row == column;
        }
}

static void reference(float *a, size_t order)
{
    for (size_t k = 0; k < order; k++)
        for (size_t row = k + 1; row < order; row++) {
            a[row * order + k] /= a[k * order + k];
            for (size_t column = k + 1; column < order; column++)
                a[row * order + column] -= a[row * order + k] * a[k * order + column];
        }
}

enum { DIAGONAL, PERIMETER, INTERNAL, NUM_KERNELS };

static void decompose(struct opencl *cl, const cl_kernel *kernels, cl_uint order)
{
    static const size_t diagonal[] = {TILE}, perimeter[] = {2 * TILE}, internal[] = {TILE, TILE};
    for (cl_uint first = 0; first < order; first += TILE) {
        const size_t rest = order - first - TILE;
        for (unsigned i = 0; i < NUM_KERNELS; i++)
            OPENCL_ARGUMENT(kernels[i], 2, first);
        opencl_launch(cl, kernels[DIAGONAL], 1, diagonal, diagonal);
        if (rest == 0)
            break;
        opencl_launch(cl, kernels[PERIMETER], 1, (size_t[]){2 * rest}, perimeter);
        opencl_launch(cl, kernels[INTERNAL], 2, (size_t[]){rest, rest}, internal);
    }
}

static size_t run(const float *a, const float *expected, cl_uint order,
                  const struct options *options)
{
    static const char *const names[NUM_KERNELS] = {"diagonal", "perimeter", "internal"};
    struct opencl cl;
    cl_kernel kernels[NUM_KERNELS];
    const size_t elements = (size_t)order * order, bytes = elements * sizeof *a;
    size_t wrong = 0;
    opencl_open(&cl, options->device_type.text, lud_cl);
    cl_mem buffer = opencl_buffer(&cl, CL_MEM_READ_WRITE, bytes, NULL);
    for (unsigned i = 0; i < NUM_KERNELS; i++) {
        kernels[i] = opencl_kernel(&cl, names[i]);
        OPENCL_ARGUMENT(kernels[i], 0, buffer);
        OPENCL_ARGUMENT(kernels[i], 1, order);
    }
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        opencl_write(&cl, buffer, bytes, a);
        decompose(&cl, kernels, order);
        opencl_report(&cl, i, options->repeat.number);
        wrong = check_floats(&cl, buffer, "lu", order, expected, elements,
                             options->own[TOLERANCE].real);
    }
    for (unsigned i = 0; i < NUM_KERNELS; i++)
        CL(clReleaseKernel(kernels[i]));
    opencl_release(&buffer, 1);
    opencl_close(&cl);
    return wrong;
}

int main(int argc, char **argv)
{
    struct options options;
    parse_command_line(&options, argc, argv, "Decomposes a matrix into L U on an OpenCL device.",
                       table, NUM_OPTIONS);
    struct random random = {(uint64_t)options.seed.number};
    const uint32_t order = (uint32_t)options.own[ORDER].number;
    const uint32_t padded = (order + TILE - 1) / TILE * TILE;
    const size_t elements = (size_t)padded * padded;
    float *a = allocate(elements, sizeof *a), *expected = allocate(elements, sizeof *expected);
    printf("lud: %u x %u, padded to %u x %u, seed %lld\n", order, order, padded, padded,
           (long long)options.seed.number);
    make_matrix(a, order, padded, &random);
    memcpy(expected, a, elements * sizeof *a);
    reference(expected, padded);
    size_t wrong = run(a, expected, padded, &options);
    if (wrong == 0)
        printf("verified: %zu elements equal the host's%s\n", elements,
               options.own[TOLERANCE].real > 0 ? " within the tolerance" : " bit by bit");
    free(a);
    free(expected);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}

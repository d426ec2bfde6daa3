/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/spmv_vector/spmv_vector.c: sparse matrix times vector, one warp per row: SPMV-Vector
 * of DAWS (section 2), the rewritten form that it compares spmv with. */
#include "tb/workloads/common/sparse.h"

extern const char spmv_vector_cl[];

#define LANES 32 /* of a warp, as in spmv_vector.cl */

/* Lane l adds a row's products l, l + LANES, and so on; then the lower half of the sums takes the
 * upper half, until one is left. */
static void multiply(const struct csr *a, const float *x, float *y)
{
    for (uint32_t row = 0; row < a->rows; row++) {
        float sum[LANES] = {0};
        for (uint32_t i = a->start[row]; i < a->start[row + 1]; i++)
            sum[(i - a->start[row]) % LANES] += a->value[i] * x[a->column[i]];
        for (uint32_t width = LANES / 2; width > 0; width /= 2)
            for (uint32_t lane = 0; lane < width; lane++)
                sum[lane] += sum[lane + width];
        y[row] = sum[0];
    }
}

static const struct sparse_workload workload = {
    .name = "spmv_vector",
    .meaning = "Multiplies a sparse matrix with a vector on an OpenCL device, one warp per row.",
    .source = spmv_vector_cl,
    .rows = {350, 8192, 32768},
    .nonzeros = 82,
    .lanes = LANES,
    .block = 128,
    .multiply = multiply,
};

int main(int argc, char **argv)
{
    return sparse_main(&workload, argc, argv);
}

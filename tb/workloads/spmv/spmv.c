/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/spmv/spmv.c: sparse matrix times vector, one work-item a row: SPMV-Scalar of DAWS,
 * with its matrix of 8192 rows and 82 non-zeros in each on average. */
#include "tb/workloads/common/reference.h"
#include "tb/workloads/common/sparse.h"

extern const char spmv_cl[];

static const struct sparse_workload workload = {
    .name = "spmv",
    .meaning = "Multiplies a sparse matrix with a vector on an OpenCL device, one work-item a row.",
    .source = spmv_cl,
    .rows = {1024, 8192, 32768},
    .nonzeros = 82,
    .lanes = 1,
    .group = 128,
    .multiply = reference_multiply,
};

int main(int argc, char **argv)
{
    return sparse_main(&workload, argc, argv);
}

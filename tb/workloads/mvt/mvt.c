/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/mvt/mvt.c: a random matrix and its transpose, times a vector each. */
#include "tb/workloads/common/dense.h"
#include "tb/workloads/common/reference.h"

extern const char mvt_cl[];

enum { A, Y1, Y2, X1, X2 };

static void expect(const struct dense_workload *w, uint32_t rows, uint32_t columns,
                   float *const *operands)
{
    (void)w;
    reference_add_product(rows, columns, operands[A], operands[Y1], operands[X1]);
    reference_add_transposed(rows, columns, operands[A], operands[Y2], operands[X2]);
}

static const struct dense_workload workload = {
    .name = "mvt",
    .meaning = "Computes x1 = x1 + A y1 and x2 = x2 + A^T y2 on an OpenCL device.",
    .source = mvt_cl,
    .table = {DENSE_SIZE_OPTIONS(8192, 600, 4096, 8192, 75, 4096, 8192), DENSE_VECTOR_OPTIONS},
    .operands = {[A] = {"a", DENSE_MATRIX, DENSE_INPUT},
                 [Y1] = {"y1", DENSE_COLUMNS, DENSE_INPUT},
                 [Y2] = {"y2", DENSE_ROWS, DENSE_INPUT},
                 [X1] = {"x1", DENSE_ROWS, DENSE_UPDATE},
                 [X2] = {"x2", DENSE_COLUMNS, DENSE_UPDATE}},
    .kernels = {{"mvt_rows", DENSE_ROWS}, {"mvt_columns", DENSE_COLUMNS}},
    .expect = expect,
};

int main(int argc, char **argv)
{
    return dense_main(&workload, argc, argv);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/atax/atax.c: a random matrix's transpose times the matrix times a vector. */
#include "tb/workloads/common/dense.h"
#include "tb/workloads/common/reference.h"

extern const char atax_cl[];

enum { A, X, T, Y };

static void expect(const struct dense_workload *w, uint32_t rows, uint32_t columns,
                   float *const *operands)
{
    (void)w;
    reference_add_product(rows, columns, operands[A], operands[X], operands[T]);
    reference_add_transposed(rows, columns, operands[A], operands[T], operands[Y]);
}

static const struct dense_workload workload = {
    .name = "atax",
    .meaning = "Computes y = A^T (A x) on an OpenCL device.",
    .source = atax_cl,
    .table = {DENSE_SIZE_OPTIONS(8192, 600, 4096, 8192, 75, 4096, 8192), DENSE_VECTOR_OPTIONS},
    .operands = {[A] = {"a", DENSE_MATRIX, DENSE_INPUT},
                 [X] = {"x", DENSE_COLUMNS, DENSE_INPUT},
                 [T] = {"t", DENSE_ROWS, DENSE_OUTPUT},
                 [Y] = {"y", DENSE_COLUMNS, DENSE_OUTPUT}},
    .kernels = {{"atax_rows", DENSE_ROWS}, {"atax_columns", DENSE_COLUMNS}},
    .expect = expect,
};

int main(int argc, char **argv)
{
    return dense_main(&workload, argc, argv);
}

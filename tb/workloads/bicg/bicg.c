/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/bicg/bicg.c: the kernel of the BiCGStab solver: a random matrix's transpose and the
 * matrix itself, times a vector each. */
#include "tb/workloads/common/dense.h"
#include "tb/workloads/common/reference.h"

extern const char bicg_cl[];

enum { A, R, P, S, Q };

static void expect(const struct dense_workload *w, uint32_t rows, uint32_t columns,
                   float *const *operands)
{
    (void)w;
    reference_add_transposed(rows, columns, operands[A], operands[R], operands[S]);
    reference_add_product(rows, columns, operands[A], operands[P], operands[Q]);
}

static const struct dense_workload workload = {
    .name = "bicg",
    .meaning = "Computes s = A^T r and q = A p on an OpenCL device.",
    .source = bicg_cl,
    .table = {DENSE_SIZE_OPTIONS(8192, 600, 4096, 8192, 75, 4096, 8192), DENSE_VECTOR_OPTIONS},
    .operands = {[A] = {"a", DENSE_MATRIX, DENSE_INPUT},
                 [R] = {"r", DENSE_ROWS, DENSE_INPUT},
                 [P] = {"p", DENSE_COLUMNS, DENSE_INPUT},
                 [S] = {"s", DENSE_COLUMNS, DENSE_OUTPUT},
                 [Q] = {"q", DENSE_ROWS, DENSE_OUTPUT}},
    .kernels = {{"bicg_columns", DENSE_COLUMNS}, {"bicg_rows", DENSE_ROWS}},
    .expect = expect,
};

int main(int argc, char **argv)
{
    return dense_main(&workload, argc, argv);
}

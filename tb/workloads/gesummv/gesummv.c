/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/gesummv/gesummv.c: sum of two random matrices' products with a vector. */
#include "tb/workloads/common/dense.h"
#include "tb/workloads/common/reference.h"

extern const char gesummv_cl[];

enum { A, B, X, T, Y };
enum { ALPHA, BETA };

static void expect(const struct dense_workload *w, uint32_t rows, uint32_t columns,
                   float *const *operands)
{
    reference_add_product(rows, columns, operands[A], operands[X], operands[T]);
    reference_add_product(rows, columns, operands[B], operands[X], operands[Y]);
    for (size_t i = 0; i < rows; i++)
        operands[Y][i] = w->scalars[ALPHA] * operands[T][i] + w->scalars[BETA] * operands[Y][i];
}

static const struct dense_workload workload = {
    .name = "gesummv",
    .meaning = "Computes y = alpha A x + beta B x on an OpenCL device.",
    .source = gesummv_cl,
    .table = {DENSE_SIZE_OPTIONS(8192, 600, 4096, 4096, 75, 512, 4096), DENSE_VECTOR_OPTIONS},
    .operands = {[A] = {"a", DENSE_MATRIX, DENSE_INPUT},
                 [B] = {"b", DENSE_MATRIX, DENSE_INPUT},
                 [X] = {"x", DENSE_COLUMNS, DENSE_INPUT},
                 [T] = {"t", DENSE_ROWS, DENSE_OUTPUT},
                 [Y] = {"y", DENSE_ROWS, DENSE_OUTPUT}},
    .kernels = {{"gesummv", DENSE_ROWS}},
    .scalars = {[ALPHA] = 1.2f, [BETA] = 0.7f},
    .num_scalars = 2,
    .expect = expect,
};

int main(int argc, char **argv)
{
    return dense_main(&workload, argc, argv);
}

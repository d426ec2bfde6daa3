/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/mm/mm.c: product of two random matrices, element by element. */
#include "tb/workloads/common/dense.h"

extern const char mm_cl[];

enum { A, B, C };

static void expect(const struct dense_workload *w, uint32_t rows, uint32_t columns,
                   float *const *operands)
{
    (void)w;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < rows; j++) {
            const float *row = operands[A] + i * columns, *column = operands[B] + j * columns;
            for (size_t k = 0; k < columns; k++)
                operands[C][i * rows + j] += row[k] * column[k];
        }
}

static const struct dense_workload workload = {
    .name = "mm",
    .meaning = "Computes C = A B, B stored by columns, on an OpenCL device.",
    .source = mm_cl,
    .table = {DENSE_SIZE_OPTIONS(2048, 50, 256, 512, 30, 256, 512), DENSE_MATRIX_OPTIONS},
    .operands = {[A] = {"a", DENSE_MATRIX, DENSE_INPUT},
                 [B] = {"b", DENSE_MATRIX, DENSE_INPUT},
                 [C] = {"c", DENSE_SQUARE, DENSE_OUTPUT}},
    .kernels = {{"mm", DENSE_SQUARE}},
    .expect = expect,
};

int main(int argc, char **argv)
{
    return dense_main(&workload, argc, argv);
}

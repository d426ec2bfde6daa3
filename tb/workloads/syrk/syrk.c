/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/syrk/syrk.c: symmetric rank-k update of a random matrix, of which all of C is
 * computed, as the plain kernel does, not one triangle. */
#include "tb/workloads/common/dense.h"

extern const char syrk_cl[];

enum { A, C };
enum { ALPHA, BETA };

static void expect(const struct dense_workload *w, uint32_t rows, uint32_t columns,
                   float *const *operands)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < rows; j++) {
            const float *row = operands[A] + i * columns, *other = operands[A] + j * columns;
            float *sum = &operands[C][i * rows + j];
            *sum *= w->scalars[BETA];
            for (size_t k = 0; k < columns; k++)
                *sum += w->scalars[ALPHA] * row[k] * other[k];
        }
}

static const struct dense_workload workload = {
    .name = "syrk",
    .meaning = "Computes C = alpha A A^T + beta C on an OpenCL device.",
    .source = syrk_cl,
    .table = {DENSE_SIZE_OPTIONS(2048, 50, 256, 512, 30, 256, 512), DENSE_MATRIX_OPTIONS},
    .operands = {[A] = {"a", DENSE_MATRIX, DENSE_INPUT}, [C] = {"c", DENSE_SQUARE, DENSE_UPDATE}},
    .kernels = {{"syrk", DENSE_SQUARE}},
    .scalars = {[ALPHA] = 1.2f, [BETA] = 0.7f},
    .num_scalars = 2,
    .expect = expect,
};

int main(int argc, char **argv)
{
    return dense_main(&workload, argc, argv);
}

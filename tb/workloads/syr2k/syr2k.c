/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/syr2k/syr2k.c: symmetric rank-2k update of two random matrices, of which all of C is
 * computed, as the plain kernel does, not one triangle. */
#include "tb/workloads/common/dense.h"

extern const char syr2k_cl[];

enum { A, B, C };
enum { ALPHA, BETA };

static void expect(const struct dense_workload *w, uint32_t rows, uint32_t columns,
                   float *const *operands)
{
    const float alpha = w->scalars[ALPHA];
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < rows; j++) {
            const float *a_i = operands[A] + i * columns, *a_j = operands[A] + j * columns;
            const float *b_i = operands[B] + i * columns, *b_j = operands[B] + j * columns;
            float *sum = &operands[C][i * rows + j];
            *sum *= w->scalars[BETA];
            for (size_t k = 0; k < columns; k++)
                *sum += alpha * a_i[k] * b_j[k] + alpha * b_i[k] * a_j[k];
        }
}

static const struct dense_workload workload = {
    .name = "syr2k",
    .meaning = "Computes C = alpha A B^T + alpha B A^T + beta C on an OpenCL device.",
    .source = syr2k_cl,
    .table = {DENSE_SIZE_OPTIONS(2048, 50, 256, 512, 20, 256, 512), DENSE_MATRIX_OPTIONS},
    .operands = {[A] = {"a", DENSE_MATRIX, DENSE_INPUT},
                 [B] = {"b", DENSE_MATRIX, DENSE_INPUT},
                 [C] = {"c", DENSE_SQUARE, DENSE_UPDATE}},
    .kernels = {{"syr2k", DENSE_SQUARE}},
    .scalars = {[ALPHA] = 1.2f, [BETA] = 0.7f},
    .num_scalars = 2,
    .expect = expect,
};

int main(int argc, char **argv)
{
    return dense_main(&workload, argc, argv);
}

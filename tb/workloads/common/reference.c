/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/reference.c: the host's products and breadth-first search. */
#include "tb/workloads/common/reference.h"

#include <stdlib.h>

void reference_multiply(const struct csr *a, const float *x, float *y)
{
    for (uint32_t row = 0; row < a->rows; row++) {
        float sum = 0;
        for (uint32_t i = a->start[row]; i < a->start[row + 1]; i++)
            sum += a->value[i] * x[a->column[i]];
        y[row] = sum;
    }
}

void reference_matmul(uint32_t order, const float *a, const float *b, float *c)
{
    for (size_t row = 0; row < order; row++) {
        for (size_t column = 0; column < order; column++)
            c[row * order + column] = 0;
        /* For every element of the row the sum still runs over k in order, and B is read along its
         * rows. */
        for (size_t k = 0; k < order; k++)
            for (size_t column = 0; column < order; column++)
                c[row * order + column] += a[row * order + k] * b[k * order + column];
    }
}

void reference_add_product(uint32_t rows, uint32_t columns, const float *a, const float *x,
                           float *y)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            y[i] += a[i * columns + j] * x[j];
}

void reference_add_transposed(uint32_t rows, uint32_t columns, const float *a, const float *x,
                              float *y)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            y[j] += a[i * columns + j] * x[i];
}

uint32_t reference_bfs(const struct csr *graph, uint32_t source, int32_t *level)
{
    uint32_t *queue = malloc(graph->rows * sizeof *queue);
    uint32_t head = 0, tail = 0;
    if (queue == NULL)
        return 0;
    for (uint32_t vertex = 0; vertex < graph->rows; vertex++)
        level[vertex] = UNREACHED;
    level[source] = 0;
    queue[tail++] = source;
    while (head < tail) {
        uint32_t vertex = queue[head++];
        for (uint32_t i = graph->start[vertex]; i < graph->start[vertex + 1]; i++) {
            uint32_t next = graph->column[i];
            if (level[next] == UNREACHED) {
                level[next] = level[vertex] + 1;
                queue[tail++] = next;
            }
        }
    }
    free(queue);
    return tail;
}

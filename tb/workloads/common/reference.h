/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/reference.h: what the kernels should compute, computed by the host.
 * Floating-point operations come in the kernels' order and are rounded one by one (compile with
 * -ffp-contract=off), so that results can be compared bit by bit. */
#ifndef HEDDLE_TB_WORKLOADS_COMMON_REFERENCE_H
#define HEDDLE_TB_WORKLOADS_COMMON_REFERENCE_H

#include "tb/workloads/common/csr.h"

#define UNREACHED (-1) /* level of a vertex that the search does not reach */

/* y = A x; a row's products are added from its first column to its last, to zero. */
void reference_multiply(const struct csr *a, const float *x, float *y);

/* C = A B, all of order x order, row by row; products are added in the order of A's columns, to
 * zero. */
void reference_matmul(uint32_t order, const float *a, const float *b, float *c);

/* y += A x, and y += A^T x, A of rows x columns, row by row; products are added in the order of x.
 */
void reference_add_product(uint32_t rows, uint32_t columns, const float *a, const float *x,
                           float *y);
void reference_add_transposed(uint32_t rows, uint32_t columns, const float *a, const float *x,
                              float *y);

/* Edges from `source` to every vertex, by breadth-first search with a queue. Returns how many
 * vertices are reached, the source included, or 0: no memory. */
uint32_t reference_bfs(const struct csr *graph, uint32_t source, int32_t *level);

#endif

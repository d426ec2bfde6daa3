/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/generate.h: random sparse matrices and graphs, the same for the same seed
 * everywhere. */
#ifndef HEDDLE_TB_WORKLOADS_COMMON_GENERATE_H
#define HEDDLE_TB_WORKLOADS_COMMON_GENERATE_H

#include "tb/workloads/common/csr.h"
#include "tb/workloads/common/random.h"

/* A matrix of exactly `nonzeros` non-zeros (at most rows * width), values in [-1, 1), columns
 * without repetition, those of a row within `width` (1 to columns) around its diagonal. Each non-zero
 * falls into a uniformly drawn row, so row lengths are multinomial: mean m = nonzeros / rows, standard
 * deviation about sqrt(m) (82 and 9 by default), which is what spreading non-zeros uniformly over the
 * matrix, as SHOC does, gives. Within a row the columns are a uniform choice of these. Returns 0, or
 * -1: no memory. */
int generate_matrix(struct csr *matrix, uint32_t rows, uint32_t columns, uint32_t width,
                    uint32_t nonzeros, struct random *random);

/* One edge of an R-MAT graph (Chakrabarti, Zhan, Faloutsos: R-MAT, SDM 2004) of 2^scale vertices:
 * from the whole adjacency matrix down to one element, each step chooses the upper left, upper
 * right, lower left or lower right quadrant with probability 0.57, 0.19, 0.19, 0.05. */
void generate_edge(unsigned scale, uint32_t *from, uint32_t *to, struct random *random);

/* An undirected graph of 2^scale vertices from degree * 2^scale such edges. Self loops and repeated
 * edges are dropped, so there are somewhat fewer; every edge left stands in both its vertices'
 * rows. Vertices are renumbered by a random permutation, so that the well-connected ones do not all
 * share the first warps. Values are zero. Needs degree * 2^(scale + 1) <= CSR_MOST_NONZEROS.
 * Returns 0, or -1: no memory. */
int generate_rmat(struct csr *graph, unsigned scale, uint32_t degree, struct random *random);

/* Likewise, but every edge goes from any vertex to any, all equally likely: the numbers of
 * neighbours are nearly the same (mean 2 degree, standard deviation the root of that). */
int generate_uniform(struct csr *graph, unsigned scale, uint32_t degree, struct random *random);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/sparse.h: the host program of the workloads that multiply a sparse matrix
 * with a vector: a random matrix or one from a Matrix Market file, the launch, the comparison. Host
 * and device add the same products in the same order, so the results must be equal bit by bit
 * (--tolerance is for devices whose compilers contract a product and a sum although the kernel says
 * not to). */
#ifndef HEDDLE_TB_WORKLOADS_COMMON_SPARSE_H
#define HEDDLE_TB_WORKLOADS_COMMON_SPARSE_H

#include <stddef.h>
#include <stdint.h>

#include "tb/workloads/common/csr.h"
#include "tb/workloads/common/options.h"

struct sparse_workload {
    const char *name;        /* also the kernel's: NAME(start, column, value, x, y, rows) */
    const char *meaning;     /* opens --help */
    const char *source;      /* of the kernel */
    int64_t rows[NUM_SIZES]; /* of the random matrix, by --size */
    size_t lanes;            /* work-items of a row; more than one: a warp, in lockstep */
    size_t block;            /* work-items of a work-group; 0: --block says */
    void (*multiply)(const struct csr *a, const float *x, float *y); /* what the kernel does */
};

/* The whole program: returns its exit status. */
int sparse_main(const struct sparse_workload *workload, int argc, char **argv);

#endif

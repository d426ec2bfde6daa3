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

#define MOST_CONSTANT 65536 /* bytes of a buffer of constant memory */

/* What the kernel reads of the matrix, in a buffer. */
struct sparse_array {
    const void *data;
    size_t bytes,
        most; /* most: bytes of the constant memory that it is to lie in; 0: global memory */
};
#define SPARSE_MOST_ARRAYS 8

struct sparse_workload {
    const char *name;        /* also the kernel's: NAME(arrays ..., x, y, rows) */
    const char *meaning;     /* opens --help */
    const char *source;      /* of the kernel; VECTOR: the address space of x */
    int64_t rows[NUM_SIZES]; /* of the random matrix, by --size */
    int64_t nonzeros;        /* of its average row, unless --nonzeros says otherwise */
    int64_t width; /* columns of a row's that may be any, unless --width says so; 0: all */
    size_t lanes;  /* work-items of a row; more than one: a warp, in lockstep */
    size_t block;  /* work-items of a work-group; 0: --block says */
    int64_t group; /* what it says by default */
    /* The matrix as the kernel wants it, in at most SPARSE_MOST_ARRAYS arrays, which stay: returns how
     * many. NULL: start, column and value of compressed sparse rows. */
    unsigned (*arrays)(const struct csr *a, struct sparse_array *out);
    void (*multiply)(const struct csr *a, const float *x, float *y); /* what the kernel does */
};

/* The whole program: returns its exit status. */
int sparse_main(const struct sparse_workload *workload, int argc, char **argv);

#endif

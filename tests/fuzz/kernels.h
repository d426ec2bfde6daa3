/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/kernels.h: what it takes to run kernels that come of any bytes: memory, parameters, a warp
 * of each block. */
#ifndef HEDDLE_TESTS_FUZZ_KERNELS_H
#define HEDDLE_TESTS_FUZZ_KERNELS_H

#include "tb/exec/exec.h"

#define FUZZ_THREADS 27 /* of a block: some lanes of its warp are not there */

struct fuzz_kernels {
    struct ptx_module *module;
    struct gmem *gmem;
    uint64_t buffer; /* where the parameters point */
};

/* Any bytes as PTX, placed in memory. Returns 0, or -1, and nothing is to be closed: they are no PTX, or
 * want so much memory that all time would go into clearing it. */
int fuzz_open(struct fuzz_kernels *, const uint8_t *data, size_t size);
void fuzz_close(struct fuzz_kernels *);

/* Fills variables and buffer anew. */
void fuzz_fill(const struct fuzz_kernels *);
/* Adds what they hold to a hash. */
void fuzz_hash(const struct fuzz_kernels *, uint64_t *hash);
void fuzz_hash_bytes(uint64_t *hash, const void *bytes, size_t size);

/* Zeroed, at least a byte, aligned as registers must be. */
void *fuzz_make(uint64_t bytes);
/* Parameters of 8 bytes point into the buffer, others are small numbers. */
uint8_t *fuzz_params(const struct fuzz_kernels *, const struct ptx_kernel *);

/* A block of one warp, as it starts. */
struct fuzz_warp {
    struct exec_block block;
    struct exec_warp warp;
    struct exec_fault fault;
};
void fuzz_start(struct fuzz_warp *, const struct exec_launch *, uint32_t x, uint32_t y);
void fuzz_end(struct fuzz_warp *);

#endif

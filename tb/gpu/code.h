/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/code.h: where the instructions of kernels lie, as caches see them: one kernel behind the
 * other in the order of their first launches, apart from all data. */
#ifndef HEDDLE_TB_GPU_CODE_H
#define HEDDLE_TB_GPU_CODE_H

#include <stddef.h>

#include "tb/ptx/ptx.h"

/* Zeros: no kernel has been launched. */
struct code {
    struct code_range *ranges;
    size_t count, places;
    uint64_t bytes; /* of all ranges */
};

/* The address of the kernel's first instruction; 0: no memory. Kernels of one name and length are
 * one: their programs may have been built again, or be gone. */
uint64_t code_address(struct code *, const struct ptx_kernel *);

void code_free(struct code *);

#endif

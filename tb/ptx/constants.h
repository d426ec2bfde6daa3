/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/constants.h: the constants of one kernel, each once, spread over 32 lanes. */
#ifndef HEDDLE_TB_PTX_CONSTANTS_H
#define HEDDLE_TB_PTX_CONSTANTS_H

#include "tb/ptx/parse/ast.h"
#include "tb/ptx/reloc.h"

#define CONSTANT_BUCKETS  4096
#define CONSTANT_NO_VAR   UINT32_MAX
#define CONSTANT_LANEMASK (UINT32_MAX - 1) /* bits: enum lanemask; each lane has its own value */

struct constant {
    struct constant *chain, *next; /* in the bucket; in order of offsets */
    uint64_t bits;                 /* the value, or the distance from the variable's start */
    uint32_t var;        /* index of the module variable whose address it is, or one of the above */
    uint32_t lane_bytes; /* 4 or 8 */
    uint32_t offset;
};

struct constants {
    struct constant **buckets;
    struct constant *first, **last;
    uint32_t bytes;
};

/* No constants. `buckets`: CONSTANT_BUCKETS of them, which each kernel can have in turn. */
void constants_open(struct constants *, struct constant **buckets);

/* The operand (UOP_CONST and offset) of a value of 4 or 8 bytes per lane. Fails where there are too
 * many. */
uint32_t constants_add(struct ptx_context *, struct constants *, uint64_t bits, uint32_t lane_bytes,
                       uint32_t var, uint32_t line);

/* Writes them all into the kernel; addresses become relocations. */
void constants_emit(struct ptx_context *, const struct constants *, struct ptx_kernel *,
                    struct reloc_list *);

#endif

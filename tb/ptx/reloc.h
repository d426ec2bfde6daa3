/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/reloc.h: places that hold the address of a module variable, filled in when it is known. */
#ifndef HEDDLE_TB_PTX_RELOC_H
#define HEDDLE_TB_PTX_RELOC_H

#include "tb/ptx/context.h"

#define RELOC_IN_KERNEL UINT32_MAX

struct reloc {
    struct reloc *next;
    uint8_t *where; /* the first of `copies` 64-bit words */
    uint32_t copies;
    uint32_t var;    /* whose address; index in the module's list */
    uint32_t holder; /* the variable whose initial value this is, or RELOC_IN_KERNEL */
    uint64_t addend;
    uint32_t byte; /* of the address, from 1, which alone is held; or 0: all eight */
};

/* All of the initial values, in order of their holders, or all of the kernels. */
struct reloc_list {
    struct reloc *first, **last;
};

void reloc_add(struct ptx_context *, struct reloc_list *, const struct reloc *);

/* Fills in those of `holder`, with which a list goes on at `from`; the variables they name have
 * their addresses. Returns where it goes on behind them. */
const struct reloc *reloc_apply(const struct reloc *from, uint32_t holder,
                                const struct ptx_var *vars);

#endif

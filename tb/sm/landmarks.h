/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/landmarks.h: what units know of an instruction from the program: the number of a load, and
 * the loops that begin and end there, are around it, and come next. Made once per kernel, when a unit listens to `issue`. */
#ifndef HEDDLE_TB_SM_LANDMARKS_H
#define HEDDLE_TB_SM_LANDMARKS_H

#include <stdint.h>

#include "tb/ptx/ptx.h"

/* Numbers from 1, in program order; 0: none. Of two loops with the same first or last instruction
 * it is the inner one. */
struct landmark {
    uint32_t load;       /* loads and atomics that go to L1D or beyond */
    uint32_t loop_begin; /* first instruction of this loop */
    uint32_t loop_end;   /* its last: the branch back */
    uint32_t loop_last;  /* with loop_begin: the last loop inside it, or itself */
    uint32_t loop;       /* the innermost loop that it is in */
    uint32_t next_loop;  /* the first loop that begins here or behind it */
};

/* Does it go to the load/store unit? */
static inline int is_memory(const struct uop *uop)
{
    return uop->klass == CLASS_GMEM || uop->klass == CLASS_STCMEM;
}

/* Is it a load or atomic of global, local or generic memory? */
static inline int is_global_load(const struct uop *uop)
{
    return uop->klass == CLASS_GMEM && (uop->op == U_LD || uop->op == U_ATOM);
}

/* One per instruction of the kernel, to be freed; NULL: no memory. */
struct landmark *landmarks_of(const struct ptx_kernel *);

#endif

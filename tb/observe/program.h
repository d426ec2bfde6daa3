/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/program.h: what events say of an instruction from the program, worked out from the
 * kernel's instructions and loops, each by itself (tb/sm/landmarks.h says it to the machine). */
#ifndef HEDDLE_TB_OBSERVE_PROGRAM_H
#define HEDDLE_TB_OBSERVE_PROGRAM_H

#include "tb/ptx/ptx.h"

/* Of one instruction; loads and loops have numbers from 1, 0: none. */
struct place {
    uint32_t load, begins, ends, last, around, behind;
};

/* One per instruction, and one past the last, to be freed; NULL: no memory. */
struct place *places_of(const struct ptx_kernel *);

#endif

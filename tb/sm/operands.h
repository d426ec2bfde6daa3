/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/operands.h: what units see of the registers that a kernel's instructions name. Made once per kernel, when a unit looks at
 * them. */
#ifndef HEDDLE_TB_SM_OPERANDS_H
#define HEDDLE_TB_SM_OPERANDS_H

#include "tb/ptx/ptx.h"
#include "tb/units/view.h"

/* One per instruction of the kernel, to be freed; NULL: no memory. */
struct operand_view *operands_of(const struct ptx_kernel *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/live.h: where registers are live, and what that asks of the places where they lie, found again by
 * other means than tb/ptx finds them. */
#ifndef HEDDLE_TESTS_TB_EXEC_LIVE_H
#define HEDDLE_TESTS_TB_EXEC_LIVE_H

#include <stdint.h>

#include "tb/ptx/ptx.h"

/* The sets of registers that are live before each instruction, a byte each: free() it. */
uint8_t *live_sets(const struct ptx_kernel *);

/* 32-bit registers live at once, and those that an instruction writes for nobody. */
uint32_t live_pressure(const struct ptx_kernel *);

/* Why registers cannot lie where they do, or NULL: two that an instruction finds live or names lie in the same place, or one that must
 * have its own does not, or the block does not hold one. */
const char *live_places_wrong(const struct ptx_kernel *);

/* Why the instructions of a kernel as it is run are not those of the kernel as it was written, in which each register has its own
 * place; or NULL. None was added. */
const char *live_operands_wrong(const struct ptx_kernel *run, const struct ptx_kernel *written);

#endif

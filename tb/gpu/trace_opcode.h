/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/trace_opcode.h: PTX operations as opcodes of a trace. */
#ifndef HEDDLE_TB_GPU_TRACE_OPCODE_H
#define HEDDLE_TB_GPU_TRACE_OPCODE_H

#include "tb/ptx/ptx.h"

#define TRACE_BINARY_VERSION 35 /* whose opcodes they are: Kepler */

/* The opcode of an instruction of the kernel, without the bits of an access. `space`: of one that goes to the
 * load/store unit; else SPACE_NONE. NULL: the list has none. */
const char *trace_opcode(const struct ptx_kernel *, const struct uop *, enum ptx_space);

#endif

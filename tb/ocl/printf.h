/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/printf.h: what kernels print. To be called with the API's mutex held. */
#ifndef HEDDLE_TB_OCL_PRINTF_H
#define HEDDLE_TB_OCL_PRINTF_H

#include "tb/ocl/object.h"

#define PRINTF_BYTES ((size_t)1 << 20) /* room for what one launch prints */

/* Does the program have a buffer for what its kernels print? */
int printf_used(const struct _cl_program *);

/* Prints to standard output what a launch of one of the program's kernels has left, work-item by
 * work-item in the order of their global ids, and forgets it. */
void printf_flush(const struct _cl_program *);

#endif

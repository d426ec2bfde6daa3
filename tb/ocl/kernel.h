/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/kernel.h: what a launch needs of a kernel object. */
#ifndef HEDDLE_TB_OCL_KERNEL_H
#define HEDDLE_TB_OCL_KERNEL_H

#include "tb/ocl/object.h"

/* Whether argument `index` is dynamic local memory. */
int kernel_arg_is_local(const struct _cl_kernel *, cl_uint index);

/* Largest work group that the kernel's registers, local memory and own limit allow; 0: not even one
 * thread. */
size_t kernel_max_group(const struct _cl_kernel *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/memory.h: what buffers and images share. */
#ifndef HEDDLE_TB_OCL_MEMORY_H
#define HEDDLE_TB_OCL_MEMORY_H

#include "tb/ocl/object.h"

/* Whether the flags of a new memory object are known and do not contradict each other. */
int mem_object_flags_valid(cl_mem_flags);

/* Whether a pointer is given exactly where the flags want one. */
int mem_object_host_ptr_valid(cl_mem_flags, const void *host_ptr);

/* A memory object with `size` bytes, zeroed, or those at `used` (CL_MEM_USE_HOST_PTR). NULL: *error
 * says why. */
cl_mem mem_object_new(cl_context, cl_mem_flags, size_t size, void *used, cl_int *error);

/* A memory object that is a part of another. Its flags are its own, and the parent's for what they
 * leave out. */
cl_mem mem_object_part(cl_mem parent, cl_mem_flags, size_t origin, size_t size, cl_int *error);

#endif

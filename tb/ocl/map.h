/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/map.h: mapped regions. */
#ifndef HEDDLE_TB_OCL_MAP_H
#define HEDDLE_TB_OCL_MAP_H

#include "tb/ocl/transfer.h"

/* Enqueues the mapping of so many bytes that begin at `pointer` in the memory object, whose region has been
 * checked. Returns `pointer`, or NULL with the error. */
void *map_submit(const struct target *, cl_mem, cl_map_flags, void *pointer, size_t bytes,
                 cl_int *error_ret);

#endif

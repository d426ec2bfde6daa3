/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/device.h: the one device and its limits. To be called with the API's mutex held. */
#ifndef HEDDLE_TB_OCL_DEVICE_H
#define HEDDLE_TB_OCL_DEVICE_H

#include "tb/ocl/calls.h"

#define DEVICE_MAX_GROUP        1024 /* threads of a block: what PTX allows */
#define DEVICE_ALIGN            128  /* bytes: the largest OpenCL C type, long16 */
#define DEVICE_GLOBAL_BYTES     ((cl_ulong)4 << 30)
#define DEVICE_MAX_ALLOC        ((cl_ulong)1 << 30)
#define DEVICE_QUEUE_PROPERTIES (CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE)

/* Whether a device of this type is here: CL_SUCCESS, CL_DEVICE_NOT_FOUND or CL_INVALID_DEVICE_TYPE.
 */
cl_int device_match(cl_device_type);

/* Opens the machine and makes the device's handle valid. */
void device_open(void);

/* Largest work group. */
size_t device_max_group(void);

#endif

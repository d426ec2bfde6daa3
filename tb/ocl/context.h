/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/context.h: what other objects need of a context. */
#ifndef HEDDLE_TB_OCL_CONTEXT_H
#define HEDDLE_TB_OCL_CONTEXT_H

#include "tb/ocl/object.h"

/* Tells the program's error callback, if the context has one. */
void context_report(cl_context, const char *message);

/* Checks an optional device list, as program calls take it: none at all, or devices of the context.
 */
cl_int context_check_devices(cl_uint num_devices, const cl_device_id *devices);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/calls.h: declarations of the OpenCL calls, with the types that the loader's dispatch table
 * demands. The implementations are ocl_Name, not clName, so that a program may hold the loader and
 * the driver at once. */
#ifndef HEDDLE_TB_OCL_CALLS_H
#define HEDDLE_TB_OCL_CALLS_H

#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300 /* the dispatch table goes that far */
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl_icd.h>

/* Not by the names of the types, which later headers have changed. */
#define CALL(name) __typeof__(*((const cl_icd_dispatch *)0)->cl##name) ocl_##name;
#include "tb/ocl/calls.def"
#undef CALL

extern const cl_icd_dispatch ocl_dispatch;

#endif

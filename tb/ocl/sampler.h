/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/sampler.h: samplers as kernels know them. */
#ifndef HEDDLE_TB_OCL_SAMPLER_H
#define HEDDLE_TB_OCL_SAMPLER_H

#include "tb/ocl/object.h"

#define MAX_SAMPLERS 16 /* of a kernel */

uint64_t sampler_bits(const struct _cl_sampler *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/sampler.c: samplers. For kernels a sampler is a number, the same that the CLK_ constants
 * of OpenCL C make. */
#include "tb/ocl/sampler.h"

#include "tb/ocl/info.h"

static void sampler_destroy(struct object *object)
{
    object_drop(((cl_sampler)object)->context);
}

cl_sampler ocl_CreateSampler(cl_context context, cl_bool normalized, cl_addressing_mode addressing,
                             cl_filter_mode filter, cl_int *error_ret)
{
    API_ENTER;
    if (!IS_CONTEXT(context))
        return fail(error_ret, CL_INVALID_CONTEXT);
    const int repeats = addressing == CL_ADDRESS_REPEAT || addressing == CL_ADDRESS_MIRRORED_REPEAT;
    if (addressing < CL_ADDRESS_NONE || addressing > CL_ADDRESS_MIRRORED_REPEAT ||
        (filter != CL_FILTER_NEAREST && filter != CL_FILTER_LINEAR) ||
        (normalized != CL_TRUE && normalized != CL_FALSE) || (repeats && !normalized))
        return fail(error_ret, CL_INVALID_VALUE);
    cl_sampler sampler = object_new(OBJECT_SAMPLER, sizeof *sampler, sampler_destroy);
    if (!sampler)
        return fail(error_ret, CL_OUT_OF_HOST_MEMORY);
    object_hold(sampler->context = context);
    sampler->normalized = normalized;
    sampler->addressing = addressing;
    sampler->filter = filter;
    return made(error_ret, sampler);
}

uint64_t sampler_bits(const struct _cl_sampler *sampler)
{
    enum { NORMALIZED = 1, ADDRESS = 2, NEAREST = 16, LINEAR = 32 }; /* CLK_ constants */
    return (sampler->normalized ? NORMALIZED : 0) |
           (sampler->addressing - CL_ADDRESS_NONE) * ADDRESS |
           (sampler->filter == CL_FILTER_LINEAR ? LINEAR : NEAREST);
}

cl_int ocl_GetSamplerInfo(cl_sampler sampler, cl_sampler_info name, size_t size, void *value,
                          size_t *size_ret)
{
    API_ENTER;
    const struct info out = {size, value, size_ret};
    if (!IS_SAMPLER(sampler))
        return CL_INVALID_SAMPLER;
    switch (name) {
    case CL_SAMPLER_REFERENCE_COUNT: return INFO(out, cl_uint, sampler->base.references);
    case CL_SAMPLER_CONTEXT: return INFO(out, cl_context, sampler->context);
    case CL_SAMPLER_NORMALIZED_COORDS: return INFO(out, cl_bool, sampler->normalized);
    case CL_SAMPLER_ADDRESSING_MODE: return INFO(out, cl_addressing_mode, sampler->addressing);
    case CL_SAMPLER_FILTER_MODE: return INFO(out, cl_filter_mode, sampler->filter);
    default: return CL_INVALID_VALUE;
    }
}

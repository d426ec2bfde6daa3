/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/icd.c: the face towards the system's OpenCL loader: the cl_khr_icd extension and the
 * dispatch table. Calls that exist only on other systems (Direct3D) stay NULL in the table; the
 * loader cannot forward them here. */
#include <string.h>

#include "tb/ocl/info.h"
#include "tb/ocl/object.h"

const cl_icd_dispatch ocl_dispatch = {
#define CALL(name) .cl##name = ocl_##name,
#include "tb/ocl/calls.def"
#undef CALL
};

struct _cl_platform_id the_platform;

cl_int ocl_GetPlatformIDs(cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms)
{
    API_ENTER;
    if ((!platforms && !num_platforms) || (platforms && num_entries == 0))
        return CL_INVALID_VALUE;
    object_register(&the_platform.base, OBJECT_PLATFORM);
    if (platforms)
        platforms[0] = &the_platform;
    if (num_platforms)
        *num_platforms = 1;
    return CL_SUCCESS;
}

void *ocl_GetExtensionFunctionAddress(const char *name)
{
    static const struct {
        const char *name;
        void *function;
    } extensions[] = {
        {"clIcdGetPlatformIDsKHR", (void *)ocl_GetPlatformIDs},
        {"clGetPlatformInfo", (void *)ocl_GetPlatformInfo},
    };
    for (size_t i = 0; name && i < sizeof extensions / sizeof extensions[0]; i++)
        if (strcmp(name, extensions[i].name) == 0)
            return extensions[i].function;
    return NULL;
}

void *ocl_GetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name)
{
    return platform == &the_platform ? ocl_GetExtensionFunctionAddress(name) : NULL;
}

cl_int ocl_GetPlatformInfo(cl_platform_id platform, cl_platform_info name, size_t size, void *value,
                           size_t *size_ret)
{
    API_ENTER;
    const struct info out = {size, value, size_ret};
    if (platform != &the_platform)
        return CL_INVALID_PLATFORM;
    switch (name) {
    case CL_PLATFORM_PROFILE: return info_text(out, "FULL_PROFILE");
    case CL_PLATFORM_VERSION: return info_text(out, "OpenCL 1.2 Heddle");
    case CL_PLATFORM_NAME:
    case CL_PLATFORM_VENDOR: return info_text(out, "Heddle");
    case CL_PLATFORM_EXTENSIONS: return info_text(out, "cl_khr_icd");
    case CL_PLATFORM_ICD_SUFFIX_KHR: return info_text(out, "HEDDLE");
    default: return CL_INVALID_VALUE;
    }
}

/* The names that the loader looks up in the library: all that heddle.map exports. */

void *clGetExtensionFunctionAddress(const char *name)
{
    return ocl_GetExtensionFunctionAddress(name);
}

cl_int clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms,
                              cl_uint *num_platforms)
{
    return ocl_GetPlatformIDs(num_entries, platforms, num_platforms);
}

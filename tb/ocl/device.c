/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/device.c: the one device, described by the configuration. What it does not have
 * (sub-devices) is reported as absent. */
#include <stdio.h>
#include <string.h>

#include "tb/ocl/compile.h"
#include "tb/ocl/device.h"
#include "tb/ocl/image.h"
#include "tb/ocl/info.h"
#include "tb/ocl/machine.h"
#include "tb/ocl/made_by.h"
#include "tb/ocl/printf.h"
#include "tb/ocl/sampler.h"

struct _cl_device_id the_device;

#define ROUNDINGS (CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF)
#define FLOATS    (CL_FP_DENORM | CL_FP_INF_NAN | ROUNDINGS | CL_FP_FMA)

/* What holds: the device library and the machine have all of it. */
static const char extensions[] =
    "cl_khr_icd cl_khr_fp64 cl_khr_byte_addressable_store "
    "cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics "
    "cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics "
    "cl_khr_int64_base_atomics cl_khr_int64_extended_atomics cl_khr_3d_image_writes";

cl_int device_match(cl_device_type type)
{
    const cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                 CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
    if (type == CL_DEVICE_TYPE_ALL || (type & (CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_GPU)))
        return type == CL_DEVICE_TYPE_ALL || !(type & ~known) ? CL_SUCCESS : CL_INVALID_DEVICE_TYPE;
    return type == 0 || (type & ~known) ? CL_INVALID_DEVICE_TYPE : CL_DEVICE_NOT_FOUND;
}

void device_open(void)
{
    machine();
    object_register(&the_platform.base, OBJECT_PLATFORM);
    object_register(&the_device.base, OBJECT_DEVICE);
}

size_t device_max_group(void)
{
    const struct config *c = machine_config();
    const int64_t warps = c->hw_num_schedulers * c->hw_num_warps * WARP_LANES;
    const int64_t threads = c->sm_max_threads < warps ? c->sm_max_threads : warps;
    return threads < DEVICE_MAX_GROUP ? (size_t)threads : DEVICE_MAX_GROUP;
}

cl_int ocl_GetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint num_entries,
                        cl_device_id *devices, cl_uint *num_devices)
{
    API_ENTER;
    if (platform && platform != &the_platform)
        return CL_INVALID_PLATFORM;
    if ((!devices && !num_devices) || (devices && num_entries == 0))
        return CL_INVALID_VALUE;
    const cl_int error = device_match(type);
    if (error != CL_SUCCESS)
        return error;
    device_open();
    if (devices)
        devices[0] = &the_device;
    if (num_devices)
        *num_devices = 1;
    return CL_SUCCESS;
}

static cl_int device_numbers(cl_device_info name, struct info out)
{
    const struct config *c = machine_config();
    const size_t group = device_max_group();
    switch (name) {
    case CL_DEVICE_TYPE:
        return INFO(out, cl_device_type, CL_DEVICE_TYPE_GPU);    /* alone: programs compare it */
    case CL_DEVICE_VENDOR_ID: return INFO(out, cl_uint, 0x4844); /* "HD"; no PCI vendor */
    case CL_DEVICE_MAX_COMPUTE_UNITS: return INFO(out, cl_uint, (cl_uint)c->hw_num_sms);
    case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS: return INFO(out, cl_uint, 3);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: return INFO(out, size_t, group);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
        return info_bytes(out, (size_t[]){group, group, group}, 3 * sizeof(size_t));
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_INT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE: return INFO(out, cl_uint, 1);
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF: return INFO(out, cl_uint, 0);
    case CL_DEVICE_MAX_CLOCK_FREQUENCY: return INFO(out, cl_uint, (cl_uint)c->gpu_clock_mhz);
    case CL_DEVICE_ADDRESS_BITS: return INFO(out, cl_uint, 64);
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE: return INFO(out, cl_ulong, DEVICE_MAX_ALLOC);
    case CL_DEVICE_GLOBAL_MEM_SIZE: return INFO(out, cl_ulong, DEVICE_GLOBAL_BYTES);
    case CL_DEVICE_MAX_PARAMETER_SIZE: return INFO(out, size_t, 4096); /* what PTX allows */
    case CL_DEVICE_MEM_BASE_ADDR_ALIGN: return INFO(out, cl_uint, 8 * DEVICE_ALIGN);
    case CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE: return INFO(out, cl_uint, DEVICE_ALIGN);
    case CL_DEVICE_SINGLE_FP_CONFIG:
        return INFO(out, cl_device_fp_config, FLOATS | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT);
    case CL_DEVICE_DOUBLE_FP_CONFIG: return INFO(out, cl_device_fp_config, FLOATS);
    case CL_DEVICE_GLOBAL_MEM_CACHE_TYPE:
        return INFO(out, cl_device_mem_cache_type, CL_READ_ONLY_CACHE); /* L1D is write-evict */
    case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE: return INFO(out, cl_uint, (cl_uint)c->l1d_line);
    case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
        return INFO(out, cl_ulong, (cl_ulong)(c->l1d_sets * c->l1d_ways * c->l1d_line));
    case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE: return INFO(out, cl_ulong, 65536);
    case CL_DEVICE_MAX_CONSTANT_ARGS: return INFO(out, cl_uint, 8);
    case CL_DEVICE_LOCAL_MEM_TYPE: return INFO(out, cl_device_local_mem_type, CL_LOCAL);
    case CL_DEVICE_LOCAL_MEM_SIZE: return INFO(out, cl_ulong, (cl_ulong)c->sm_shared_bytes);
    case CL_DEVICE_PROFILING_TIMER_RESOLUTION:
        return INFO(out, size_t, (size_t)((1000 + c->gpu_clock_mhz - 1) / c->gpu_clock_mhz));
    case CL_DEVICE_PRINTF_BUFFER_SIZE: return INFO(out, size_t, PRINTF_BYTES);
    case CL_DEVICE_EXECUTION_CAPABILITIES:
        return INFO(out, cl_device_exec_capabilities, CL_EXEC_KERNEL);
    case CL_DEVICE_QUEUE_PROPERTIES:
        return INFO(out, cl_command_queue_properties, DEVICE_QUEUE_PROPERTIES);
    case CL_DEVICE_REFERENCE_COUNT: return INFO(out, cl_uint, 1);
    default: return CL_INVALID_VALUE;
    }
}

static cl_int device_images(cl_device_info name, struct info out)
{
    switch (name) {
    case CL_DEVICE_MAX_READ_IMAGE_ARGS: return INFO(out, cl_uint, IMAGE_MAX_READ);
    case CL_DEVICE_MAX_WRITE_IMAGE_ARGS: return INFO(out, cl_uint, IMAGE_MAX_WRITE);
    case CL_DEVICE_MAX_SAMPLERS: return INFO(out, cl_uint, MAX_SAMPLERS);
    case CL_DEVICE_IMAGE2D_MAX_WIDTH:
    case CL_DEVICE_IMAGE2D_MAX_HEIGHT: return INFO(out, size_t, IMAGE_MAX_2D);
    case CL_DEVICE_IMAGE3D_MAX_WIDTH:
    case CL_DEVICE_IMAGE3D_MAX_HEIGHT:
    case CL_DEVICE_IMAGE3D_MAX_DEPTH: return INFO(out, size_t, IMAGE_MAX_3D);
    case CL_DEVICE_IMAGE_MAX_BUFFER_SIZE: return INFO(out, size_t, IMAGE_MAX_BUFFER);
    case CL_DEVICE_IMAGE_MAX_ARRAY_SIZE: return INFO(out, size_t, IMAGE_MAX_LAYERS);
    default: return CL_INVALID_VALUE;
    }
}

static cl_int device_flags(cl_device_info name, struct info out)
{
    switch (name) {
    case CL_DEVICE_ENDIAN_LITTLE:
    case CL_DEVICE_AVAILABLE:
    case CL_DEVICE_PREFERRED_INTEROP_USER_SYNC:
    case CL_DEVICE_IMAGE_SUPPORT: return INFO(out, cl_bool, CL_TRUE);
    case CL_DEVICE_COMPILER_AVAILABLE:
    case CL_DEVICE_LINKER_AVAILABLE:
        return INFO(out, cl_bool, compiler_available() ? CL_TRUE : CL_FALSE);
    case CL_DEVICE_HOST_UNIFIED_MEMORY: /* transfers go over a link and take time, although the host's maps copy nothing */
    case CL_DEVICE_ERROR_CORRECTION_SUPPORT: return INFO(out, cl_bool, CL_FALSE);
    default: return CL_INVALID_VALUE;
    }
}

/* Of what there is nothing. */
static cl_int device_absent(cl_device_info name, struct info out)
{
    switch (name) {
    case CL_DEVICE_PARTITION_MAX_SUB_DEVICES: return INFO(out, cl_uint, 0);
    case CL_DEVICE_PARENT_DEVICE: return INFO(out, cl_device_id, NULL);
    case CL_DEVICE_PARTITION_PROPERTIES:
    case CL_DEVICE_PARTITION_TYPE: return INFO(out, cl_device_partition_property, 0);
    case CL_DEVICE_PARTITION_AFFINITY_DOMAIN: return INFO(out, cl_device_affinity_domain, 0);
    case CL_DEVICE_BUILT_IN_KERNELS: return info_text(out, "");
    default: return CL_INVALID_VALUE;
    }
}

static cl_int device_texts(cl_device_info name, struct info out)
{
    char text[sizeof "Heddle " + sizeof machine_config()->name];
    switch (name) {
    case CL_DEVICE_NAME:
        snprintf(text, sizeof text, "Heddle %s", machine_config()->name);
        return info_text(out, text);
    case CL_DEVICE_VENDOR: return info_text(out, "Heddle");
    case CL_DRIVER_VERSION: return info_text(out, made_by_version());
    case CL_DEVICE_PROFILE: return info_text(out, "FULL_PROFILE");
    case CL_DEVICE_VERSION: return info_text(out, "OpenCL 1.2 Heddle");
    case CL_DEVICE_OPENCL_C_VERSION: return info_text(out, "OpenCL C 1.2 ");
    case CL_DEVICE_EXTENSIONS: return info_text(out, extensions);
    case CL_DEVICE_PLATFORM: return INFO(out, cl_platform_id, &the_platform);
    default: return CL_INVALID_VALUE;
    }
}

/* Each table knows its own names and leaves `out` alone for the others. */
cl_int ocl_GetDeviceInfo(cl_device_id device, cl_device_info name, size_t size, void *value,
                         size_t *size_ret)
{
    static cl_int (*const tables[])(cl_device_info, struct info) = {
        device_numbers, device_images, device_flags, device_absent, device_texts};
    API_ENTER;
    if (!object_is(device, OBJECT_DEVICE))
        return CL_INVALID_DEVICE;
    const struct info out = {size, value, size_ret};
    cl_int result = CL_INVALID_VALUE;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0] && result != CL_SUCCESS; i++)
        result = tables[i](name, out);
    return result;
}

/* The device cannot be partitioned. */
cl_int ocl_CreateSubDevices(cl_device_id device, const cl_device_partition_property *properties,
                            cl_uint num_devices, cl_device_id *devices, cl_uint *num_devices_ret)
{
    API_ENTER;
    (void)properties, (void)num_devices, (void)devices, (void)num_devices_ret;
    return object_is(device, OBJECT_DEVICE) ? CL_INVALID_VALUE : CL_INVALID_DEVICE;
}

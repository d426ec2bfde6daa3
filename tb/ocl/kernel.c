/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/kernel.c: kernel objects.
 *
 * A kernel that the machine cannot run is left out of clCreateKernelsInProgram; clCreateKernel says
 * why and returns CL_INVALID_KERNEL_DEFINITION. */
#include "tb/ocl/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/exec/exec.h"
#include "tb/gpu/occupancy.h"
#include "tb/ocl/arguments.h"
#include "tb/ocl/attributes.h"
#include "tb/ocl/context.h"
#include "tb/ocl/device.h"
#include "tb/ocl/info.h"
#include "tb/ocl/machine.h"

static void kernel_destroy(struct object *object)
{
    cl_kernel kernel = (cl_kernel)object;
    free(kernel->args);
    free(kernel->params);
    arguments_free(kernel->declared, kernel->num_args);
    kernel->program->num_kernels--;
    object_drop(kernel->program);
}

static cl_uint count_args(const struct ptx_kernel *code)
{
    int has_local = 0;
    for (uint32_t i = 0; i < code->num_params; i++)
        has_local |= code->params[i].kind == PARAM_SHARED_PTR;
    return code->num_params + (code->uses_dynamic_shared && !has_local);
}

static cl_kernel kernel_new(cl_program program, const struct ptx_kernel *code)
{
    cl_kernel kernel = object_new(OBJECT_KERNEL, sizeof *kernel, kernel_destroy);
    if (!kernel)
        return NULL;
    object_hold(kernel->program = program);
    program->num_kernels++;
    kernel->code = code;
    kernel->num_args = count_args(code);
    kernel->args = calloc(kernel->num_args + 1, sizeof *kernel->args);
    kernel->params = calloc(1, code->param_bytes + 1);
    kernel->declared = arguments_of(program->ptx, code->name, kernel->num_args);
    if (kernel->args && kernel->params)
        return kernel;
    object_abandon(kernel);
    return NULL;
}

cl_kernel ocl_CreateKernel(cl_program program, const char *name, cl_int *error_ret)
{
    API_ENTER;
    if (!IS_PROGRAM(program))
        return fail(error_ret, CL_INVALID_PROGRAM);
    if (!program->module)
        return fail(error_ret, CL_INVALID_PROGRAM_EXECUTABLE);
    if (!name)
        return fail(error_ret, CL_INVALID_VALUE);
    struct ptx_kernel *code = ptx_kernel(program->module, name);
    if (!code)
        return fail(error_ret, CL_INVALID_KERNEL_NAME);
    if (exec_read(program->module, code) < 0)
        return fail(error_ret, CL_OUT_OF_HOST_MEMORY);
    if (code->refused) {
        fprintf(stderr, "heddle: kernel '%s': %s\n", code->name, code->refused);
        context_report(program->context, code->refused);
        return fail(error_ret, CL_INVALID_KERNEL_DEFINITION);
    }
    cl_kernel kernel = kernel_new(program, code);
    return kernel ? made(error_ret, kernel) : fail(error_ret, CL_OUT_OF_HOST_MEMORY);
}

cl_int ocl_CreateKernelsInProgram(cl_program program, cl_uint num_kernels, cl_kernel *kernels,
                                  cl_uint *count_ret)
{
    API_ENTER;
    if (!IS_PROGRAM(program))
        return CL_INVALID_PROGRAM;
    if (!program->module)
        return CL_INVALID_PROGRAM_EXECUTABLE;
    struct ptx_module *module = program->module;
    cl_uint ready = 0, count = 0;
    for (cl_uint i = 0; i < module->num_kernels; i++)
        ready += !module->kernels[i].refused;
    if (kernels && num_kernels < ready)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; kernels && i < module->num_kernels; i++) {
        if (module->kernels[i].refused)
            continue;
        kernels[count] = exec_read(module, &module->kernels[i]) < 0
                             ? NULL
                             : kernel_new(program, &module->kernels[i]);
        if (!kernels[count++]) {
            while (--count)
                object_abandon(kernels[count - 1]);
            return CL_OUT_OF_HOST_MEMORY;
        }
    }
    if (count_ret)
        *count_ret = ready;
    return CL_SUCCESS;
}

int kernel_arg_is_local(const struct _cl_kernel *kernel, cl_uint index)
{
    return index >= kernel->code->num_params ||
           kernel->code->params[index].kind == PARAM_SHARED_PTR;
}

/* Whether a block of `size` threads, or of the size that the kernel requires, fits an SM. */
static int fits(const struct ptx_kernel *code, size_t size, struct occupancy *occupancy)
{
    struct gpu_launch launch = {
        .kernel = code, .grid = {1, 1, 1}, .block = {(uint32_t)size, 1, 1}, .work_dim = 1};
    char message[GPU_MESSAGE_SIZE];
    if (code->reqntid[0])
        memcpy(launch.block, code->reqntid, sizeof launch.block);
    return occupancy_of(machine_config(), &launch, occupancy, message, sizeof message) == 0;
}

/* As a driver says it, which has compiled the kernel before it knows a launch: with all registers
 * that a thread can have, unless the kernel names its group. (A launch may ask for more: its threads
 * have fewer registers then.) */
size_t kernel_max_group(const struct _cl_kernel *kernel)
{
    const struct ptx_kernel *code = kernel->code;
    const uint32_t *required = code->reqntid, *most = code->maxntid;
    const uint64_t own = (uint64_t)most[0] * (most[1] ? most[1] : 1) * (most[2] ? most[2] : 1);
    size_t size = device_max_group();
    struct occupancy warp, block;
    if (required[0])
        return fits(code, 0, &block) ? (size_t)required[0] * required[1] * required[2] : 0;
    if (!fits(code, 1, &warp))
        return 0;
    if (own && own < size)
        size = own;
    else if (!own && warp.limit[RESOURCE_registers] < size / WARP_LANES)
        size = (size_t)warp.limit[RESOURCE_registers] * WARP_LANES;
    while (size > WARP_LANES && !fits(code, size, &block))
        size = (size - 1) / WARP_LANES * WARP_LANES;
    return size;
}

static cl_int kernel_attributes(const struct _cl_kernel *kernel, struct info out)
{
    const uint32_t *size = kernel->code->reqntid;
    const struct piece hints = attributes_of(kernel->program->ptx, kernel->code->name);
    char required[64] = "", *text;
    if (size[0])
        snprintf(required, sizeof required, "reqd_work_group_size(%u,%u,%u)", size[0], size[1],
                 size[2]);
    if (asprintf(&text, "%.*s%s%s", (int)hints.length, hints.length ? hints.text : "",
                 hints.length && size[0] ? " " : "", required) < 0)
        return CL_OUT_OF_HOST_MEMORY;
    const cl_int result = info_text(out, text);
    free(text);
    return result;
}

cl_int ocl_GetKernelInfo(cl_kernel kernel, cl_kernel_info name, size_t size, void *value,
                         size_t *size_ret)
{
    API_ENTER;
    const struct info out = {size, value, size_ret};
    if (!IS_KERNEL(kernel))
        return CL_INVALID_KERNEL;
    switch (name) {
    case CL_KERNEL_FUNCTION_NAME: return info_text(out, kernel->code->name);
    case CL_KERNEL_NUM_ARGS: return INFO(out, cl_uint, kernel->num_args);
    case CL_KERNEL_REFERENCE_COUNT: return INFO(out, cl_uint, kernel->base.references);
    case CL_KERNEL_CONTEXT: return INFO(out, cl_context, kernel->program->context);
    case CL_KERNEL_PROGRAM: return INFO(out, cl_program, kernel->program);
    case CL_KERNEL_ATTRIBUTES: return kernel_attributes(kernel, out);
    default: return CL_INVALID_VALUE;
    }
}

/* Static local memory, and what has been set so far. */
static cl_ulong local_bytes(const struct _cl_kernel *kernel)
{
    cl_ulong bytes = kernel->code->shared_bytes;
    for (cl_uint i = 0; i < kernel->num_args; i++)
        bytes += kernel->args[i].local_bytes;
    return bytes;
}

cl_int ocl_GetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                  cl_kernel_work_group_info name, size_t size, void *value,
                                  size_t *size_ret)
{
    API_ENTER;
    const struct info out = {size, value, size_ret};
    if (!IS_KERNEL(kernel))
        return CL_INVALID_KERNEL;
    if (device && !object_is(device, OBJECT_DEVICE))
        return CL_INVALID_DEVICE;
    const uint32_t *required = kernel->code->reqntid;
    switch (name) {
    case CL_KERNEL_WORK_GROUP_SIZE: return INFO(out, size_t, kernel_max_group(kernel));
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
        return info_bytes(out, (size_t[]){required[0], required[1], required[2]},
                          3 * sizeof(size_t));
    case CL_KERNEL_LOCAL_MEM_SIZE: return INFO(out, cl_ulong, local_bytes(kernel));
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE: return INFO(out, size_t, WARP_LANES);
    case CL_KERNEL_PRIVATE_MEM_SIZE: return INFO(out, cl_ulong, kernel->code->local_bytes);
    default: /* CL_KERNEL_GLOBAL_WORK_SIZE is for custom devices and built-in kernels only */
        return CL_INVALID_VALUE;
    }
}

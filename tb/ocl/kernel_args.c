/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/kernel_args.c: arguments of kernels.
 *
 * PTX tells what each parameter is where its compiler wrote `.ptr`. A kernel without any (CUDA's)
 * takes a buffer in any 8-byte parameter: the value that clSetKernelArg gets is looked up among the
 * live buffers. A kernel that uses dynamic shared memory without having a parameter for it (CUDA's
 * again) has one argument more, behind the others: its size. Images and samplers are known by what
 * the driver has written into the PTX. */
#include <string.h>

#include "tb/ocl/arguments.h"
#include "tb/ocl/image.h"
#include "tb/ocl/info.h"
#include "tb/ocl/kernel.h"
#include "tb/ocl/sampler.h"

static cl_int set_local(struct kernel_arg *arg, size_t size, const void *value)
{
    if (value)
        return CL_INVALID_ARG_VALUE;
    if (size == 0)
        return CL_INVALID_ARG_SIZE;
    *arg = (struct kernel_arg){.set = 1, .local_bytes = size};
    return CL_SUCCESS;
}

/* Whether a memory object is what the source declares. Without a declaration any is. */
static cl_int check_declared(cl_mem memory, const struct argument *declared)
{
    if (!declared)
        return CL_SUCCESS;
    const int is_image = memory && memory->image;
    const cl_mem_flags refused =
        declared->access == CL_KERNEL_ARG_ACCESS_READ_ONLY    ? CL_MEM_WRITE_ONLY
        : declared->access == CL_KERNEL_ARG_ACCESS_WRITE_ONLY ? CL_MEM_READ_ONLY
                                                              : 0;
    if (is_image != (declared->image != 0))
        return CL_INVALID_MEM_OBJECT;
    return is_image &&
                   (memory->image->desc.image_type != declared->image || (memory->flags & refused))
               ? CL_INVALID_ARG_VALUE
               : CL_SUCCESS;
}

static cl_int set_memory(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    if (size != sizeof(cl_mem))
        return CL_INVALID_ARG_SIZE;
    cl_mem memory = NULL;
    if (value)
        memcpy(&memory, value, sizeof memory);
    if (memory && (!IS_MEMORY(memory) || memory->context != kernel->program->context))
        return CL_INVALID_MEM_OBJECT;
    const cl_int error = check_declared(memory, kernel->declared ? &kernel->declared[index] : NULL);
    if (error == CL_SUCCESS)
        kernel->args[index] = (struct kernel_arg){
            .set = 1, .memory = memory, .serial = memory ? memory->base.serial : 0};
    return error;
}

static cl_int set_value(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    const struct ptx_param *param = &kernel->code->params[index];
    if (size != param->size)
        return CL_INVALID_ARG_SIZE;
    memcpy(kernel->params + param->offset, value, size);
    kernel->args[index] = (struct kernel_arg){.set = 1, .is_value = 1};
    return CL_SUCCESS;
}

static cl_int set_sampler(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    cl_sampler sampler;
    if (!value)
        return CL_INVALID_ARG_VALUE;
    if (size != sizeof sampler)
        return CL_INVALID_ARG_SIZE;
    memcpy(&sampler, value, sizeof sampler);
    if (!IS_SAMPLER(sampler) || sampler->context != kernel->program->context)
        return CL_INVALID_SAMPLER;
    const uint64_t bits = sampler_bits(sampler);
    return set_value(kernel, index, sizeof bits, &bits);
}

/* Whether the PTX tells pointers from values. */
static int has_pointer_kinds(const struct ptx_kernel *code)
{
    for (uint32_t i = 0; i < code->num_params; i++)
        if (code->params[i].kind != PARAM_VALUE)
            return 1;
    return 0;
}

/* Whether the value is a buffer's handle where the PTX does not say. */
static int is_undeclared_buffer(const struct _cl_kernel *kernel, const struct ptx_param *param,
                                const void *value)
{
    void *handle;
    if (kernel->declared || param->size != sizeof handle || has_pointer_kinds(kernel->code))
        return 0;
    memcpy(&handle, value, sizeof handle);
    return IS_MEMORY(handle);
}

cl_int ocl_SetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    API_ENTER;
    if (!IS_KERNEL(kernel))
        return CL_INVALID_KERNEL;
    if (index >= kernel->num_args)
        return CL_INVALID_ARG_INDEX;
    if (kernel_arg_is_local(kernel, index))
        return set_local(&kernel->args[index], size, value);
    const struct ptx_param *param = &kernel->code->params[index];
    if (kernel->declared && kernel->declared[index].is_sampler)
        return set_sampler(kernel, index, size, value);
    if (param->kind != PARAM_VALUE)
        return set_memory(kernel, index, size, value);
    if (!value)
        return CL_INVALID_ARG_VALUE;
    if (size == param->size && is_undeclared_buffer(kernel, param, value))
        return set_memory(kernel, index, size, value);
    return set_value(kernel, index, size, value);
}

/* Another compiler's PTX does not say what arguments are. */
cl_int ocl_GetKernelArgInfo(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name, size_t size,
                            void *value, size_t *size_ret)
{
    API_ENTER;
    const struct info out = {size, value, size_ret};
    if (!IS_KERNEL(kernel))
        return CL_INVALID_KERNEL;
    if (index >= kernel->num_args)
        return CL_INVALID_ARG_INDEX;
    if (name < CL_KERNEL_ARG_ADDRESS_QUALIFIER || name > CL_KERNEL_ARG_NAME)
        return CL_INVALID_VALUE;
    if (!kernel->declared)
        return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
    const struct argument *a = &kernel->declared[index];
    switch (name) {
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
        return INFO(out, cl_kernel_arg_address_qualifier, a->address);
    case CL_KERNEL_ARG_ACCESS_QUALIFIER:
        return INFO(out, cl_kernel_arg_access_qualifier, a->access);
    case CL_KERNEL_ARG_TYPE_NAME: return info_text(out, a->type);
    case CL_KERNEL_ARG_TYPE_QUALIFIER:
        return INFO(out, cl_kernel_arg_type_qualifier, a->qualifiers);
    default: return info_text(out, a->name);
    }
}

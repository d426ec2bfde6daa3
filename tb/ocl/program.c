/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/program.c: programs from source and from binaries. A binary is PTX text: the driver's own
 * or any compiler's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/ocl/build.h"
#include "tb/ocl/context.h"
#include "tb/ocl/info.h"

static unsigned num_programs; /* all that were made */

static void program_destroy(struct object *object)
{
    cl_program program = (cl_program)object;
    build_discard(program);
    free(program->source);
    free(program->ptx);
    free(program->options);
    free(program->log);
    object_drop(program->context);
}

static cl_program program_new(cl_context context, char *source, char *ptx, size_t ptx_bytes,
                              cl_int *error_ret)
{
    cl_program program =
        source || ptx ? object_new(OBJECT_PROGRAM, sizeof *program, program_destroy) : NULL;
    if (!program) {
        free(source);
        free(ptx);
        return fail(error_ret, CL_OUT_OF_HOST_MEMORY);
    }
    snprintf(program->name, sizeof program->name, "program%u.ptx", ++num_programs);
    object_hold(program->context = context);
    program->source = source;
    program->ptx = ptx;
    program->ptx_bytes = ptx_bytes;
    program->status = CL_BUILD_NONE;
    return made(error_ret, program);
}

static size_t piece_bytes(const char **strings, const size_t *lengths, cl_uint i)
{
    return lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
}

cl_program ocl_CreateProgramWithSource(cl_context context, cl_uint count, const char **strings,
                                       const size_t *lengths, cl_int *error_ret)
{
    API_ENTER;
    if (!IS_CONTEXT(context))
        return fail(error_ret, CL_INVALID_CONTEXT);
    if (count == 0 || !strings)
        return fail(error_ret, CL_INVALID_VALUE);
    size_t bytes = 1;
    for (cl_uint i = 0; i < count; i++) {
        if (!strings[i])
            return fail(error_ret, CL_INVALID_VALUE);
        bytes += piece_bytes(strings, lengths, i);
    }
    char *source = malloc(bytes);
    char *end = source;
    for (cl_uint i = 0; source && i < count; i++)
        end = mempcpy(end, strings[i], piece_bytes(strings, lengths, i));
    if (source)
        *end = 0;
    return program_new(context, source, NULL, 0, error_ret);
}

/* Whether a binary can be PTX: text that has a .version directive. The parser judges the rest when
 * it is built. */
static int looks_like_ptx(const unsigned char *binary, size_t bytes)
{
    return !memchr(binary, 0, bytes) && memmem(binary, bytes, ".version", strlen(".version"));
}

cl_program ocl_CreateProgramWithBinary(cl_context context, cl_uint num_devices,
                                       const cl_device_id *devices, const size_t *lengths,
                                       const unsigned char **binaries, cl_int *status,
                                       cl_int *error_ret)
{
    API_ENTER;
    if (!IS_CONTEXT(context))
        return fail(error_ret, CL_INVALID_CONTEXT);
    if (!devices || num_devices == 0 || !lengths || !binaries)
        return fail(error_ret, CL_INVALID_VALUE);
    const cl_int error = context_check_devices(num_devices, devices);
    if (error != CL_SUCCESS)
        return fail(error_ret, error);
    for (cl_uint i = 0; i < num_devices; i++) {
        const int empty = !binaries[i] || lengths[i] == 0;
        if (status)
            status[i] = empty ? CL_INVALID_VALUE : CL_SUCCESS;
        if (empty)
            return fail(error_ret, CL_INVALID_VALUE);
    }
    size_t bytes = lengths[0];
    while (bytes && !binaries[0][bytes - 1])
        bytes--; /* compilers' PTX often ends in zeros */
    if (!looks_like_ptx(binaries[0], bytes)) {
        if (status)
            status[0] = CL_INVALID_BINARY;
        return fail(error_ret, CL_INVALID_BINARY);
    }
    char *ptx = malloc(bytes + 1);
    if (ptx)
        *(char *)mempcpy(ptx, binaries[0], bytes) = 0;
    return program_new(context, NULL, ptx, bytes, error_ret);
}

/* There are no built-in kernels, so every list of names has one that is not there. */
cl_program ocl_CreateProgramWithBuiltInKernels(cl_context context, cl_uint num_devices,
                                               const cl_device_id *devices, const char *names,
                                               cl_int *error_ret)
{
    API_ENTER;
    (void)names;
    if (!IS_CONTEXT(context))
        return fail(error_ret, CL_INVALID_CONTEXT);
    if (!devices || num_devices == 0)
        return fail(error_ret, CL_INVALID_VALUE);
    const cl_int error = context_check_devices(num_devices, devices);
    return fail(error_ret, error == CL_SUCCESS ? CL_INVALID_VALUE : error);
}

static void run_build_callback(const struct callback *callback)
{
    callback->function.program(callback->object, callback->user_data);
}

cl_int ocl_BuildProgram(cl_program program, cl_uint num_devices, const cl_device_id *devices,
                        const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                        void *user_data)
{
    API_ENTER;
    if (!IS_PROGRAM(program))
        return CL_INVALID_PROGRAM;
    const cl_int error = context_check_devices(num_devices, devices);
    if (error != CL_SUCCESS)
        return error;
    if (!notify && user_data)
        return CL_INVALID_VALUE;
    if (program->status == CL_BUILD_IN_PROGRESS || program->num_kernels)
        return CL_INVALID_OPERATION;
    struct callback *callback = notify ? calloc(1, sizeof *callback) : NULL;
    if (notify && !callback)
        return CL_OUT_OF_HOST_MEMORY;
    object_hold(program);
    const cl_int result = build(program, options);
    if (callback) {
        *callback = (struct callback){.run = run_build_callback,
                                      .function.program = notify,
                                      .object = program,
                                      .user_data = user_data,
                                      .held = &program->base};
        callback_post(callback);
    } else {
        object_drop(program);
    }
    return result;
}

/* The compiler is a process of its own that ends with each build: nothing to unload. */
cl_int ocl_UnloadCompiler(void)
{
    return CL_SUCCESS;
}

cl_int ocl_UnloadPlatformCompiler(cl_platform_id platform)
{
    API_ENTER;
    return platform == &the_platform ? CL_SUCCESS : CL_INVALID_PLATFORM;
}

/* Kernel names, separated by semicolons. */
static cl_int kernel_names(const struct ptx_module *module, struct info out)
{
    char *names = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&names, &bytes);
    if (!stream)
        return CL_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < module->num_kernels; i++)
        fprintf(stream, "%s%s", i ? ";" : "", module->kernels[i].name);
    const cl_int result = fclose(stream) == 0 ? info_text(out, names) : CL_OUT_OF_HOST_MEMORY;
    free(names);
    return result;
}

/* The value is an array of one pointer to the caller's memory for the binary. */
static cl_int binaries(cl_program program, struct info out)
{
    if (out.value && out.size < sizeof(unsigned char *))
        return CL_INVALID_VALUE;
    unsigned char *const *to = out.value;
    if (to && to[0] && program->ptx)
        memcpy(to[0], program->ptx, program->ptx_bytes);
    if (out.size_ret)
        *out.size_ret = sizeof(unsigned char *);
    return CL_SUCCESS;
}

cl_int ocl_GetProgramInfo(cl_program program, cl_program_info name, size_t size, void *value,
                          size_t *size_ret)
{
    API_ENTER;
    const struct info out = {size, value, size_ret};
    if (!IS_PROGRAM(program))
        return CL_INVALID_PROGRAM;
    const int about_kernels = name == CL_PROGRAM_NUM_KERNELS || name == CL_PROGRAM_KERNEL_NAMES;
    if (about_kernels && program->status != CL_BUILD_SUCCESS)
        return CL_INVALID_PROGRAM_EXECUTABLE;
    switch (name) {
    case CL_PROGRAM_REFERENCE_COUNT: return INFO(out, cl_uint, program->base.references);
    case CL_PROGRAM_CONTEXT: return INFO(out, cl_context, program->context);
    case CL_PROGRAM_NUM_DEVICES: return INFO(out, cl_uint, 1);
    case CL_PROGRAM_DEVICES: return INFO(out, cl_device_id, &the_device);
    case CL_PROGRAM_SOURCE: return info_text(out, program->source ? program->source : "");
    case CL_PROGRAM_BINARY_SIZES: return INFO(out, size_t, program->ptx ? program->ptx_bytes : 0);
    case CL_PROGRAM_BINARIES: return binaries(program, out);
    case CL_PROGRAM_NUM_KERNELS: return INFO(out, size_t, program->module->num_kernels);
    case CL_PROGRAM_KERNEL_NAMES: return kernel_names(program->module, out);
    default: return CL_INVALID_VALUE;
    }
}

cl_int ocl_GetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info name,
                               size_t size, void *value, size_t *size_ret)
{
    API_ENTER;
    const struct info out = {size, value, size_ret};
    if (!IS_PROGRAM(program))
        return CL_INVALID_PROGRAM;
    if (!object_is(device, OBJECT_DEVICE))
        return CL_INVALID_DEVICE;
    const int ended =
        program->status != CL_BUILD_IN_PROGRESS; /* before, the log belongs to the build */
    switch (name) {
    case CL_PROGRAM_BUILD_STATUS: return INFO(out, cl_build_status, program->status);
    case CL_PROGRAM_BUILD_OPTIONS: return info_text(out, program->options ? program->options : "");
    case CL_PROGRAM_BUILD_LOG: return info_text(out, ended && program->log ? program->log : "");
    case CL_PROGRAM_BINARY_TYPE:
        return INFO(out, cl_program_binary_type,
                    program->status == CL_BUILD_SUCCESS ? CL_PROGRAM_BINARY_TYPE_EXECUTABLE
                                                        : CL_PROGRAM_BINARY_TYPE_NONE);
    default: return CL_INVALID_VALUE;
    }
}

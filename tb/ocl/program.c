/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/program.c: programs from source and from binaries. A binary is PTX text, the driver's own
 * or any compiler's; or an object of the driver's: a line that says what it is, and LLVM's bitcode.
 */
#include "tb/ocl/program.h"

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
    free(program->object);
    free(program->options);
    free(program->log);
    object_drop(program->context);
}

static const char object_mark[] = "HEDDLE OBJECT\n", library_mark[] = "HEDDLE LIBRARY\n";

cl_program program_new(cl_context context)
{
    cl_program program = object_new(OBJECT_PROGRAM, sizeof *program, program_destroy);
    if (!program)
        return NULL;
    snprintf(program->name, sizeof program->name, "program%u.ptx", ++num_programs);
    object_hold(program->context = context);
    program->status = CL_BUILD_NONE;
    return program;
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
    cl_program program = program_new(context);
    if (!program)
        return fail(error_ret, CL_OUT_OF_HOST_MEMORY);
    char *end = program->source = malloc(bytes);
    if (!end) {
        object_abandon(program);
        return fail(error_ret, CL_OUT_OF_HOST_MEMORY);
    }
    for (cl_uint i = 0; i < count; i++)
        end = mempcpy(end, strings[i], piece_bytes(strings, lengths, i));
    *end = 0;
    return made(error_ret, program);
}

/* Whether a binary can be PTX: text that has a .version directive. The parser judges the rest when
 * it is built. */
static int looks_like_ptx(const unsigned char *binary, size_t bytes)
{
    return !memchr(binary, 0, bytes) && memmem(binary, bytes, ".version", strlen(".version"));
}

static int begins_with(const unsigned char *binary, size_t bytes, const char *mark)
{
    return bytes > strlen(mark) && memcmp(binary, mark, strlen(mark)) == 0;
}

/* Gives the program its binary. Returns CL_SUCCESS, or why it cannot be one. */
static cl_int take_binary(cl_program program, const unsigned char *binary, size_t bytes)
{
    const int is_object = begins_with(binary, bytes, object_mark);
    const int is_library = begins_with(binary, bytes, library_mark);
    if (is_object || is_library) {
        const size_t mark = strlen(is_object ? object_mark : library_mark);
        program->object_bytes = bytes - mark;
        program->object = malloc(program->object_bytes);
        if (!program->object)
            return CL_OUT_OF_HOST_MEMORY;
        memcpy(program->object, binary + mark, program->object_bytes);
        program->type =
            is_object ? CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT : CL_PROGRAM_BINARY_TYPE_LIBRARY;
        return CL_SUCCESS;
    }
    while (bytes && !binary[bytes - 1])
        bytes--; /* compilers' PTX often ends in zeros */
    if (!looks_like_ptx(binary, bytes))
        return CL_INVALID_BINARY;
    program->ptx_bytes = bytes;
    program->ptx = strndup((const char *)binary, bytes);
    program->type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    return program->ptx ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
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
    cl_program program = program_new(context);
    const cl_int taken =
        program ? take_binary(program, binaries[0], lengths[0]) : CL_OUT_OF_HOST_MEMORY;
    if (taken == CL_SUCCESS)
        return made(error_ret, program);
    if (program)
        object_abandon(program);
    if (status)
        status[0] = taken;
    return fail(error_ret, taken);
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

int program_post(cl_program program, program_notify *notify, void *user_data)
{
    struct callback *callback = notify ? calloc(1, sizeof *callback) : NULL;
    if (!callback)
        return notify ? -1 : 0;
    *callback = (struct callback){.run = run_build_callback,
                                  .function.program = notify,
                                  .object = program,
                                  .user_data = user_data,
                                  .held = &program->base};
    object_hold(program);
    callback_post(callback);
    return 0;
}

cl_int ocl_BuildProgram(cl_program program, cl_uint num_devices, const cl_device_id *devices,
                        const char *options, program_notify *notify, void *user_data)
{
    API_ENTER;
    if (!IS_PROGRAM(program))
        return CL_INVALID_PROGRAM;
    const cl_int error = context_check_devices(num_devices, devices);
    if (error != CL_SUCCESS)
        return error;
    if (!notify && user_data)
        return CL_INVALID_VALUE;
    if (program->status == CL_BUILD_IN_PROGRESS || program->num_kernels || program->is_linked)
        return CL_INVALID_OPERATION;
    if (!program->source && !program->ptx)
        return CL_INVALID_BINARY;
    const struct work work = {WORK_BUILD, CL_BUILD_PROGRAM_FAILURE, CL_INVALID_BUILD_OPTIONS, NULL,
                              0};
    object_hold(program);
    cl_int result = build(program, &work, options);
    if (program_post(program, notify, user_data) < 0)
        result = CL_OUT_OF_HOST_MEMORY;
    object_drop(program);
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

/* What stands before an object; before PTX nothing. */
static const char *mark_of(const struct _cl_program *program)
{
    return program->type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ? object_mark
           : program->type == CL_PROGRAM_BINARY_TYPE_LIBRARY       ? library_mark
                                                                   : "";
}

static size_t binary_bytes(const struct _cl_program *program)
{
    return program->object ? strlen(mark_of(program)) + program->object_bytes : program->ptx_bytes;
}

/* The value is an array of one pointer to the caller's memory for the binary. */
static cl_int binaries(cl_program program, struct info out)
{
    if (out.value && out.size < sizeof(unsigned char *))
        return CL_INVALID_VALUE;
    unsigned char *const *to = out.value;
    if (to && to[0] && program->object)
        memcpy(mempcpy(to[0], mark_of(program), strlen(mark_of(program))), program->object,
               program->object_bytes);
    else if (to && to[0] && program->ptx)
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
    if (about_kernels && !program->module)
        return CL_INVALID_PROGRAM_EXECUTABLE;
    switch (name) {
    case CL_PROGRAM_REFERENCE_COUNT: return INFO(out, cl_uint, program->base.references);
    case CL_PROGRAM_CONTEXT: return INFO(out, cl_context, program->context);
    case CL_PROGRAM_NUM_DEVICES: return INFO(out, cl_uint, 1);
    case CL_PROGRAM_DEVICES: return INFO(out, cl_device_id, &the_device);
    case CL_PROGRAM_SOURCE: return info_text(out, program->source ? program->source : "");
    case CL_PROGRAM_BINARY_SIZES: return INFO(out, size_t, binary_bytes(program));
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
    case CL_PROGRAM_BINARY_TYPE: return INFO(out, cl_program_binary_type, program->type);
    default: return CL_INVALID_VALUE;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/link.c: separate compilation (OpenCL 1.2, section 5.6.3): sources with headers that are
 * programs, to objects; objects and libraries to libraries or executables. */
#include <stdlib.h>
#include <string.h>

#include "tb/ocl/build.h"
#include "tb/ocl/context.h"
#include "tb/ocl/info.h"
#include "tb/ocl/program.h"

static void inputs_free(struct input *inputs, cl_uint count)
{
    for (cl_uint i = 0; inputs && i < count; i++) {
        free(inputs[i].name);
        free(inputs[i].bytes);
    }
    free(inputs);
}

/* Copies what programs contain, since they may change while the compiler runs: sources under the
 * given names, or objects. NULL: no memory. */
static struct input *copy_inputs(cl_uint count, const cl_program *programs, const char **names)
{
    struct input *inputs = calloc(count + 1, sizeof *inputs);
    for (cl_uint i = 0; inputs && i < count; i++) {
        const char *from = names ? programs[i]->source : programs[i]->object;
        inputs[i].size = names ? strlen(from) : programs[i]->object_bytes;
        inputs[i].bytes = malloc(inputs[i].size + 1);
        inputs[i].name = names ? strdup(names[i]) : NULL;
        if (!inputs[i].bytes || (names && !inputs[i].name)) {
            inputs_free(inputs, count);
            return NULL;
        }
        memcpy(inputs[i].bytes, from, inputs[i].size);
    }
    return inputs;
}

/* Does the work and calls `notify`, if there is one. */
static cl_int work_on(cl_program program, const struct work *work, const char *options,
                      program_notify *notify, void *user_data)
{
    object_hold(program);
    cl_int result = build(program, work, options);
    if (program_post(program, notify, user_data) < 0)
        result = CL_OUT_OF_HOST_MEMORY;
    object_drop(program);
    return result;
}

/* Checks headers and their names. A name goes into one of clang's options, which ends at ';'. */
static cl_int check_headers(cl_uint count, const cl_program *headers, const char **names)
{
    if ((count == 0) != (headers == NULL) || (count == 0) != (names == NULL))
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < count; i++) {
        if (!IS_PROGRAM(headers[i]) || !headers[i]->source)
            return CL_INVALID_PROGRAM;
        if (!names[i] || !*names[i] || strchr(names[i], ';'))
            return CL_INVALID_VALUE;
    }
    return CL_SUCCESS;
}

cl_int ocl_CompileProgram(cl_program program, cl_uint num_devices, const cl_device_id *devices,
                          const char *options, cl_uint num_headers, const cl_program *headers,
                          const char **names, program_notify *notify, void *user_data)
{
    API_ENTER;
    if (!IS_PROGRAM(program))
        return CL_INVALID_PROGRAM;
    cl_int error = context_check_devices(num_devices, devices);
    if (error == CL_SUCCESS)
        error = check_headers(num_headers, headers, names);
    if (error == CL_SUCCESS && !notify && user_data)
        error = CL_INVALID_VALUE;
    if (error != CL_SUCCESS)
        return error;
    if (program->status == CL_BUILD_IN_PROGRESS || program->num_kernels || !program->source)
        return CL_INVALID_OPERATION;
    struct input *inputs = copy_inputs(num_headers, headers, names);
    if (!inputs)
        return CL_OUT_OF_HOST_MEMORY;
    const struct work work = {WORK_COMPILE, CL_COMPILE_PROGRAM_FAILURE, CL_INVALID_COMPILER_OPTIONS,
                              inputs, num_headers};
    error = work_on(program, &work, options, notify, user_data);
    inputs_free(inputs, num_headers);
    return error;
}

/* The program is there whether linking succeeds or not: its log says why. */
cl_program ocl_LinkProgram(cl_context context, cl_uint num_devices, const cl_device_id *devices,
                           const char *options, cl_uint num_programs, const cl_program *programs,
                           program_notify *notify, void *user_data, cl_int *error_ret)
{
    API_ENTER;
    if (!IS_CONTEXT(context))
        return fail(error_ret, CL_INVALID_CONTEXT);
    cl_int error = context_check_devices(num_devices, devices);
    if (error == CL_SUCCESS && (num_programs == 0 || !programs || (!notify && user_data)))
        error = CL_INVALID_VALUE;
    for (cl_uint i = 0; i < num_programs && error == CL_SUCCESS; i++)
        error = !IS_PROGRAM(programs[i])          ? CL_INVALID_PROGRAM
                : programs[i]->context != context ? CL_INVALID_CONTEXT
                : programs[i]->status == CL_BUILD_IN_PROGRESS || !programs[i]->object
                    ? CL_INVALID_OPERATION
                    : CL_SUCCESS;
    if (error != CL_SUCCESS)
        return fail(error_ret, error);
    struct input *inputs = copy_inputs(num_programs, programs, NULL);
    cl_program program = inputs ? program_new(context) : NULL;
    if (!program) {
        inputs_free(inputs, num_programs);
        return fail(error_ret, CL_OUT_OF_HOST_MEMORY);
    }
    program->is_linked = 1;
    const struct work work = {WORK_LINK, CL_LINK_PROGRAM_FAILURE, CL_INVALID_LINKER_OPTIONS, inputs,
                              num_programs};
    error = work_on(program, &work, options, notify, user_data);
    inputs_free(inputs, num_programs);
    if (error == CL_INVALID_LINKER_OPTIONS || error == CL_LINKER_NOT_AVAILABLE ||
        error == CL_OUT_OF_HOST_MEMORY) {
        object_abandon(program);
        return fail(error_ret, error);
    }
    if (error_ret)
        *error_ret = error;
    return program;
}

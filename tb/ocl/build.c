/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/build.c: compile, parse, place variables, bind. Whatever refuses says why in the build
 * log. */
#include "tb/ocl/build.h"

#include <stdlib.h>
#include <string.h>

#include "tb/ocl/compile.h"
#include "tb/ocl/machine.h"
#include "tb/ocl/options.h"
#include "tb/sm/exec.h"

void build_discard(cl_program program)
{
    if (!program->module)
        return;
    if (machine_if_open())
        for (uint32_t i = 0; i < program->module->num_vars; i++)
            if (program->module->vars[i].address)
                gmem_free(gpu_memory(machine_if_open()), program->module->vars[i].address);
    ptx_free(program->module);
    program->module = NULL;
}

/* Gives a module variable its memory, initialised. */
static uint64_t place(void *memory, const struct ptx_var *variable)
{
    const uint64_t address = gmem_alloc(memory, variable->size ? variable->size : 1, NULL);
    if (address && variable->size)
        memcpy(gmem_host(memory, address, variable->size), variable->init, variable->size);
    return address;
}

/* Kernels that cannot run are left out; a program needs one that can. */
static void log_refused(const struct ptx_module *module, FILE *log)
{
    for (uint32_t i = 0; i < module->num_kernels; i++)
        if (module->kernels[i].refused)
            fprintf(log, "kernel '%s' is left out: %s\n", module->kernels[i].name,
                    module->kernels[i].refused);
}

/* Makes an executable of the program's PTX. */
static cl_int load(cl_program program, struct ptx_module *module, FILE *log)
{
    program->module = module;
    struct ptx_error error;
    if (!machine() || ptx_place(module, place, gpu_memory(machine())) < 0) {
        fprintf(log, "no device memory for the program's variables\n");
    } else if (exec_bind(module, &error) < 0) {
        fprintf(log, "%s\n", error.message);
    } else {
        log_refused(module, log);
        return CL_SUCCESS;
    }
    build_discard(program);
    return CL_BUILD_PROGRAM_FAILURE;
}

/* The part that takes long and touches nothing shared: source (or PTX) to a parsed module. */
static cl_int translate(cl_program program, const char *options, char **ptx, size_t *bytes,
                        struct ptx_module **module, FILE *log)
{
    char **list = options_parse(options, log);
    if (!list)
        return CL_INVALID_BUILD_OPTIONS;
    const char *text = program->ptx;
    *bytes = program->ptx_bytes;
    if (program->source)
        text = *ptx = compile(program->source, list, bytes, log);
    options_free(list);
    if (!text)
        return CL_BUILD_PROGRAM_FAILURE;
    struct ptx_error error;
    *module = ptx_parse("program.ptx", text, *bytes, &error);
    if (!*module)
        fprintf(log, "%s\n", error.message);
    return *module ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE;
}

static cl_int build_logged(cl_program program, const char *options, FILE *log)
{
    if (program->source && !compiler_available()) {
        fprintf(log, "clang is not on PATH\n");
        return CL_COMPILER_NOT_AVAILABLE;
    }
    char *ptx = NULL;
    size_t bytes = 0;
    struct ptx_module *module = NULL;
    api_unlock();
    cl_int result = translate(program, options, &ptx, &bytes, &module, log);
    api_lock();
    if (program->source) {
        free(program->ptx);
        program->ptx = ptx;
        program->ptx_bytes = bytes;
    }
    if (result == CL_SUCCESS)
        result = load(program, module, log);
    return result;
}

cl_int build(cl_program program, const char *options)
{
    build_discard(program);
    free(program->log);
    free(program->options);
    program->log = NULL;
    program->options = strdup(options ? options : "");
    size_t log_bytes;
    FILE *log = open_memstream(&program->log, &log_bytes);
    if (!log || !program->options) {
        if (log)
            fclose(log);
        program->status = CL_BUILD_ERROR;
        return CL_OUT_OF_HOST_MEMORY;
    }
    program->status = CL_BUILD_IN_PROGRESS;
    object_hold(program);
    const cl_int result = build_logged(program, program->options, log);
    fclose(log);
    program->status = result == CL_SUCCESS ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
    object_drop(program);
    return result;
}

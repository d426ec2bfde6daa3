/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/build.c: compile, parse, place variables, bind. Whatever refuses says why in the build
 * log. */
#include "tb/ocl/build.h"

#include <stdlib.h>
#include <string.h>

#include "tb/exec/exec.h"
#include "tb/ocl/accepted.h"
#include "tb/ocl/fail_folder.h"
#include "tb/ocl/machine.h"
#include "tb/ocl/options.h"

void build_discard(cl_program program)
{
    if (!program->module)
        return;
    if (machine_if_open())
        for (uint32_t i = 0; i < program->module->num_vars; i++)
            if (program->module->vars[i].address)
                gmem_free(gpu_memory(machine_if_open()), program->module->vars[i].address);
    machine_forget(program->module);
    ptx_free(program->module);
    program->module = NULL;
}

/* Frees what was made of the program before. */
static void program_forget(cl_program program)
{
    free(program->ptx);
    free(program->object);
    program->ptx = program->object = NULL;
    program->ptx_bytes = program->object_bytes = 0;
}

/* Gives a module variable its memory, initialised. */
static uint64_t place(void *memory, const struct ptx_var *variable)
{
    const uint64_t address = gmem_alloc(memory, variable->size ? variable->size : 1, NULL);
    if (address && variable->size)
        memcpy(gmem_host(memory, address, variable->size), variable->init, variable->size);
    return address;
}

/* Kernels that cannot run are left out; a program needs one that can. Returns how many they are. */
static uint32_t log_refused(const struct ptx_module *module, FILE *log)
{
    uint32_t refused = 0;
    for (uint32_t i = 0; i < module->num_kernels; i++)
        if (module->kernels[i].refused) {
            fprintf(log, "kernel '%s' is left out: %s\n", module->kernels[i].name,
                    module->kernels[i].refused);
            refused++;
        }
    return refused;
}

/* Makes an executable of the program's PTX. Returns 0 or -1. */
static int load(cl_program program, struct ptx_module *module, const struct cache_key *ptx,
                FILE *log)
{
    program->module = module;
    struct ptx_error error;
    if (machine())
        ptx_stack(module, (uint32_t)machine_config()->gpu_stack);
    if (!machine() || ptx_place(module, place, gpu_memory(machine())) < 0) {
        fprintf(log, "no device memory for the program's variables\n");
    } else if (exec_bind(module, &error) < 0) {
        fprintf(log, "%s\n", error.message);
    } else {
        if (!log_refused(module, log) && module->can_open)
            accepted_keep(ptx);
        return 0;
    }
    build_discard(program);
    return -1;
}

/* What a translation has made, before it is the program's. */
struct outcome {
    char *text; /* PTX, or an object */
    size_t bytes;
    struct ptx_module *module;
    struct cache_key ptx; /* of the module's text, as accepted.h has it */
    int is_library;
};

/* The part that takes long and touches nothing shared: source, PTX or objects to a parsed module or
 * an object. */
static cl_int translate(cl_program program, const struct work *work, const char *options,
                        struct outcome *out, FILE *log)
{
    char **list = work->kind == WORK_LINK ? options_parse_link(options, &out->is_library, log)
                                          : options_parse(options, log);
    if (!list)
        return work->bad_options;
    const enum result result =
        work->kind == WORK_COMPILE || out->is_library ? RESULT_OBJECT : RESULT_PTX;
    const char *source = work->kind == WORK_LINK ? "" : program->source;
    if (source)
        out->text = compile(source, work->inputs, work->num_inputs, list, result, &out->bytes, log);
    options_free(list);
    const char *ptx = source ? out->text : program->ptx;
    if (!ptx)
        return work->failure;
    if (result == RESULT_OBJECT)
        return CL_SUCCESS;
    const size_t bytes = source ? out->bytes : program->ptx_bytes;
    struct ptx_error error;
    out->ptx = accepted_key(ptx, bytes);
    out->module =
        (accepted_find(&out->ptx) ? ptx_open : ptx_parse)(program->name, ptx, bytes, &error);
    if (!out->module)
        fprintf(log, "%s\n", error.message);
    return out->module ? CL_SUCCESS : work->failure;
}

/* Gives the program what has been made of it. */
static cl_int take(cl_program program, const struct work *work, struct outcome *out, FILE *log)
{
    if (out->module && load(program, out->module, &out->ptx, log) < 0)
        return work->failure;
    program->type = out->module       ? CL_PROGRAM_BINARY_TYPE_EXECUTABLE
                    : out->is_library ? CL_PROGRAM_BINARY_TYPE_LIBRARY
                                      : CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
    return CL_SUCCESS;
}

static cl_int build_logged(cl_program program, const struct work *work, const char *options,
                           FILE *log)
{
    struct outcome out = {0};
    const int compiles = program->source || work->kind == WORK_LINK;
    if (compiles && !compiler_available()) {
        fprintf(log, "clang is not on PATH\n");
        return work->kind == WORK_LINK ? CL_LINKER_NOT_AVAILABLE : CL_COMPILER_NOT_AVAILABLE;
    }
    api_unlock();
    cl_int result = translate(program, work, options, &out, log);
    api_lock();
    if (compiles) {
        const int is_object = work->kind == WORK_COMPILE || out.is_library;
        program_forget(program);
        *(is_object ? &program->object : &program->ptx) = out.text;
        *(is_object ? &program->object_bytes : &program->ptx_bytes) = out.bytes;
    }
    program->type = CL_PROGRAM_BINARY_TYPE_NONE;
    if (result == CL_SUCCESS)
        result = take(program, work, &out, log);
    if (result != CL_SUCCESS && compiles && program->ptx) /* the log names its lines */
        fail_folder_keep(program->name, "its PTX is", program->ptx, program->ptx_bytes, log);
    return result;
}

cl_int build(cl_program program, const struct work *work, const char *options)
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
    const cl_int result = build_logged(program, work, program->options, log);
    fclose(log);
    program->status = result == CL_SUCCESS ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
    object_drop(program);
    return result;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/launch.c: kernel launches. Sizes are checked and arguments read when the launch is
 * enqueued. Global sizes and offsets are below 2^32, which the device library relies on: a global
 * id is computed in 32 bits. */
#include "tb/ocl/launch.h"

#include <string.h>

#include "tb/ocl/command.h"
#include "tb/ocl/context.h"
#include "tb/ocl/device.h"
#include "tb/ocl/image.h"
#include "tb/ocl/kernel.h"
#include "tb/ocl/machine.h"
#include "tb/ocl/printf.h"

#define MAX_IDS       ((uint64_t)UINT32_MAX)
#define CHOSEN_GROUP  256          /* threads, at most, where the program leaves it open */
#define DYNAMIC_ALIGN 16           /* where local memory that no argument points to begins */
#define LOCAL_ALIGN   DEVICE_ALIGN /* of what an argument points to */

struct launch {
    struct gpu_launch gpu;
    cl_program program; /* held by the kernel, which the command holds */
    struct capture_program code;
    uint8_t params[];
};

/* A launch as the program describes it. */
struct range {
    cl_uint dim;
    const size_t *offset, *global, *local;
};

/* Largest divisor of n that is at most `limit`; a multiple of a warp if there is one. */
static size_t choose_divisor(size_t n, size_t limit)
{
    for (size_t step = WARP_LANES;; step = 1)
        for (size_t d = (n < limit ? n : limit) / step * step; d; d -= step)
            if (n % d == 0)
                return d;
}

/* A work group size for a program that gives none. */
static void choose_group(const struct range *range, size_t limit, uint32_t group[3])
{
    if (limit > CHOSEN_GROUP)
        limit = CHOSEN_GROUP;
    for (cl_uint i = 0; i < range->dim; i++) {
        group[i] = (uint32_t)choose_divisor(range->global[i], limit);
        limit /= group[i];
    }
}

/* Checks a work group size against the device, the global size and the kernel's attributes. */
static cl_int take_group(const struct range *range, const size_t *local,
                         const struct ptx_kernel *code, uint32_t group[3])
{
    const size_t limit = device_max_group();
    size_t threads = 1;
    for (cl_uint i = 0; i < range->dim; i++) {
        if (local[i] > limit)
            return CL_INVALID_WORK_ITEM_SIZE;
        if (local[i] == 0 || range->global[i] % local[i])
            return CL_INVALID_WORK_GROUP_SIZE;
        group[i] = (uint32_t)local[i];
        threads *= group[i];
    }
    if (threads > limit ||
        (code->reqntid[0] && memcmp(group, code->reqntid, sizeof code->reqntid) != 0))
        return CL_INVALID_WORK_GROUP_SIZE;
    return CL_SUCCESS;
}

/* Fills grid, block and offset of the launch. */
static cl_int shape(const struct _cl_kernel *kernel, const struct range *range,
                    struct gpu_launch *launch)
{
    if (range->dim < 1 || range->dim > 3)
        return CL_INVALID_WORK_DIMENSION;
    if (!range->global)
        return CL_INVALID_GLOBAL_WORK_SIZE;
    launch->work_dim = range->dim;
    for (int i = 0; i < 3; i++) {
        launch->grid[i] = launch->block[i] = 1;
        launch->offset[i] = 0;
    }
    for (cl_uint i = 0; i < range->dim; i++) {
        if (range->global[i] == 0 || range->global[i] > MAX_IDS)
            return CL_INVALID_GLOBAL_WORK_SIZE;
        if (range->offset && range->offset[i] > MAX_IDS - range->global[i])
            return CL_INVALID_GLOBAL_OFFSET;
        launch->offset[i] = range->offset ? (uint32_t)range->offset[i] : 0;
    }
    const uint32_t *const code = kernel->code->reqntid;
    const size_t required[] = {code[0], code[1], code[2]};
    if (range->local || required[0]) {
        const cl_int error =
            take_group(range, range->local ? range->local : required, kernel->code, launch->block);
        if (error != CL_SUCCESS)
            return error;
    } else {
        const size_t limit = kernel_max_group(kernel);
        if (limit == 0)
            return CL_OUT_OF_RESOURCES;
        choose_group(range, limit, launch->block);
    }
    for (cl_uint i = 0; i < range->dim; i++)
        launch->grid[i] = (uint32_t)(range->global[i] / launch->block[i]);
    return CL_SUCCESS;
}

/* Whether all arguments are set and their buffers still there. */
static int args_valid(const struct _cl_kernel *kernel)
{
    for (cl_uint i = 0; i < kernel->num_args; i++) {
        const struct kernel_arg *arg = &kernel->args[i];
        if (!arg->set ||
            (arg->memory && (!IS_MEMORY(arg->memory) || arg->memory->base.serial != arg->serial)))
            return 0;
    }
    return 1;
}

/* What a kernel knows a memory object by. */
static uint64_t memory_address(cl_mem memory)
{
    return !memory ? 0 : memory->image ? memory->image->address : memory->address;
}

static uint64_t aligned(uint64_t address, uint64_t to)
{
    return (address + to - 1) / to * to;
}

/* Writes the parameter block and sums up dynamic local memory, which follows the static. */
static void fill_params(const struct _cl_kernel *kernel, struct launch *launch)
{
    const struct ptx_kernel *code = kernel->code;
    const uint64_t base = aligned(code->shared_bytes, DYNAMIC_ALIGN);
    uint64_t local = base;
    memcpy(launch->params, kernel->params, code->param_bytes);
    for (cl_uint i = 0; i < kernel->num_args; i++) {
        const struct kernel_arg *arg = &kernel->args[i];
        const int is_local = kernel_arg_is_local(kernel, i), is_param = i < code->num_params;
        if (is_local && is_param)
            local = aligned(local, LOCAL_ALIGN);
        const uint64_t address = is_local ? local : memory_address(arg->memory);
        if (is_param && !arg->is_value)
            memcpy(launch->params + code->params[i].offset, &address, sizeof address);
        const uint64_t bytes = arg->local_bytes < INT32_MAX ? arg->local_bytes : INT32_MAX;
        local += aligned(bytes, DYNAMIC_ALIGN);
    }
    /* More than any SM has stays more than any SM has: the machine refuses it with its message. */
    launch->gpu.dynamic_shared = (uint32_t)(local - base < INT32_MAX ? local - base : INT32_MAX);
}

/* Commands whose kernels run, by the kernels' numbers. */
static struct command *running[GPU_KERNELS];

static struct launch *launch_of(const struct command *command)
{
    return (void *)command->args;
}

/* The number of a kernel that could begin now, or GPU_KERNELS: none. */
static unsigned free_number(void)
{
    unsigned number = 0;
    while (number < machine_kernels() && running[number])
        number++;
    return number < machine_kernels() ? number : GPU_KERNELS;
}

/* Is there room for a kernel, and no other one that prints into the same buffer? */
static int may_run(const struct command *command)
{
    const cl_program program = launch_of(command)->program;
    for (unsigned i = 0; i < GPU_KERNELS; i++)
        if (running[i] && launch_of(running[i])->program == program && printf_used(program))
            return 0;
    return free_number() < GPU_KERNELS;
}

/* The kernel of this number has ended. Returns its event's status. */
static cl_int conclude(const struct command *command, unsigned number, enum gpu_status status)
{
    printf_flush(launch_of(command)->program);
    if (status == GPU_OK)
        return CL_SUCCESS;
    command->queue->failed = 1;
    context_report(command->queue->context, machine_message(number));
    return CL_OUT_OF_RESOURCES;
}

static cl_int run(struct command *command)
{
    struct launch *launch = launch_of(command);
    const unsigned number = free_number();
    launch->gpu.params = launch->params;
    launch->code = (struct capture_program){launch->program->name, launch->program->ptx,
                                            launch->program->ptx_bytes, launch->program->module};
    const enum gpu_status status = machine_begin(number, &launch->gpu, &launch->code);
    if (status != GPU_OK)
        return conclude(command, number, status);
    running[number] = command;
    return CL_RUNNING;
}

int launches_run(void)
{
    enum gpu_status status = GPU_STOPPED; /* by the end of the process */
    unsigned ended = 0;
    int any = 0;
    for (unsigned i = 0; i < GPU_KERNELS; i++)
        any |= running[i] != NULL;
    if (any && machine_if_open())
        status = machine_advance(&ended);
    for (unsigned i = 0; i < GPU_KERNELS; i++)
        if (running[i] && (i == ended || status != GPU_OK)) {
            struct command *command = running[i];
            running[i] = NULL;
            command_ended(command, conclude(command, i, status));
        }
    return any;
}

static cl_int enqueue(cl_command_queue queue, cl_kernel kernel, cl_command_type type,
                      const struct range *range, struct waits waits, cl_event *event)
{
    if (!IS_QUEUE(queue))
        return CL_INVALID_COMMAND_QUEUE;
    if (!IS_KERNEL(kernel))
        return CL_INVALID_KERNEL;
    if (kernel->program->context != queue->context)
        return CL_INVALID_CONTEXT;
    struct gpu_launch gpu = {.kernel = kernel->code};
    cl_int error = shape(kernel, range, &gpu);
    if (error != CL_SUCCESS)
        return error;
    if (!args_valid(kernel))
        return CL_INVALID_KERNEL_ARGS;
    error = waits_check(queue, waits);
    if (error != CL_SUCCESS)
        return error;
    struct command *command =
        command_new(queue, type, waits, sizeof(struct launch) + kernel->code->param_bytes,
                    kernel->num_args + 1);
    if (!command)
        return CL_OUT_OF_HOST_MEMORY;
    struct launch *launch = (void *)command->args;
    launch->gpu = gpu;
    launch->program = kernel->program;
    fill_params(kernel, launch);
    command_hold(command, kernel);
    for (cl_uint i = 0; i < kernel->num_args; i++)
        if (kernel->args[i].memory)
            command_hold(command, kernel->args[i].memory);
    command->may_run = may_run;
    command->run = run;
    return command_submit(command, event, CL_FALSE);
}

cl_int ocl_EnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dim,
                                const size_t *offset, const size_t *global, const size_t *local,
                                cl_uint num_waits, const cl_event *wait_list, cl_event *event)
{
    API_ENTER;
    const struct range range = {dim, offset, global, local};
    return enqueue(queue, kernel, CL_COMMAND_NDRANGE_KERNEL, &range,
                   (struct waits){num_waits, wait_list}, event);
}

cl_int ocl_EnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint num_waits,
                       const cl_event *wait_list, cl_event *event)
{
    API_ENTER;
    const size_t one = 1;
    const struct range range = {1, NULL, &one, &one};
    return enqueue(queue, kernel, CL_COMMAND_TASK, &range, (struct waits){num_waits, wait_list},
                   event);
}

/* The device runs no functions of the host. */
cl_int ocl_EnqueueNativeKernel(cl_command_queue queue, void(CL_CALLBACK *function)(void *),
                               void *args, size_t args_bytes, cl_uint num_memories,
                               const cl_mem *memories, const void **places, cl_uint num_waits,
                               const cl_event *wait_list, cl_event *event)
{
    API_ENTER;
    (void)event;
    if (!IS_QUEUE(queue))
        return CL_INVALID_COMMAND_QUEUE;
    if (!function || (args == NULL) != (args_bytes == 0) || (!args && num_memories) ||
        (num_memories == 0) != (memories == NULL) || (num_memories == 0) != (places == NULL))
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < num_memories; i++)
        if (!IS_MEMORY(memories[i]))
            return CL_INVALID_MEM_OBJECT;
    const cl_int error = waits_check(queue, (struct waits){num_waits, wait_list});
    return error == CL_SUCCESS ? CL_INVALID_OPERATION : error;
}

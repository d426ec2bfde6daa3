/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/fault.c: messages about bad accesses: kernel, place in the PTX, thread, address,
 * and what is near it. */
#include "tb/exec/fault.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "tb/exec/later.h"

void exec_fault(struct exec_warp *w, int lane, const char *format, ...)
{
    struct exec_fault *fault = w->fault;
    if (fault->raised) {
        return;
    }
    fault->raised = 1;
    const struct exec_launch *launch = w->block->launch;
    const struct ptx_kernel *kernel = launch->kernel;
    const struct exec_later *later = w->block->later;
    const struct exec_postponed *p = later ? later->performing : NULL;
    const uint32_t *block = p ? p->ctaid : w->block->ctaid, *size = launch->block;
    const uint32_t pc = p ? (uint32_t)(p->uop - kernel->uops) : w->pc;
    uint64_t thread =
        (uint64_t)(p ? p->warp_in_block : w->warp_in_block) * WARP_LANES + (uint32_t)lane;
    size_t room = sizeof fault->message;
    int used = snprintf(
        fault->message, room,
        "kernel '%.64s' pc %" PRIu32 " (line %" PRIu32 ": %.160s) lane %d block (%" PRIu32
        ",%" PRIu32 ",%" PRIu32 ") thread (%" PRIu64 ",%" PRIu64 ",%" PRIu64 "): ",
        kernel->name, pc, kernel->uops[pc].line, kernel->text[pc], lane, block[0], block[1],
        block[2], thread % size[0], thread / size[0] % size[1], thread / size[0] / size[1]);
    va_list arguments;
    va_start(arguments, format);
    if (used > 0 && (size_t)used < room) {
        vsnprintf(fault->message + used, room - (size_t)used, format, arguments);
    }
    va_end(arguments);
}

void exec_fault_misaligned(struct exec_warp *w, int lane, uint64_t address, uint32_t bytes)
{
    exec_fault(w, lane, "address 0x%" PRIx64 " is not a multiple of %" PRIu32, address, bytes);
}

void exec_fault_outside(struct exec_warp *w, int lane, uint64_t address, uint32_t bytes,
                        enum ptx_space space)
{
    const struct exec_launch *launch = w->block->launch;
    if (space == SPACE_SHARED) {
        exec_fault(w, lane,
                   "address 0x%" PRIx64 " (%" PRIu32
                   " bytes) is outside the block's shared memory [0x0, 0x%" PRIx32 ")",
                   address, bytes, launch->shared_bytes);
    } else if (space == SPACE_LOCAL) {
        exec_fault(w, lane,
                   "address 0x%" PRIx64 " (%" PRIu32
                   " bytes) is outside the thread's local memory [0x0, 0x%" PRIx32 ")%s",
                   address, bytes, launch->kernel->local_bytes,
                   launch->kernel->stack_bytes
                       ? ", which ends with its call stack (gpu.stack gives more)"
                       : "");
    } else if (space == SPACE_PARAM) {
        exec_fault(w, lane,
                   "address 0x%" PRIx64 " (%" PRIu32
                   " bytes) is outside the parameters [0x0, 0x%" PRIx32 ")",
                   address, bytes, launch->kernel->param_bytes);
    } else {
        const struct gmem_range *near = gmem_nearest(launch->gmem, address);
        if (near) {
            exec_fault(w, lane,
                       "address 0x%" PRIx64 " (%" PRIu32
                       " bytes) is outside every buffer; nearest is [0x%" PRIx64 ", 0x%" PRIx64 ")",
                       address, bytes, near->base, near->base + near->size);
        } else {
            exec_fault(w, lane,
                       "address 0x%" PRIx64 " (%" PRIu32
                       " bytes) is outside every buffer; there is none",
                       address, bytes);
        }
    }
}

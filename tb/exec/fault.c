/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/fault.c: messages about bad accesses: kernel, place in the PTX, thread, address,
 * and what is near it. */
#include "tb/exec/fault.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "tb/exec/later.h"
#include "tb/exec/tolerate.h"

size_t exec_fault_place(const struct exec_warp *w, int lane, char *text, size_t room)
{
    const struct exec_launch *launch = w->block->launch;
    const struct ptx_kernel *kernel = launch->kernel;
    const struct exec_later *later = w->block->later;
    const struct exec_postponed *p = later ? later->performing : NULL;
    const uint32_t *block = p ? p->ctaid : w->block->ctaid, *size = launch->block;
    const uint32_t pc = p ? (uint32_t)(p->uop - kernel->uops) : w->pc;
    const uint64_t thread =
        (uint64_t)(p ? p->warp_in_block : w->warp_in_block) * WARP_LANES + (uint32_t)lane;
    char source[PTX_SOURCE_SIZE];
    const int used = snprintf(
        text, room,
        "kernel '%.64s' pc %" PRIu32 "%s (line %" PRIu32 ": %.160s) lane %d block (%" PRIu32
        ",%" PRIu32 ",%" PRIu32 ") thread (%" PRIu64 ",%" PRIu64 ",%" PRIu64 "): ",
        kernel->name, pc, ptx_source_text(kernel, pc, source), kernel->uops[pc].line,
        kernel->text[pc], lane, block[0], block[1], block[2], thread % size[0],
        thread / size[0] % size[1], thread / size[0] / size[1]);
    return used < 0 ? 0 : (size_t)used < room ? (size_t)used : room - 1;
}

void exec_fault(struct exec_warp *w, int lane, const char *format, ...)
{
    struct exec_fault *fault = w->fault;
    if (fault->raised) {
        return;
    }
    fault->raised = 1;
    const size_t used = exec_fault_place(w, lane, fault->message, sizeof fault->message);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault->message + used, sizeof fault->message - used, format, arguments);
    va_end(arguments);
}

/* The text at an address of global memory, as far as it is there; at most `most` characters. */
static int find_text(const struct exec_warp *w, uint64_t address, int most, const char **text)
{
    const struct gmem_range *range = gmem_find(w->block->launch->gmem, address);
    *text = range ? (const char *)range->host + (address - range->base) : "?";
    const uint64_t room = range ? range->base + range->size - address : 1;
    return (int)strnlen(*text, room < (uint64_t)most ? (size_t)room : (size_t)most);
}

void exec_fault_trap(struct exec_warp *w, const struct uop *u, int lane)
{
    const struct ptx_kernel *kernel = w->kernel;
    if (kernel->refused || u->src[0] == UOP_NONE) {
        exec_fault(w, lane, "%s", kernel->refused ? kernel->refused : "trap");
        return;
    }
    const char *text[3];
    int length[3];
    for (int i = 0; i < 3; i++) { /* message, file, function */
        const uint64_t address = ((const lane64 *)exec_source(w, u->src[i == 2 ? 3 : i]))[lane];
        length[i] = find_text(w, address, 80, &text[i]);
    }
    exec_fault(w, lane, "assertion '%.*s' failed: %.*s:%" PRIu32 ", in '%.*s'", length[0], text[0],
               length[1], text[1], ((const lane32 *)exec_source(w, u->src[2]))[lane], length[2],
               text[2]);
}

void exec_fault_misaligned(struct exec_warp *w, int lane, uint64_t address, uint32_t bytes)
{
    exec_fault(w, lane, "address 0x%" PRIx64 " is not a multiple of %" PRIu32, address, bytes);
}

void exec_fault_outside(struct exec_warp *w, int lane, const struct exec_access *access)
{
    const struct exec_launch *launch = w->block->launch;
    const uint64_t address = access->address[lane];
    const uint32_t bytes = access->bytes;
    if (access->space == SPACE_SHARED) {
        exec_fault(w, lane,
                   "address 0x%" PRIx64 " (%" PRIu32
                   " bytes) is outside the block's shared memory [0x0, 0x%" PRIx32 ")",
                   address, bytes, launch->shared_bytes);
    } else if (access->space == SPACE_LOCAL) {
        exec_fault(w, lane,
                   "address 0x%" PRIx64 " (%" PRIu32
                   " bytes) is outside the thread's local memory [0x0, 0x%" PRIx32 ")%s",
                   address, bytes, launch->kernel->local_bytes,
                   launch->kernel->stack_bytes
                       ? ", which ends with its call stack (gpu.stack gives more)"
                       : "");
    } else if (access->space == SPACE_PARAM) {
        exec_fault(w, lane,
                   "address 0x%" PRIx64 " (%" PRIu32
                   " bytes) is outside the parameters [0x0, 0x%" PRIx32 ")",
                   address, bytes, launch->kernel->param_bytes);
    } else {
        const struct gmem_range *near = gmem_nearest(launch->gmem, address);
        char nearest[80] = "there is none";
        if (near) {
            snprintf(nearest, sizeof nearest, "nearest is [0x%" PRIx64 ", 0x%" PRIx64 ")",
                     near->base, near->base + near->size);
        }
        exec_fault(w, lane,
                   "address 0x%" PRIx64 " (%" PRIu32
                   " bytes) is outside every buffer; %s; %s lets it pass",
                   address, bytes, nearest, exec_tolerate_key(w, lane, access));
    }
}

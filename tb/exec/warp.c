/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/warp.c: a warp before its first step and after its last one: registers, local memory, special registers, stack. */
#include <stdlib.h>

#include "tb/exec/op.h"

uint64_t exec_warp_bytes(const struct ptx_kernel *kernel)
{
    return ((uint64_t)kernel->reg_bytes + 63) & ~63ull;
}

uint64_t exec_local_bytes(const struct ptx_kernel *kernel)
{
    return (uint64_t)WARP_LANES * kernel->local_bytes;
}

static void set_lanes(lane32 *lanes, uint32_t value)
{
    FOR_LANES lanes[i] = value;
}

/* Its lanes, or NULL: the kernel does not read it. */
static lane32 *special_lanes(const struct exec_warp *w, enum ptx_special special)
{
    const struct ptx_kernel *k = w->kernel;
    return k->specials >> special & 1 ? exec_target(w, ptx_special_offset(k, special)) : NULL;
}

static void set_special(struct exec_warp *w, enum ptx_special special, uint32_t value)
{
    lane32 *lanes = special_lanes(w, special);
    if (lanes) {
        set_lanes(lanes, value);
    }
}

static void set_specials(struct exec_warp *w, uint32_t threads)
{
    const struct exec_launch *launch = w->block->launch;
    for (uint32_t axis = 0; axis < 3; axis++) {
        set_special(w, SR_NTID_X + axis, launch->block[axis]);
        set_special(w, SR_CTAID_X + axis, w->block->ctaid[axis]);
        set_special(w, SR_NCTAID_X + axis, launch->grid[axis]);
        set_special(w, SR_ENVREG1 + axis, launch->offset[axis]);
    }
    set_special(w, SR_ENVREG0, launch->work_dim);
    set_special(w, SR_WARPID, w->warp_in_block);
    set_special(w, SR_NWARPID, (threads + WARP_LANES - 1) / WARP_LANES);
}

/* Special registers whose values differ by lane. */
static void set_lane_specials(struct exec_warp *w)
{
    const struct exec_launch *launch = w->block->launch;
    const uint32_t x = launch->block[0], y = launch->block[1];
    const uint32_t first = w->warp_in_block * WARP_LANES;
    lane32 *const id = special_lanes(w, SR_LANEID), *const tid_x = special_lanes(w, SR_TID_X),
                  *const tid_y = special_lanes(w, SR_TID_Y),
                  *const tid_z = special_lanes(w, SR_TID_Z);
    if (id) {
        FOR_LANES id[i] = (uint32_t)i;
    }
    if (tid_x) {
        FOR_LANES tid_x[i] = (first + (uint32_t)i) % x;
    }
    if (tid_y) {
        FOR_LANES tid_y[i] = (first + (uint32_t)i) / x % y;
    }
    if (tid_z) {
        FOR_LANES tid_z[i] = (first + (uint32_t)i) / x / y;
    }
}

void exec_warp_start(struct exec_warp *w, struct exec_block *block, uint32_t warp_in_block,
                     struct exec_fault *fault)
{
    const struct exec_launch *launch = block->launch;
    const struct ptx_kernel *kernel = launch->kernel;
    const uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    const uint32_t before = warp_in_block * WARP_LANES;
    const uint32_t own = before >= threads ? 0 : threads - before;
    w->base[0] = w->regs;
    w->base[1] = kernel->constants;
    w->kernel = kernel;
    w->block = block;
    w->fault = fault;
    w->pc = 0;
    w->active = own >= WARP_LANES ? ~0u : (1u << own) - 1;
    w->exited = ~w->active;
    w->waits = NULL;
    w->warp_in_block = warp_in_block;
    w->range = (struct gmem_range){0};
    w->range_epoch = gmem_epoch(launch->gmem);
    if (!w->stack) {
        w->stack = w->own;
        w->room = EXEC_STACK_OWN;
    }
    w->depth = 1;
    w->stack[0] = (struct exec_stack_entry){0, kernel->num_uops, w->active, 0};
    const uint32_t specials = ptx_special_offset(kernel, NUM_SPECIALS);
    memset(w->regs + specials, 0, kernel->zero_bytes - specials);
    if (w->local) {
        memset(w->local, 0, exec_local_bytes(kernel));
    }
    set_specials(w, threads);
    set_lane_specials(w);
    if (kernel->stack_pointer) {
        set_lanes(exec_target(w, kernel->stack_pointer), kernel->local_bytes - kernel->stack_bytes);
    }
    if (kernel->allocated) {
        set_lanes(exec_target(w, kernel->allocated), kernel->local_bytes);
    }
    if (!w->active || kernel->num_uops == 0) {
        w->pc = kernel->num_uops;
        w->active = 0;
        w->depth = 0;
    }
}

void exec_warp_free(struct exec_warp *w)
{
    if (w->stack != w->own) {
        free(w->stack);
    }
    w->stack = NULL;
}

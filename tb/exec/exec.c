/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/exec.c: one step of a warp: guard, data, control. Divergence follows the immediate
 * post-dominator stack of Fung et al. (MICRO 2007), with one refinement: lanes that are about to
 * wait where others of the same reconvergence point wait already join them, so that a loop that
 * lanes leave one by one does not grow the stack.
 *
 * The top entry is the path being executed; its PC and mask are kept in the warp. Below it lie the
 * paths that wait for their turn and, under the paths of one branch, the entry that continues at
 * the branch's reconvergence point.
 *
 * A call leaves an entry that continues behind it under one that begins in the function. Lanes that
 * return leave the entries of this call, of which all lie together at the top; when none is left, all
 * go on where they called. So the stack holds the return addresses as well. */
#include <stdlib.h>

#include "tb/exec/barrier.h"
#include "tb/exec/fault.h"
#include "tb/exec/op.h"

const uint32_t exec_lane_bit32[WARP_LANES] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
    1u << 8,  1u << 9,  1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15,
    1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21, 1u << 22, 1u << 23,
    1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31,
};
const uint64_t exec_lane_bit64[WARP_LANES] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
    1u << 8,  1u << 9,  1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15,
    1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21, 1u << 22, 1u << 23,
    1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31,
};

/* The lanes have returned: nobody waits for them. */
static void retire(struct exec_warp *w, uint32_t lanes)
{
    for (uint32_t i = 0; i < w->depth; i++) {
        w->stack[i].mask &= ~lanes;
    }
    w->active &= ~lanes;
    w->exited |= lanes;
}

/* The PC has moved: ends paths that have arrived, until one is found that goes on. `status` stands
 * unless the PC was moved once more, or the warp is done. */
static enum exec_status settle(struct exec_warp *w, uint32_t num_uops, enum exec_status status)
{
    const uint32_t sequential = w->pc;
    for (;;) {
        if (w->pc == num_uops && w->active) {
            retire(w, w->active); /* falling off the end is a return */
        }
        if (w->active && w->pc != w->stack[w->depth - 1].reconverge) {
            break;
        }
        w->depth--;
        if (w->depth == 0) {
            w->pc = num_uops;
            return EXEC_DONE;
        }
        w->pc = w->stack[w->depth - 1].pc;
        w->active = w->stack[w->depth - 1].mask;
    }
    return status == EXEC_NEXT && w->pc != sequential ? EXEC_BRANCH : status;
}

/* Returns 0: no room for one more entry. */
__attribute__((noinline)) static int grow(struct exec_warp *w)
{
    if (w->depth == EXEC_STACK_DEPTH) {
        return 0;
    }
    struct exec_stack_entry *own = w->stack == w->own ? NULL : w->stack;
    struct exec_stack_entry *more = realloc(own, 2 * (size_t)w->room * sizeof *more);
    if (!more) {
        return 0;
    }
    if (!own) {
        memcpy(more, w->own, sizeof w->own);
    }
    w->stack = more;
    w->room *= 2;
    return 1;
}

static int put(struct exec_warp *w, const struct exec_stack_entry *entry)
{
    if (w->depth == w->room && !grow(w)) {
        return 0;
    }
    w->stack[w->depth++] = *entry;
    return 1;
}

/* Puts a path on top. Lanes that wait at the same PC for the same reconvergence point take these
 * lanes in; such entries all lie together at the top of the stack. Returns 0: no room. */
static int push(struct exec_warp *w, uint32_t pc, uint32_t reconverge, uint32_t mask,
                uint32_t calls)
{
    for (uint32_t i = w->depth;
         i-- > 0 && w->stack[i].reconverge == reconverge && w->stack[i].calls == calls;) {
        if (w->stack[i].pc == pc) {
            w->stack[i].mask |= mask;
            return 1;
        }
    }
    return put(w, &(struct exec_stack_entry){pc, reconverge, mask, calls});
}

static enum exec_status fail_full(struct exec_warp *w, uint32_t lanes)
{
    exec_fault(w, __builtin_ctz(lanes), "the reconvergence stack is full (%d entries)",
               EXEC_STACK_DEPTH);
    return EXEC_FAULT;
}

/* Where some lanes go. */
struct path {
    uint32_t pc, lanes;
};

/* Lanes part and meet again at `meet`. The path on top becomes the one that continues there, unless
 * it ends there itself: then what lies below continues. A path that begins at that point needs no
 * entry. The first path goes first. */
static int diverge(struct exec_warp *w, uint32_t meet, const struct path *paths, uint32_t count)
{
    struct exec_stack_entry *top = &w->stack[w->depth - 1];
    const uint32_t calls = top->calls;
    if (top->reconverge == meet) {
        w->depth--;
    } else {
        top->pc = meet;
        top->mask = w->active;
    }
    for (uint32_t i = count; i-- > 0;) {
        if (paths[i].pc != meet && !push(w, paths[i].pc, meet, paths[i].lanes, calls)) {
            return 0;
        }
    }
    w->pc = w->stack[w->depth - 1].pc;
    w->active = w->stack[w->depth - 1].mask;
    return 1;
}

static enum exec_status branch(struct exec_warp *w, const struct uop *u, uint32_t taken,
                               uint32_t num_uops)
{
    const uint32_t on = w->active & ~taken;
    if (taken == 0) {
        w->pc++;
    } else if (on == 0) {
        w->pc = u->target;
    } else if (u->target == num_uops) {
        retire(w, taken);
        w->pc++;
    } else if (w->pc + 1 == num_uops) {
        retire(w, on);
        w->pc = u->target;
    } else if (!diverge(w, u->reconverge, (struct path[]){{w->pc + 1, on}, {u->target, taken}},
                        2)) {
        return fail_full(w, taken);
    }
    return settle(w, num_uops, EXEC_BRANCH);
}

/* The lanes go where their indices say: those of one target together, the lanes that the guard leaves
 * out before all others. Returns the number of paths, or 0 after a fault. */
static uint32_t find_paths(struct exec_warp *w, const struct uop *u, uint32_t taken,
                           struct path paths[WARP_LANES + 1])
{
    uint32_t num_targets, count = 0;
    const uint32_t *targets = ptx_targets(w->kernel, u, &num_targets);
    const lane32 *index = exec_source(w, u->src[0]);
    uint32_t rest = taken;
    FOR_ACTIVE(rest, i)
    {
        if (index[i] >= num_targets) {
            exec_fault(w, i, "index %u of an indirect branch of %u targets", index[i], num_targets);
            return 0;
        }
    }
    if (w->active != taken) {
        paths[count++] = (struct path){w->pc + 1, w->active & ~taken};
    }
    for (uint32_t left = taken; left; left &= ~paths[count++].lanes) {
        struct path *path = &paths[count];
        *path = (struct path){.pc = targets[index[__builtin_ctz(left)]]};
        rest = left;
        FOR_ACTIVE(rest, i)
        {
            path->lanes |= targets[index[i]] == path->pc ? 1u << i : 0;
        }
    }
    return count;
}

static enum exec_status branch_indirectly(struct exec_warp *w, const struct uop *u, uint32_t taken,
                                          uint32_t num_uops)
{
    struct path paths[WARP_LANES + 1];
    const uint32_t count = find_paths(w, u, taken, paths);
    if (!count) {
        return EXEC_FAULT;
    }
    if (count == 1) {
        w->pc = paths[0].pc;
    } else if (!diverge(w, u->reconverge, paths, count)) {
        return fail_full(w, taken);
    }
    return settle(w, num_uops, EXEC_BRANCH);
}

/* The function that each of these lanes calls, and those of them that call the first one's. NULL: it is
 * none, or of other parameters. */
static const struct ptx_routine *called(const struct exec_warp *w, const struct uop *u,
                                        uint32_t *lanes)
{
    const struct ptx_kernel *kernel = w->kernel;
    if (u->src[1] == UOP_NONE) {
        return &kernel->routines[u->offset];
    }
    const lane64 *address = exec_source(w, u->src[1]);
    const uint64_t first = address[__builtin_ctz(*lanes)];
    uint32_t same = 0, i = 0;
    for (uint32_t rest = *lanes; rest; rest &= rest - 1) {
        same |= address[__builtin_ctz(rest)] == first ? rest & -rest : 0;
    }
    *lanes = same;
    while (i < kernel->num_routines && kernel->routines[i].address != first) {
        i++;
    }
    return i < kernel->num_routines && kernel->routines[i].signature == (uint64_t)u->offset
               ? &kernel->routines[i]
               : NULL;
}

/* The first of the lanes that call a function whose frame has no room, or -1. It ends before what alloca has given. */
static int lacks_frame(const struct exec_warp *w, const struct uop *u, const struct ptx_routine *r,
                       uint32_t lanes)
{
    const struct ptx_kernel *kernel = w->kernel;
    const lane32 *pointer = exec_source(w, u->src[0]);
    const lane32 *end = kernel->allocated ? exec_source(w, kernel->allocated) : NULL;
    FOR_ACTIVE(lanes, i)
    {
        if ((uint64_t)pointer[i] + r->frame_bytes > (end ? end[i] : kernel->local_bytes)) {
            return i;
        }
    }
    return -1;
}

/* The lanes call: all one function, or those that call the first one's, and the others after them. */
static enum exec_status call(struct exec_warp *w, const struct uop *u, uint32_t num_uops)
{
    struct exec_stack_entry *top = &w->stack[w->depth - 1];
    const uint32_t all = w->active, pc = w->pc, calls = top->calls;
    uint32_t lanes = all;
    const struct ptx_routine *r = called(w, u, &lanes);
    const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
    if (!r) {
        const lane64 *address = exec_source(w, u->src[1]);
        exec_fault(w, (int)lane, "0x%llx is no function that takes these parameters",
                   (unsigned long long)address[lane]);
        return EXEC_FAULT;
    }
    const int full = lacks_frame(w, u, r, lanes);
    if (full >= 0) {
        exec_fault(w, full,
                   "the call stack of a thread is full: '%.100s' needs %u bytes of %u "
                   "(gpu.stack gives more)",
                   r->name, r->frame_bytes, w->kernel->stack_bytes);
        return EXEC_FAULT;
    }
    top->pc = pc + 1;
    top->mask = all;
    if ((lanes != all && !put(w, &(struct exec_stack_entry){pc, pc + 1, all & ~lanes, calls})) ||
        !put(w, &(struct exec_stack_entry){r->entry, num_uops, lanes, calls + 1})) {
        return fail_full(w, lanes);
    }
    w->pc = r->entry;
    w->active = lanes;
    return EXEC_BRANCH;
}

/* The lanes have returned from the function that they called last. */
static void leave(struct exec_warp *w, uint32_t lanes)
{
    const uint32_t calls = w->stack[w->depth - 1].calls;
    for (uint32_t i = w->depth; i-- > 0 && w->stack[i].calls == calls;) {
        w->stack[i].mask &= ~lanes;
    }
    w->active &= ~lanes;
}

enum exec_status exec_step(struct exec_warp *w, struct exec_access *access)
{
    const struct ptx_kernel *kernel = w->kernel;
    if (w->pc >= kernel->num_uops) {
        return EXEC_DONE;
    }
    const struct uop *u = &kernel->uops[w->pc];
    enum exec_status status = EXEC_NEXT;
    uint32_t mask = w->active;
    if (u->guard != UOP_NONE) {
        mask &= exec_predicate(w, u->guard) ^ (u->flags & UF_GUARD_NOT ? ~0u : 0);
    }
    access->mask = 0;
    w->stepped = mask;
    switch (u->op) {
    case U_BRA: return branch(w, u, mask, kernel->num_uops);
    case U_BRX: return branch_indirectly(w, u, mask, kernel->num_uops);
    case U_RET: retire(w, mask); break;
    case U_CALL: return call(w, u, kernel->num_uops);
    case U_RETURN: leave(w, mask); break;
    case U_BAR:
        status = mask ? exec_barrier_arrive(w, u, mask) : EXEC_NEXT;
        if (status == EXEC_FAULT) {
            return status;
        }
        break;
    case U_TRAP:
        if (mask) {
            exec_fault_trap(w, u, __builtin_ctz(mask));
            return EXEC_FAULT;
        }
        break;
    default:
        if (mask) {
            u->run(w, u, mask, access);
            if (w->fault->raised) {
                return EXEC_FAULT;
            }
        }
        break;
    }
    w->pc++;
    if (w->active && w->pc != kernel->num_uops && w->pc != w->stack[w->depth - 1].reconverge) {
        return status;
    }
    return settle(w, kernel->num_uops, status);
}

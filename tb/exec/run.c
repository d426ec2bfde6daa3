/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/run.c: a launch, or the end of one, without time: block after block, the warps of a block
 * in turns. A warp runs until it waits, ends, or has had its share, so that warps that poll each
 * other's memory make progress. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tb/exec/fault.h"
#include "tb/exec/op.h"

#define MAX_THREADS (1u << 20) /* of a block */
#define SHARE       4096       /* instructions */
#define PATIENCE                                                                                   \
    10000000ull /* instructions of a block in which nobody joins the warps at a barrier */

enum warp_state { RUNNING, WAITING, ENDED };

struct runner {
    struct exec_block block;
    struct exec_sm sm;
    const struct exec_watch *watch;
    const struct exec_meter *meter;
    uint64_t ended; /* blocks */
    struct exec_fault *fault;
    uint32_t num_warps;
    struct exec_warp *warps;
    uint8_t *states; /* enum warp_state */
    uint8_t *regs, *local;
    uint64_t instructions;
    uint64_t progress; /* `instructions` when a warp last reached a barrier or its end */
};

/* The length of the next share, 0: no more is allowed. */
static uint64_t share_of(const struct runner *r)
{
    const uint64_t most = r->meter ? r->meter->most : 0;
    return !most || most - r->instructions > SHARE ? SHARE : most - r->instructions;
}

/* One share of one warp. */
static enum exec_end run_share(struct runner *r, uint32_t index)
{
    struct exec_access access;
    const int asked = r->meter && r->meter->told(r->meter->context, r->ended, r->instructions);
    uint64_t left = share_of(r);
    if (asked || !left) {
        return EXEC_STOPPED;
    }
    for (; left; left--) {
        const uint32_t insn = r->warps[index].pc;
        enum exec_status status = exec_step(&r->warps[index], &access);
        if (status == EXEC_FAULT) {
            return EXEC_FAULTED;
        }
        if (r->watch && r->block.launch->kernel->uops[insn].klass == CLASS_GMEM) {
            r->watch->accessed(r->watch->context, &r->block, insn, &access);
        }
        r->instructions++;
        if (status == EXEC_BARRIER || status == EXEC_DONE) {
            r->states[index] = status == EXEC_BARRIER ? WAITING : ENDED;
            r->progress = r->instructions;
            return EXEC_ENDED;
        }
    }
    return EXEC_ENDED;
}

static void start_block(struct runner *r)
{
    const struct exec_launch *launch = r->block.launch;
    memset(r->block.shared, 0, launch->shared_bytes);
    memset(r->block.barriers, 0, sizeof r->block.barriers);
    for (uint32_t i = 0; i < r->num_warps; i++) {
        struct exec_warp *w = &r->warps[i];
        w->regs = r->regs + i * exec_warp_bytes(launch->kernel);
        w->local =
            launch->kernel->local_bytes ? r->local + i * exec_local_bytes(launch->kernel) : NULL;
        exec_warp_start(w, &r->block, i, r->fault);
        r->states[i] = w->active ? RUNNING : ENDED;
    }
    r->progress = r->instructions;
}

/* Lets warps go on whose barrier has opened. Returns how many. */
static uint32_t pass_barriers(struct runner *r, uint32_t unfinished)
{
    uint32_t passed = 0;
    exec_barrier_settle(&r->block, unfinished);
    for (uint32_t i = 0; i < r->num_warps; i++) {
        if (r->states[i] == WAITING && exec_barrier_passed(&r->warps[i])) {
            r->states[i] = RUNNING;
            passed++;
        }
    }
    return passed;
}

/* All wait, but not at the same barrier, or not as many as it expects. */
static void fail_deadlock(struct runner *r, uint32_t waiting)
{
    uint32_t i = 0;
    while (r->states[i] != WAITING) {
        i++;
    }
    struct exec_warp *w = &r->warps[i];
    const struct exec_barrier *b = &r->block.barriers[w->barrier];
    exec_fault(w, __builtin_ctz(w->waiting),
               "barrier %" PRIu32 " is not met: %" PRIu32 " of %" PRIu32
               " warps have come, and no warp runs",
               w->barrier, b->arrived, b->expected ? b->expected : waiting);
}

static enum exec_end run_block(struct runner *r)
{
    start_block(r);
    for (;;) {
        uint32_t running = 0, waiting = 0, last = 0;
        for (uint32_t i = 0; i < r->num_warps; i++) {
            const enum exec_end end = r->states[i] == RUNNING ? run_share(r, i) : EXEC_ENDED;
            if (end != EXEC_ENDED) {
                return end;
            }
            last = r->states[i] == RUNNING ? i : last;
            running += r->states[i] == RUNNING;
            waiting += r->states[i] == WAITING;
        }
        if (running == 0 && waiting == 0) {
            return EXEC_ENDED;
        }
        if (running && waiting && r->instructions - r->progress > PATIENCE) {
            struct exec_warp *w = &r->warps[last];
            exec_fault(w, __builtin_ctz(w->active),
                       "the barrier is not met: %" PRIu32 " warps wait, warp %" PRIu32
                       " still runs",
                       waiting, last);
            return EXEC_FAULTED;
        }
        if (waiting && pass_barriers(r, running + waiting) == 0 && running == 0) {
            fail_deadlock(r, waiting);
            return EXEC_FAULTED;
        }
    }
}

static enum exec_end run_blocks(struct runner *r, uint64_t first)
{
    const uint32_t *grid = r->block.launch->grid;
    const uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    for (uint64_t block = first; block < blocks; block++) {
        r->ended = block;
        r->block.ctaid[0] = (uint32_t)(block % grid[0]);
        r->block.ctaid[1] = (uint32_t)(block / grid[0] % grid[1]);
        r->block.ctaid[2] = (uint32_t)(block / grid[0] / grid[1]);
        const enum exec_end end = run_block(r);
        if (end != EXEC_ENDED) {
            return end;
        }
    }
    return EXEC_ENDED;
}

/* Zeroed, and never of no bytes, so that NULL means that there is no memory. */
static void *make(uint64_t count, uint64_t size)
{
    uint64_t bytes = (count * size + 64) & ~63ull;
    void *memory = aligned_alloc(64, bytes);
    return memory ? memset(memory, 0, bytes) : NULL;
}

static enum exec_end refuse(struct exec_fault *fault, const char *reason)
{
    fault->raised = 1;
    snprintf(fault->message, sizeof fault->message, "%s", reason);
    return EXEC_FAULTED;
}

enum exec_end exec_run(const struct exec_launch *launch, uint64_t first,
                       const struct exec_watch *watch, const struct exec_meter *meter,
                       struct exec_tolerated *tolerated, struct exec_fault *fault,
                       uint64_t *instructions)
{
    fault->raised = 0;
    *instructions = 0;
    uint64_t threads = 1;
    for (int axis = 0; axis < 3; axis++) {
        threads = threads > MAX_THREADS ? threads : threads * launch->block[axis];
    }
    if (threads == 0 || threads > MAX_THREADS) {
        return refuse(fault, "a block must have from 1 to 1048576 threads");
    }
    struct runner r = {.block = {.launch = launch, .tolerated = tolerated},
                       .watch = watch,
                       .meter = meter,
                       .fault = fault};
    r.sm = (struct exec_sm){
        .clock = &r.instructions, .clocks = &exec_one_clock, .count = 1, .mhz = 1000};
    r.block.sm = &r.sm;
    r.num_warps = (uint32_t)((threads + WARP_LANES - 1) / WARP_LANES);
    r.warps = make(r.num_warps, sizeof *r.warps);
    r.states = make(r.num_warps, sizeof *r.states);
    r.regs = make(r.num_warps, exec_warp_bytes(launch->kernel));
    r.local = make(r.num_warps, exec_local_bytes(launch->kernel));
    r.block.shared = make(1, launch->shared_bytes);
    int made = r.warps && r.states && r.regs && r.local && r.block.shared;
    const enum exec_end result =
        made ? run_blocks(&r, first) : refuse(fault, "no memory for a block");
    *instructions = r.instructions;
    for (uint32_t i = 0; r.warps && i < r.num_warps; i++) {
        exec_warp_free(&r.warps[i]);
    }
    free(r.warps);
    free(r.states);
    free(r.regs);
    free(r.local);
    free(r.block.shared);
    return result;
}

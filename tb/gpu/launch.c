/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/launch.c: runs one kernel: the machine's clock.
 *
 * In a cycle the dispatcher places a block, then each SM that has work is stepped, in order of its
 * number. When no SM has any, the clock jumps to the next cycle in which one has, or a reply
 * arrives: cycles and counts are the same as if every cycle had been stepped. */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "tb/gpu/dispatcher.h"
#include "tb/gpu/machine.h"

#define LISTED_WARPS 20 /* in the report of a stuck kernel */

struct run {
    struct gpu *gpu;
    const char *kernel;
    struct gpu_result *result;
    struct exec_launch exec;
    struct occupancy occupancy;
    struct dispatcher dispatcher;
    struct progress progress;
    struct memory_counters memory_before;
    uint64_t start, last_issue;
    uint64_t ended; /* blocks */
    int no_room;    /* no SM took a block, and no block has ended since */
};

__attribute__((format(printf, 3, 4))) static enum gpu_status
fail(struct run *r, enum gpu_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->result->message, sizeof r->result->message, format, arguments);
    va_end(arguments);
    return status;
}

/* Lists the warps behind the reason that is already in the message. */
static void list_warps(struct run *r)
{
    char *text = r->result->message;
    size_t size = sizeof r->result->message, written = strlen(text);
    unsigned left = LISTED_WARPS, unlisted = 0;
    for (unsigned i = 0; i < NUM_SMS; i++)
        written += sm_describe(r->gpu->sms[i], text + written, size - written, &left, &unlisted);
    if (unlisted)
        snprintf(text + written, size - written, "  and %u more\n", unlisted);
}

static uint64_t instructions(const struct gpu *g)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < NUM_SMS; i++)
        sum += sm_counters(g->sms[i])->warp_instructions;
    return sum;
}

static int probing(const struct gpu *g, uint64_t cycle)
{
    return g->probe && cycle >= g->probe_first && cycle <= g->probe_last;
}

/* One cycle of everything that is due. */
static enum gpu_status step(struct run *r)
{
    struct gpu *g = r->gpu;
    uint64_t cycle = g->cycle;
    const int probed = probing(g, cycle);
    if (!dispatcher_empty(&r->dispatcher) && !r->no_room) {
        int placed = dispatcher_step(&r->dispatcher, cycle);
        if (placed < 0)
            r->no_room = 1;
        else
            g->wake[placed] = cycle;
    }
    for (unsigned i = 0; i < NUM_SMS; i++) {
        struct sm *sm = g->sms[i];
        if (g->wake[i] > cycle && memory_next(g->memory, i) > cycle && !probed)
            continue;
        uint64_t ended = sm_counters(sm)->blocks;
        enum sm_status status = sm_step(sm, cycle, &g->wake[i]);
        if (status == SM_MISMATCH) {
            g->mismatch = sm_mismatch(sm);
            if (probed) /* the cycle that matters most */
                g->probe(g->probe_ctx, cycle);
            unit_report(g->mismatch, g->config.name, stderr);
            return fail(r, GPU_MISMATCH, "kernel %s: lockstep found a difference in cycle %" PRIu64,
                        r->kernel, cycle);
        }
        if (status == SM_FAULT)
            return fail(r, GPU_FAULT, "%s", sm_fault(sm));
        ended = sm_counters(sm)->blocks - ended;
        r->ended += ended;
        r->no_room &= !ended;
    }
    if (probed)
        g->probe(g->probe_ctx, cycle);
    return GPU_OK;
}

/* The next cycle in which anything can happen. */
static uint64_t next_cycle(const struct run *r)
{
    const struct gpu *g = r->gpu;
    if (probing(g, g->cycle + 1) || (!dispatcher_empty(&r->dispatcher) && !r->no_room))
        return g->cycle + 1;
    uint64_t next = g->probe && g->cycle < g->probe_first ? g->probe_first : NEVER;
    for (unsigned i = 0; i < NUM_SMS; i++) {
        uint64_t reply = memory_next(g->memory, i);
        next = g->wake[i] < next ? g->wake[i] : next;
        next = reply < next ? reply : next;
    }
    return next > g->cycle ? next : g->cycle + 1;
}

/* Moves the clock to `next`, unless a limit comes first. */
static enum gpu_status advance(struct run *r, uint64_t next)
{
    struct gpu *g = r->gpu;
    uint64_t limit =
        g->config.run_max_cycles ? r->start + (uint64_t)g->config.run_max_cycles : NEVER;
    uint64_t patience = (uint64_t)g->config.run_deadlock_cycles;
    if (next - r->last_issue >= patience)
        for (unsigned i = 0; i < NUM_SMS; i++)
            if (sm_last_issue(g->sms[i]) > r->last_issue)
                r->last_issue = sm_last_issue(g->sms[i]);
    uint64_t stuck = r->last_issue + patience;
    if (next < limit && next < stuck) {
        g->cycle = next;
        return GPU_OK;
    }
    g->cycle = limit < stuck ? limit : stuck;
    if (limit < stuck)
        fail(r, GPU_LIMIT,
             "kernel %s: stopped in cycle %" PRIu64 ", after run.max_cycles = %" PRId64
             ", with %" PRIu64 " of %" PRIu64 " blocks ended\n",
             r->kernel, g->cycle, g->config.run_max_cycles, r->ended, r->dispatcher.blocks);
    else
        fail(r, GPU_DEADLOCK,
             "kernel %s: stuck in cycle %" PRIu64
             ": no instruction for run.deadlock_cycles = %" PRId64 ", with %" PRIu64 " of %" PRIu64
             " blocks ended\n",
             r->kernel, g->cycle, g->config.run_deadlock_cycles, r->ended, r->dispatcher.blocks);
    list_warps(r);
    return limit < stuck ? GPU_LIMIT : GPU_DEADLOCK;
}

static enum gpu_status run(struct run *r)
{
    struct gpu *g = r->gpu;
    for (;;) {
        enum gpu_status status = step(r);
        if (status != GPU_OK) {
            g->cycle++;
            return status;
        }
        if (r->ended == r->dispatcher.blocks) {
            g->cycle++;
            return GPU_OK;
        }
        status = advance(r, next_cycle(r));
        if (status != GPU_OK)
            return status;
        if (progress_due(&r->progress))
            progress_show(&r->progress, r->kernel, g->cycle, instructions(g));
    }
}

static void end_all(struct gpu *g)
{
    for (unsigned i = 0; i < NUM_SMS; i++)
        sm_end(g->sms[i], g->cycle);
}

/* Adds what the kernel did to the statistics, ended or not. Returns 0, or -1: no memory. */
static int account(struct run *r, enum gpu_status status)
{
    struct gpu *g = r->gpu;
    struct stats_sums sums = {.cycles = g->cycle - r->start};
    const struct memory_counters *now = memory_counters(g->memory), *before = &r->memory_before;
    end_all(g);
    for (unsigned i = 0; i < NUM_SMS; i++)
        stats_add_sm(&sums, sm_counters(g->sms[i]), sm_l1d_counters(g->sms[i]));
    sums.memory.reads = now->reads - before->reads;
    sums.memory.writes = now->writes - before->writes;
    sums.memory.atomics = now->atomics - before->atomics;
    sums.memory.bytes = now->bytes - before->bytes;
    return stats_add_kernel(&g->stats, r->kernel, status, &sums, &r->occupancy);
}

/* Prepares all SMs. Returns 0, or -1: no memory. */
static int prepare(struct run *r, const struct gpu_launch *l)
{
    struct gpu *g = r->gpu;
    const struct sm_shape shape = {.warps = r->occupancy.warps, .blocks = r->occupancy.blocks};
    r->exec = (struct exec_launch){.kernel = l->kernel,
                                   .gmem = g->gmem,
                                   .params = l->params,
                                   .work_dim = l->work_dim,
                                   .shared_bytes = r->occupancy.shared_bytes};
    memcpy(r->exec.grid, l->grid, sizeof l->grid);
    memcpy(r->exec.block, l->block, sizeof l->block);
    memcpy(r->exec.offset, l->offset, sizeof l->offset);
    r->start = r->last_issue = g->cycle;
    r->memory_before = *memory_counters(g->memory);
    for (unsigned i = 0; i < NUM_SMS; i++) {
        g->wake[i] = NEVER;
        if (sm_launch(g->sms[i], &r->exec, &shape, g->cycle))
            return -1;
    }
    dispatcher_start(&r->dispatcher, g->sms, NUM_SMS, l->grid, r->occupancy.blocks);
    progress_start(&r->progress);
    return 0;
}

static enum gpu_status launch(struct run *r, const struct gpu_launch *l)
{
    struct gpu *g = r->gpu;
    if (g->mismatch)
        return fail(r, GPU_MISMATCH,
                    "kernel %s: the machine has stopped at an earlier lockstep difference",
                    r->kernel);
    if (occupancy_of(&g->config, l, &r->occupancy, r->result->message, sizeof r->result->message))
        return GPU_NO_FIT;
    if (prepare(r, l)) {
        end_all(g);
        return fail(r, GPU_NO_FIT, "kernel %s: no host memory for %u resident blocks per SM",
                    r->kernel, r->occupancy.blocks);
    }
    double began = seconds_now();
    enum gpu_status status = run(r);
    progress_end(&r->progress);
    g->stats.wall_seconds += seconds_now() - began;
    if (status != GPU_OK)
        memory_reset(g->memory);
    if (account(r, status) && status == GPU_OK)
        return fail(r, GPU_FAULT, "kernel %s: no memory for its statistics", r->kernel);
    return status;
}

enum gpu_status gpu_launch(struct gpu *g, const struct gpu_launch *l, struct gpu_result *result)
{
    struct run r = {.gpu = g, .kernel = l->kernel->name, .result = result};
    result->message[0] = '\0';
    result->start_cycle = g->cycle;
    enum gpu_status status = launch(&r, l);
    result->end_cycle = g->cycle;
    if (status != GPU_OK) {
        g->failed = 1;
        gpu_write_stats(g, stderr);
    }
    return status;
}

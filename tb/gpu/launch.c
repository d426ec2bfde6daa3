/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/launch.c: begins and ends kernels; clock.c lets them run.
 *
 * Launches that run.timing leaves out, and blocks behind run.blocks, are executed all the same, but
 * take no time and leave the caches alone. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tb/gpu/collect.h"
#include "tb/gpu/run.h"
#include "tb/gpu/window.h"

_Static_assert(GPU_KERNELS == NUM_KERNELS, "as many kernels as the machine runs");

static uint64_t product(const uint32_t grid[3])
{
    return (uint64_t)grid[0] * grid[1] * grid[2];
}

/* What the executor must know. */
static void describe(struct run *r)
{
    const struct gpu_launch *l = &r->launch;
    r->exec = (struct exec_launch){.kernel = r->occupancy.kernel,
                                   .gmem = l->gmem ? l->gmem : r->gpu->gmem,
                                   .params = l->params,
                                   .work_dim = l->work_dim,
                                   .shared_bytes = r->occupancy.shared_bytes,
                                   .number = r->gpu->launches++};
    memcpy(r->exec.grid, l->grid, sizeof l->grid);
    memcpy(r->exec.block, l->block, sizeof l->block);
    memcpy(r->exec.offset, l->offset, sizeof l->offset);
}

/* Which blocks are timed: with run.blocks the grid is cut across its last axis. */
static void choose_blocks(struct run *r, const uint32_t grid[3])
{
    struct gpu *g = r->gpu;
    const uint64_t every = (uint64_t)g->config.run_timing, most = (uint64_t)g->config.run_blocks;
    const int axis = grid[2] > 1 ? 2 : grid[1] > 1 ? 1 : 0;
    const uint64_t slice = product(grid) / grid[axis], slices = (most + slice - 1) / slice;
    memcpy(r->grid, grid, sizeof r->grid);
    if (most && slices < grid[axis])
        r->grid[axis] = (uint32_t)slices;
    r->blocks = every && r->exec.number % every == 0 ? product(r->grid) : 0;
}

/* Everything that has been at rest begins to count. */
static void begin_period(struct gpu *g, uint64_t start)
{
    const uint64_t fixed = clocks_fixed(memory_clocks(g->memory), start);
    g->period = (struct period){
        .start = start, .fixed_start = fixed, .fixed = fixed, .first = g->stats.num_kernels};
    g->period.memory_before = memory_counters(g->memory, start);
    g->period.l2_before = memory_l2_served(g->memory);
    if (g->regulator.rack.count)
        regulator_begin(&g->regulator, g->memory);
    g->length = 1; /* the dispatcher's start stands alone */
    progress_start(&g->progress);
}

/* Prepares all SMs. Returns 0, or -1: no memory. */
static int prepare(struct run *r)
{
    struct gpu *g = r->gpu;
    const int alone = run_alone(r);
    struct sm_shape shape = {.warps = r->occupancy.warps,
                             .blocks = r->occupancy.blocks,
                             .space = r->launch.space,
                             .code = code_address(&g->code, r->occupancy.kernel)};
    if (!shape.code)
        return -1;
    sm_alone(&shape);
    if (g->several) { /* another kernel may come, and leave any slot and context */
        shape.slots = NUM_WARPS;
        shape.contexts = (uint32_t)g->config.sm_max_blocks;
    }
    r->start = alone ? g->cycle + 1 : g->cycle;
    r->fixed_start = clocks_fixed(memory_clocks(g->memory), r->start);
    if (alone)
        begin_period(g, r->start);
    if (sm_wants_landmarks(g->sms[0]) && !(r->landmarks = landmarks_of(r->occupancy.kernel)))
        return -1;
    if (sm_wants_operands(g->sms[0]) && !(r->operands = operands_of(r->occupancy.kernel)))
        return -1;
    if (g->profile && profile_begin(g->profile, r->number, r->occupancy.kernel))
        return -1;
    for (unsigned i = 0; i < NUM_SMS; i++) {
        sm_classify(g->sms[i], r->classes);
        sm_told(g->sms[i], r->told ? &r->told[i] : NULL);
        sm_show_operands(g->sms[i], r->operands);
        if (alone)
            sm_record(g->sms[i], g->trace ? trace_stream(g->trace) : NULL);
        if (sm_launch(g->sms[i], r->number, &r->exec, &shape, r->landmarks, r->start))
            return -1;
    }
    const struct block_groups *groups = r->grouped ? &r->grouped->groups : NULL;
    dispatcher_start(&g->dispatcher, r->number, r->grid, &r->occupancy, groups, g->cycle);
    if (g->observe &&
        observe_starts(g->observe, r->number, &r->occupancy, r->grid, groups, g->cycle))
        return -1;
    return 0;
}

/* What is executed without time, and the line about it: other kernels may have theirs. */
struct execution {
    const struct run *run;
    struct progress progress;
};

static int executed(void *context, uint64_t ended, uint64_t instructions)
{
    struct execution *e = context;
    if (progress_due(&e->progress))
        progress_show(&e->progress, &(struct progress_now){.kernel = e->run->kernel,
                                                           .ended = ended,
                                                           .blocks = product(e->run->launch.grid),
                                                           .untimed = 1,
                                                           .instructions = instructions});
    return e->run->gpu->interrupted;
}

/* Executes the blocks behind those that are timed. */
static enum gpu_status execute(struct run *r, struct stats_sums *sums,
                               struct exec_tolerated *tolerated)
{
    struct exec_fault fault = {0};
    struct execution e = {.run = r, .progress.asked = r->gpu->progress.asked};
    const uint64_t most = (uint64_t)r->gpu->config.run_max_untimed_instructions;
    const struct exec_meter meter = {&e, executed, most};
    progress_start(&e.progress);
    const enum exec_end end =
        exec_run(&r->exec, r->blocks, r->gpu->reads ? reads_watch(r->gpu->reads) : NULL, &meter,
                 tolerated, &fault, &sums->untimed_instructions);
    progress_end(&e.progress);
    if (end == EXEC_STOPPED && r->gpu->interrupted)
        return run_fail(r, GPU_INTERRUPTED,
                        "kernel %s: interrupted after %" PRIu64 " warp instructions without timing",
                        r->kernel, sums->untimed_instructions);
    if (end == EXEC_STOPPED)
        return run_fail(r, GPU_LIMIT,
                        "kernel %s: stopped after run.max_untimed_instructions = %" PRIu64
                        " warp instructions without timing",
                        r->kernel, most);
    return end == EXEC_FAULTED ? run_fail(r, GPU_FAULT, "%s", fault.message) : GPU_OK;
}

/* What records is told of the end. Returns the status, or what has become of it. */
static enum gpu_status recorded(struct run *r, enum gpu_status status)
{
    struct gpu *g = r->gpu;
    if (g->reads && reads_end(g->reads, r->result->message, sizeof r->result->message))
        return GPU_FAULT;
    if (g->trace && trace_end(g->trace, r->number, status == GPU_OK, stderr))
        return run_fail(r, GPU_FAULT, "kernel %s: its trace could not be written", r->kernel);
    return status;
}

/* The kernel is over. */
static enum gpu_status finish(struct run *r, enum gpu_status status)
{
    struct gpu *g = r->gpu;
    struct stats_sums own = {0}, together = {0};
    struct exec_tolerated tolerated = sm_tolerates(&g->config);
    const int last = run_alone(r);
    int unaccounted = 0;
    if (r->blocks)
        collect_kernel(r, &own, &together, &tolerated);
    g->runs[r->number] = NULL;
    if (g->observe)
        observe_ends(g->observe, r->number);
    if (status == GPU_OK && r->blocks < product(r->launch.grid))
        status = execute(r, &own, &tolerated);
    own.tolerated = tolerated.counts;
    collect_say_tolerated(r, &tolerated);
    g->stats.grouping_seconds = g->grouped ? grouped_seconds(g->grouped) : 0;
    if (g->observe)
        g->stats.aged = observe_aged(g->observe);
    unaccounted |= r->blocks && g->profile && profile_end(g->profile, r->number);
    if (r->blocks && g->timeline)
        timeline_launch(g->timeline, r->number, &r->exec, r->start, r->end);
    unaccounted |= collect_count(r, status, &own);
    if (last && r->shares)
        unaccounted |= collect_count_period(g, &together);
    status = recorded(r, status);
    if (unaccounted && status == GPU_OK)
        status = run_fail(r, GPU_FAULT, "kernel %s: no memory for its statistics", r->kernel);
    return status;
}

/* Gives the run back; who launched it learns how it was. */
static void release(struct run *r, enum gpu_status status)
{
    struct gpu *g = r->gpu;
    r->result->start_cycle = r->start;
    r->result->end_cycle = r->end;
    free(r->landmarks);
    free(r->operands);
    logs_free(&r->logs);
    free(r);
    if (status != GPU_OK && status != GPU_STOPPED && status != GPU_INTERRUPTED) {
        g->failed = 1;
        gpu_write_stats(g, stderr);
    }
}

/* All kernels are given up: `status` is that of each, and what the message of `blamed` says, or nothing. */
static void abandon(struct gpu *g, enum gpu_status status, const char *message)
{
    progress_end(&g->progress);
    memory_reset(g->memory);
    for (unsigned k = 0; k < NUM_KERNELS; k++) {
        struct run *r = g->runs[k];
        if (!r)
            continue;
        r->end = g->cycle;
        if (message && r->result->message != message)
            memcpy(r->result->message, message, sizeof r->result->message);
        finish(r, status);
        release(r, status);
    }
    if (status == GPU_MISMATCH)
        return;
    g->cycle = dispatcher_stop(&g->dispatcher, g->cycle);
    if (g->observe)
        observe_stopped(g->observe);
}

unsigned gpu_kernels(const struct gpu *g)
{
    return g->several ? GPU_KERNELS : 1;
}

/* Why nothing can run beside the kernels that run, or NULL: it can. */
static const char *refuses_another(const struct gpu *g)
{
    return !g->several             ? "the dispatching policy knows one kernel at a time"
           : g->reads              ? "what a kernel reads is analysed of one kernel at a time"
           : g->classes || g->told ? "what units are told is of one kernel at a time"
                                   : NULL;
}

/* Checks a launch, and readies all that looks on. */
static enum gpu_status ready(struct run *r)
{
    struct gpu *g = r->gpu;
    const struct gpu_launch *l = &r->launch;
    char *const message = r->result->message;
    const char *refused = run_alone(r) ? NULL : refuses_another(g);
    if (refused)
        return run_fail(r, GPU_NO_FIT, "kernel %s cannot run beside another one: %s", r->kernel,
                        refused);
    if (g->mismatch || g->wrong)
        return run_fail(r, GPU_MISMATCH,
                        "kernel %s: the machine has stopped at an earlier lockstep difference",
                        r->kernel);
    if (occupancy_of(&g->config, l, &r->occupancy, message, GPU_MESSAGE_SIZE))
        return GPU_NO_FIT;
    describe(r);
    choose_blocks(r, l->grid);
    if (r->blocks && g->classes &&
        !(r->classes =
              classes_of(g->classes, r->occupancy.kernel, stderr, message, GPU_MESSAGE_SIZE)))
        return GPU_FAULT;
    if (r->blocks && g->told &&
        !(r->told = told_of(g->told, g->stats.num_launches, r->kernel, message, GPU_MESSAGE_SIZE)))
        return GPU_FAULT;
    if (r->blocks && g->grouped &&
        grouped_blocks(g->grouped, l, r->blocks, r->occupancy.blocks, &r->grouped, stderr))
        return run_fail(r, GPU_FAULT, "kernel %s: no memory for groups of its blocks", r->kernel);
    if (g->reads && reads_begin(g->reads, l, message, GPU_MESSAGE_SIZE))
        return GPU_FAULT;
    if (g->trace && trace_begin(g->trace, r->number, &r->exec, l->space, stderr))
        return run_fail(r, GPU_FAULT, "kernel %s: its trace could not be written", r->kernel);
    return GPU_OK;
}

/* No memory for the kernel in all SMs: those that have it forget it. */
static void take_back(struct run *r)
{
    struct gpu *g = r->gpu;
    if (run_alone(r))
        collect_end(g, g->cycle);
    else
        for (unsigned i = 0; i < NUM_SMS; i++)
            sm_leave(g->sms[i], r->number);
    if (g->profile)
        profile_end(g->profile, r->number);
    if (g->trace)
        trace_end(g->trace, r->number, 0, stderr);
}

enum gpu_status gpu_begin(struct gpu *g, unsigned number, const struct gpu_launch *l,
                          struct gpu_result *result)
{
    struct run *r = calloc(1, sizeof *r);
    result->message[0] = '\0';
    result->start_cycle = result->end_cycle = g->cycle;
    free(g->warps);
    g->warps = NULL;
    if (!r) {
        snprintf(result->message, sizeof result->message, "kernel %s: no host memory to run it",
                 l->kernel->name);
        g->failed = 1;
        return GPU_NO_FIT;
    }
    *r = (struct run){.gpu = g,
                      .number = number,
                      .kernel = l->kernel->name,
                      .launch = *l,
                      .result = result,
                      .start = g->cycle,
                      .end = g->cycle};
    enum gpu_status status = ready(r);
    if (status == GPU_OK && r->blocks && prepare(r)) {
        take_back(r);
        status = run_fail(r, GPU_NO_FIT, "kernel %s: no host memory for %u resident blocks per SM",
                          r->kernel, r->occupancy.blocks);
    }
    if (status != GPU_OK) {
        release(r, status);
        return status;
    }
    r->shares = !run_alone(r);
    g->runs[number] = r;
    for (unsigned k = 0; k < NUM_KERNELS && r->shares; k++)
        if (g->runs[k])
            g->runs[k]->shares = 1;
    return GPU_OK;
}

/* A kernel that takes no time, or NULL. */
static struct run *untimed(const struct gpu *g)
{
    for (unsigned k = 0; k < NUM_KERNELS; k++)
        if (g->runs[k] && !g->runs[k]->blocks)
            return g->runs[k];
    return NULL;
}

enum gpu_status gpu_advance(struct gpu *g, unsigned *number)
{
    const double began = seconds_now();
    struct run *r = untimed(g);
    enum gpu_status status = r ? GPU_OK : clock_run(g, &r);
    const unsigned ended = r->number;
    *number = ended;
    if (status == GPU_OK) {
        if (run_alone(r))
            progress_end(&g->progress);
        status = finish(r, status);
        if (status != GPU_OK && !run_alone(r)) /* what it leaves could not be kept */
            abandon(g, status, r->result->message);
        release(r, status);
    } else {
        abandon(g, status, r->result->message);
    }
    g->stats.wall_seconds += seconds_now() - began;
    return status;
}

void gpu_stop(struct gpu *g)
{
    abandon(g, GPU_STOPPED, NULL);
}

enum gpu_status gpu_launch(struct gpu *g, const struct gpu_launch *l, struct gpu_result *result)
{
    unsigned number;
    const enum gpu_status status = gpu_begin(g, 0, l, result);
    return status == GPU_OK ? gpu_advance(g, &number) : status;
}

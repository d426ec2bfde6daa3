/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/launch.c: runs one kernel: the machine's clock.
 *
 * Time goes in windows (tb/gpu/window.h). The cycle before a kernel's first one is a window of its
 * own, in which the dispatcher is started; so are those after its last one, in which the dispatcher
 * hears of the last blocks. When nothing can happen the clock jumps to the next cycle in which
 * something can. A kernel ends when all its blocks have ended and what they wrote has come to rest
 * in memory.
 *
 * Launches that run.timing leaves out, and blocks behind run.blocks, are executed all the same, but
 * take no time and leave the caches alone. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tb/gpu/machine.h"
#include "tb/gpu/window.h"
#include "tb/sm/landmarks.h"

#define LISTED_WARPS 20 /* in the report of a stuck kernel */

struct run {
    struct gpu *gpu;
    const char *kernel;
    struct gpu_result *result;
    struct exec_launch exec;
    struct occupancy occupancy;
    struct progress progress;
    struct memory_counters memory_before;
    struct l2_served l2_before;
    struct landmark *landmarks;           /* NULL: no unit needs them */
    const struct loop_classes *classes;   /* NULL: no profile is given */
    const struct told_pairs *told;        /* of each SM; NULL: no statistics are given */
    const struct grouped_launch *grouped; /* NULL: its blocks are in no groups */
    struct logs logs;                     /* of its units */
    uint64_t start, last_issue;
    uint64_t end;     /* first cycle in which nothing of it is left */
    uint32_t grid[3]; /* blocks that are timed: all, or the first ones, in whole rows */
    uint64_t blocks;  /* of that grid */
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

static uint64_t blocks_ended(const struct gpu *g)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < NUM_SMS; i++)
        sum += sm_counters(g->sms[i])->blocks;
    return sum;
}

/* The first cycle in which nothing of the kernel is left anywhere. */
static uint64_t end_cycle(const struct gpu *g)
{
    uint64_t end = memory_ended(g->memory);
    for (unsigned i = 0; i < NUM_SMS; i++)
        if (sm_ended(g->sms[i]) > end)
            end = sm_ended(g->sms[i]);
    return end;
}

/* Stops the machine for good. */
static enum gpu_status mismatch(struct run *r, struct unit_inst *wrong, uint64_t cycle)
{
    r->gpu->mismatch = wrong;
    unit_report(wrong, r->gpu->config.name, stderr);
    return fail(r, GPU_MISMATCH, "kernel %s: unit %s was found to be wrong in cycle %" PRIu64,
                r->kernel, unit_stem(wrong), cycle);
}

/* The same, where an observer has found something. */
static enum gpu_status observed(struct run *r, const struct window_end *end)
{
    struct gpu *g = r->gpu;
    g->wrong = observe_verdict(g->observe, end->sm);
    g->wrong_cycle = end->cycle;
    fprintf(stderr, "OBSERVED %s\n", g->wrong);
    return fail(r, GPU_MISMATCH, "kernel %s: %s", r->kernel, g->wrong);
}

/* Reports what stopped the window. */
static enum gpu_status stopped(struct run *r, const struct window_end *end)
{
    struct gpu *g = r->gpu;
    g->cycle = end->cycle + 1;
    if (end->status == SM_FAULT)
        return fail(r, GPU_FAULT, "%s", sm_fault(end->sm));
    if (end->status == SM_NO_MEMORY)
        return fail(r, GPU_FAULT, "kernel %s: no memory for the events of cycle %" PRIu64,
                    r->kernel, end->cycle);
    if (end->status == SM_WRONG)
        return observed(r, end);
    return mismatch(r, end->sm ? sm_mismatch(end->sm) : g->dispatcher.rack.wrong, end->cycle);
}

/* The cycle after which the kernel has run for too long, or without issuing: whichever is first. */
static uint64_t deadline(struct run *r)
{
    const struct gpu *g = r->gpu;
    const uint64_t limit =
        g->config.run_max_cycles ? r->start + (uint64_t)g->config.run_max_cycles : NEVER;
    for (unsigned i = 0; i < NUM_SMS; i++)
        if (sm_last_issue(g->sms[i]) > r->last_issue)
            r->last_issue = sm_last_issue(g->sms[i]);
    const uint64_t stuck = r->last_issue + (uint64_t)g->config.run_deadlock_cycles;
    return limit < stuck ? limit : stuck;
}

/* The deadline has come. */
static enum gpu_status overdue(struct run *r)
{
    struct gpu *g = r->gpu;
    const uint64_t ended = blocks_ended(g);
    const int limit =
        g->config.run_max_cycles && g->cycle - r->start >= (uint64_t)g->config.run_max_cycles;
    if (limit)
        fail(r, GPU_LIMIT,
             "kernel %s: stopped in cycle %" PRIu64 ", after run.max_cycles = %" PRId64
             ", with %" PRIu64 " of %" PRIu64 " blocks ended\n",
             r->kernel, g->cycle, g->config.run_max_cycles, ended, r->blocks);
    else
        fail(r, GPU_DEADLOCK,
             "kernel %s: stuck in cycle %" PRIu64
             ": no instruction for run.deadlock_cycles = %" PRId64 ", with %" PRIu64 " of %" PRIu64
             " blocks ended\n",
             r->kernel, g->cycle, g->config.run_deadlock_cycles, ended, r->blocks);
    list_warps(r);
    return limit ? GPU_LIMIT : GPU_DEADLOCK;
}

/* The kernel has ended: all units are compared once more, and their counts with the machine's. */
static enum gpu_status settle(struct run *r)
{
    struct gpu *g = r->gpu;
    struct rack *wrong = rack_settle(&g->dispatcher.rack, g->cycle) ? &g->dispatcher.rack : NULL;
    for (unsigned i = 0; i < NUM_SMS * NUM_RACKS && !wrong; i++) {
        struct rack *rack = sm_rack(g->sms[i / NUM_RACKS], i % NUM_RACKS);
        wrong = rack_settle(rack, g->cycle) ? rack : NULL;
    }
    for (unsigned i = 0; i < NUM_SMS && !wrong; i++)
        wrong = sm_audit(g->sms[i], g->cycle);
    return wrong ? mismatch(r, wrong->wrong, g->cycle) : GPU_OK;
}

/* Where units of SMs want to know, they are told what memory was like by the end of the window. */
static void tell_memory(struct run *r)
{
    struct gpu *g = r->gpu;
    struct sm_replies replies = {0};
    struct gpu_memory now = {0};
    if (!sm_wants_memory(g->sms[0]) || g->dispatcher.num_ended == r->blocks)
        return; /* when all blocks have ended there is nothing more to tell */
    for (unsigned i = 0; i < NUM_SMS; i++) {
        const struct sm_replies of = sm_replies(g->sms[i]);
        replies.count += of.count;
        replies.cycles += of.cycles;
        now.in_flight += sm_in_flight(g->sms[i]);
    }
    struct l2_served l2 = memory_l2_served(g->memory);
    l2.accesses -= r->l2_before.accesses;
    l2.misses -= r->l2_before.misses;
    now.latency = replies.count ? replies.cycles / replies.count : 0;
    now.l2_missed = l2.accesses ? 100 * l2.misses / l2.accesses : 0;
    for (unsigned i = 0; i < NUM_SMS; i++)
        sm_tell_memory(g->sms[i], &now, g->cycle);
}

static enum gpu_status run(struct run *r)
{
    struct gpu *g = r->gpu;
    const uint64_t window = sm_window(&g->config);
    uint64_t length = 1; /* the dispatcher's start stands alone */
    for (;;) {
        const uint64_t last = deadline(r);
        const uint64_t until = g->cycle + length < last ? g->cycle + length : last;
        const struct window_end end = window_run(g, until);
        if (end.status != SM_OK)
            return stopped(r, &end);
        g->cycle = until;
        tell_memory(r);
        if (g->trace && trace_collect(g->trace, stderr))
            return fail(r, GPU_FAULT, "kernel %s: its trace could not be written", r->kernel);
        uint64_t next = window_next(g);
        const int quiet = g->dispatcher.num_ended == r->blocks && window_quiet(g);
        if (quiet && g->dispatcher.done) {
            r->end = end_cycle(g);
            dispatcher_end(&g->dispatcher);
            return settle(r);
        }
        const uint64_t dispatcher = dispatcher_next(&g->dispatcher);
        next = dispatcher < next ? dispatcher : next;
        length = quiet ? 1 : window; /* only the dispatcher is to hear of it */
        g->cycle = window_skip(g, next);
        if (g->cycle >= deadline(r)) {
            g->cycle = deadline(r);
            return overdue(r);
        }
        if (progress_due(&r->progress))
            progress_show(&r->progress, r->kernel, g->cycle, instructions(g));
    }
}

static void end_all(struct gpu *g, uint64_t cycle)
{
    for (unsigned i = 0; i < NUM_SMS; i++)
        sm_end(g->sms[i], cycle);
}

/* Adds what the SMs and the memory did for the kernel, ended or not. */
static void collect(struct run *r, struct stats_sums *sums)
{
    struct gpu *g = r->gpu;
    const struct memory_counters now = memory_counters(g->memory, r->end);
    sums->cycles = r->end - r->start;
    end_all(g, r->end);
    for (unsigned i = 0; i < NUM_SMS; i++) {
        stats_add_sm(sums, g->sms[i]);
        logs_add(&r->logs, sm_rack(g->sms[i], NUM_SCHEDULERS), i);
    }
    rack_count(&g->dispatcher.rack, &sums->sm.found);
    if (r->grouped)
        sums->sharing = r->grouped->counts;
    stats_add_memory(sums, &now, &r->memory_before);
}

/* What the executor must know. */
static void describe(struct run *r, const struct gpu_launch *l)
{
    r->exec = (struct exec_launch){.kernel = r->occupancy.kernel,
                                   .gmem = r->gpu->gmem,
                                   .params = l->params,
                                   .work_dim = l->work_dim,
                                   .shared_bytes = r->occupancy.shared_bytes};
    memcpy(r->exec.grid, l->grid, sizeof l->grid);
    memcpy(r->exec.block, l->block, sizeof l->block);
    memcpy(r->exec.offset, l->offset, sizeof l->offset);
}

/* Prepares all SMs. Returns 0, or -1: no memory. */
static int prepare(struct run *r)
{
    struct gpu *g = r->gpu;
    const struct sm_shape shape = {.warps = r->occupancy.warps,
                                   .blocks = r->occupancy.blocks,
                                   .code = code_address(&g->code, r->occupancy.kernel)};
    if (!shape.code)
        return -1;
    r->start = r->last_issue = g->cycle + 1;
    r->memory_before = memory_counters(g->memory, r->start);
    r->l2_before = memory_l2_served(g->memory);
    if (sm_wants_landmarks(g->sms[0]) && !(r->landmarks = landmarks_of(r->occupancy.kernel)))
        return -1;
    if (g->profile && profile_begin(g->profile, r->occupancy.kernel))
        return -1;
    for (unsigned i = 0; i < NUM_SMS; i++) {
        sm_classify(g->sms[i], r->classes);
        sm_told(g->sms[i], r->told ? &r->told[i] : NULL);
        sm_record(g->sms[i], g->trace ? trace_stream(g->trace) : NULL);
        if (sm_launch(g->sms[i], &r->exec, &shape, r->landmarks, r->start))
            return -1;
    }
    const struct block_groups *groups = r->grouped ? &r->grouped->groups : NULL;
    dispatcher_start(&g->dispatcher, r->grid, r->occupancy.blocks, groups, g->cycle);
    if (g->observe && observe_starts(g->observe, r->occupancy.kernel, r->grid, r->occupancy.blocks,
                                     groups, g->cycle))
        return -1;
    progress_start(&r->progress);
    return 0;
}

/* Runs the blocks that are timed. */
static enum gpu_status simulate(struct run *r, struct stats_sums *sums)
{
    struct gpu *g = r->gpu;
    const enum gpu_status status = run(r);
    progress_end(&r->progress);
    if (status != GPU_OK) {
        r->end = g->cycle;
        memory_reset(g->memory);
    }
    collect(r, sums);
    if (status != GPU_OK && status != GPU_MISMATCH) {
        g->cycle = dispatcher_stop(&g->dispatcher, g->cycle);
        if (g->observe)
            observe_stopped(g->observe);
    }
    return status;
}

/* Executes the blocks behind them. */
static enum gpu_status execute(struct run *r, struct stats_sums *sums)
{
    struct exec_fault fault = {0};
    if (exec_run(&r->exec, r->blocks, r->gpu->reads ? reads_watch(r->gpu->reads) : NULL, &fault,
                 &sums->untimed_instructions))
        return fail(r, GPU_FAULT, "%s", fault.message);
    return GPU_OK;
}

static uint64_t product(const uint32_t grid[3])
{
    return (uint64_t)grid[0] * grid[1] * grid[2];
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
    r->blocks = every && g->launches++ % every == 0 ? product(r->grid) : 0;
}

static enum gpu_status launch(struct run *r, const struct gpu_launch *l)
{
    struct gpu *g = r->gpu;
    struct stats_sums sums = {0};
    if (g->mismatch || g->wrong)
        return fail(r, GPU_MISMATCH,
                    "kernel %s: the machine has stopped at an earlier lockstep difference",
                    r->kernel);
    if (occupancy_of(&g->config, l, &r->occupancy, r->result->message, sizeof r->result->message))
        return GPU_NO_FIT;
    describe(r, l);
    choose_blocks(r, l->grid);
    if (r->blocks && g->classes &&
        !(r->classes = classes_of(g->classes, r->occupancy.kernel, stderr, r->result->message,
                                  sizeof r->result->message)))
        return GPU_FAULT;
    if (r->blocks && g->told &&
        !(r->told = told_of(g->told, g->stats.num_kernels, r->kernel, r->result->message,
                            sizeof r->result->message)))
        return GPU_FAULT;
    if (r->blocks && g->grouped &&
        grouped_blocks(g->grouped, l, r->blocks, r->occupancy.blocks, &r->grouped, stderr))
        return fail(r, GPU_FAULT, "kernel %s: no memory for groups of its blocks", r->kernel);
    if (g->reads && reads_begin(g->reads, l, r->result->message, sizeof r->result->message))
        return GPU_FAULT;
    if (g->trace && trace_begin(g->trace, &r->exec, stderr))
        return fail(r, GPU_FAULT, "kernel %s: its trace could not be written", r->kernel);
    if (r->blocks && prepare(r)) {
        end_all(g, g->cycle);
        if (g->trace)
            trace_end(g->trace, 0, stderr);
        return fail(r, GPU_NO_FIT, "kernel %s: no host memory for %u resident blocks per SM",
                    r->kernel, r->occupancy.blocks);
    }
    const double began = seconds_now();
    enum gpu_status status = r->blocks ? simulate(r, &sums) : GPU_OK;
    if (status == GPU_OK && r->blocks < product(l->grid))
        status = execute(r, &sums);
    g->stats.wall_seconds += seconds_now() - began;
    g->stats.grouping_seconds = g->grouped ? grouped_seconds(g->grouped) : 0;
    if (g->observe)
        g->stats.aged = observe_aged(g->observe);
    const int unaccounted =
        (r->blocks && g->profile && profile_end(g->profile)) |
        stats_add_kernel(&g->stats, r->kernel, status, &sums, &r->occupancy, &r->logs);
    if (g->reads && reads_end(g->reads, r->result->message, sizeof r->result->message))
        return GPU_FAULT;
    if (g->trace && trace_end(g->trace, status == GPU_OK, stderr))
        return fail(r, GPU_FAULT, "kernel %s: its trace could not be written", r->kernel);
    if (unaccounted && status == GPU_OK)
        return fail(r, GPU_FAULT, "kernel %s: no memory for its statistics", r->kernel);
    return status;
}

enum gpu_status gpu_launch(struct gpu *g, const struct gpu_launch *l, struct gpu_result *result)
{
    struct run r = {
        .gpu = g, .start = g->cycle, .end = g->cycle, .kernel = l->kernel->name, .result = result};
    result->message[0] = '\0';
    enum gpu_status status = launch(&r, l);
    free(r.landmarks);
    logs_free(&r.logs);
    result->start_cycle = r.start;
    result->end_cycle = r.end;
    if (status != GPU_OK) {
        g->failed = 1;
        gpu_write_stats(g, stderr);
    }
    return status;
}

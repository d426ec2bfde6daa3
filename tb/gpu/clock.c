/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/clock.c: the machine's clock.
 *
 * Time goes in windows (tb/gpu/window.h). The cycle before a kernel's first one is a window of its
 * own where no other runs, in which the dispatcher is started; so are those after its last one, in
 * which the dispatcher hears of the last blocks. When nothing can happen the clock jumps to the next
 * cycle in which something can. A kernel ends when all its blocks have ended and what they wrote has
 * come to rest in memory; beside another one, which goes on writing, when its blocks have ended. */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "tb/gpu/collect.h"
#include "tb/gpu/run.h"
#include "tb/gpu/standing.h"
#include "tb/gpu/window.h"

#define LISTED_LINES 20 /* about warps, in the message */

enum gpu_status run_fail(struct run *r, enum gpu_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->result->message, sizeof r->result->message, format, arguments);
    va_end(arguments);
    return status;
}

int run_alone(const struct run *r)
{
    for (unsigned k = 0; k < NUM_KERNELS; k++)
        if (r->gpu->runs[k] && r->gpu->runs[k] != r)
            return 0;
    return 1;
}

static uint64_t instructions(const struct run *r)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < NUM_SMS; i++)
        sum += sm_counters_of(r->gpu->sms[i], r->number)->warp_instructions;
    return sum;
}

static uint64_t blocks_ended(const struct run *r)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < NUM_SMS; i++)
        sum += sm_counters_of(r->gpu->sms[i], r->number)->blocks;
    return sum;
}

/* The first cycle in which nothing of the kernel is left anywhere or, beside another one, in the SMs. */
static uint64_t end_cycle(const struct run *r)
{
    const struct gpu *g = r->gpu;
    uint64_t end = run_alone(r) ? memory_ended(g->memory) : 0;
    for (unsigned i = 0; i < NUM_SMS; i++)
        if (sm_ended(g->sms[i], r->number) > end)
            end = sm_ended(g->sms[i], r->number);
    return end;
}

/* Where each warp is, for who asks (gpu_warps). */
static void list_warps(struct gpu *g)
{
    size_t length;
    FILE *all = open_memstream(&g->warps, &length);
    if (all) {
        standing_list(g->sms, all);
        fclose(all);
    }
}

/* Stops the machine for good. */
static enum gpu_status mismatch(struct run *r, struct unit_inst *wrong)
{
    r->gpu->mismatch = wrong;
    unit_report(wrong, r->gpu->config.name, stderr);
    list_warps(r->gpu);
    return run_fail(r, GPU_MISMATCH, "kernel %s: unit %s was found to be wrong in cycle %" PRIu64,
                    r->kernel, unit_stem(wrong), unit_failed_cycle(wrong));
}

/* The same, where an observer has found something. */
static enum gpu_status observed(struct run *r, const struct window_end *end)
{
    struct gpu *g = r->gpu;
    g->wrong = observe_verdict(g->observe, end->sm);
    g->wrong_cycle = end->cycle;
    fprintf(stderr, "OBSERVED %s\n", g->wrong);
    return run_fail(r, GPU_MISMATCH, "kernel %s: %s", r->kernel, g->wrong);
}

/* Reports what stopped the window. */
static enum gpu_status stopped(struct run *r, const struct window_end *end)
{
    struct gpu *g = r->gpu;
    g->cycle = end->cycle + 1;
    if (end->status == SM_FAULT)
        return run_fail(r, GPU_FAULT, "%s", sm_fault(end->sm));
    if (end->status == SM_NO_MEMORY)
        return run_fail(r, GPU_FAULT, "kernel %s: no memory for the events of cycle %" PRIu64,
                        r->kernel, end->cycle);
    if (end->status == SM_WRONG)
        return observed(r, end);
    return mismatch(r, end->sm                   ? sm_mismatch(end->sm)
                       : g->regulator.rack.wrong ? g->regulator.rack.wrong
                                                 : g->dispatcher.rack.wrong);
}

/* The cycle after which the kernel has run for too long, or nobody has issued: whichever is first. (It may have no block on any SM
 * while another kernel, which goes on, leaves it no room.) */
static uint64_t deadline_of(const struct run *r)
{
    const struct gpu *g = r->gpu;
    const uint64_t limit =
        g->config.run_max_cycles ? r->start + (uint64_t)g->config.run_max_cycles : NEVER;
    uint64_t last_issue = r->start;
    for (unsigned i = 0; i < NUM_SMS; i++)
        if (sm_last_issue(g->sms[i]) > last_issue)
            last_issue = sm_last_issue(g->sms[i]);
    const uint64_t stuck = last_issue + (uint64_t)g->config.run_deadlock_cycles;
    return limit < stuck ? limit : stuck;
}

/* The first of these, and whose it is. */
static uint64_t deadline(struct gpu *g, struct run **of)
{
    uint64_t first = NEVER;
    for (unsigned k = 0; k < NUM_KERNELS; k++) {
        const uint64_t own = g->runs[k] ? deadline_of(g->runs[k]) : NEVER;
        if (own < first) {
            first = own;
            *of = g->runs[k];
        }
    }
    return first;
}

/* The run that is to blame where the machine has stopped: the first. (A fault names its kernel.) */
static struct run *blamed(const struct gpu *g)
{
    for (unsigned k = 0; k < NUM_KERNELS; k++)
        if (g->runs[k])
            return g->runs[k];
    return NULL;
}

/* How a kernel has stopped, and where the warps are. */
static void print_stop(const struct run *r, const char *how, const char *why, FILE *out)
{
    fprintf(out,
            "kernel %s: %s in cycle %" PRIu64 "%s, with %" PRIu64 " of %" PRIu64 " blocks ended",
            r->kernel, how, r->gpu->cycle, why, blocks_ended(r), r->blocks);
    standing_summary(r->gpu->sms, LISTED_LINES, out);
}

/* A kernel ends before its end. */
static enum gpu_status stop(struct run *r, enum gpu_status status, const char *how, const char *why)
{
    FILE *message = fmemopen(r->result->message, sizeof r->result->message, "w");
    if (message) {
        print_stop(r, how, why, message);
        fclose(message);
    }
    list_warps(r->gpu);
    return status;
}

char *gpu_where(const struct gpu *g)
{
    char *text = NULL;
    size_t length;
    const struct run *r = blamed(g);
    FILE *out = r ? open_memstream(&text, &length) : NULL;
    if (out) {
        print_stop(r, "it was", "", out);
        fclose(out);
    }
    return text;
}

/* The deadline has come. */
static enum gpu_status overdue(struct run *r)
{
    const struct config *c = &r->gpu->config;
    char why[96];
    const int limit = c->run_max_cycles && r->gpu->cycle - r->start >= (uint64_t)c->run_max_cycles;
    if (limit)
        snprintf(why, sizeof why, ", after run.max_cycles = %" PRId64, c->run_max_cycles);
    else
        snprintf(why, sizeof why, ": no instruction for run.deadlock_cycles = %" PRId64,
                 c->run_deadlock_cycles);
    return limit ? stop(r, GPU_LIMIT, "stopped", why) : stop(r, GPU_DEADLOCK, "stuck", why);
}

/* The last kernel has ended: all units are compared once more, and their counts with the machine's. */
static enum gpu_status settle(struct run *r)
{
    struct gpu *g = r->gpu;
    struct rack *wrong = rack_settle(&g->dispatcher.rack, g->cycle) ? &g->dispatcher.rack : NULL;
    if (!wrong && rack_settle(&g->regulator.rack, g->regulator.cycle))
        wrong = &g->regulator.rack;
    for (unsigned i = 0; i < NUM_SMS * NUM_RACKS && !wrong; i++) {
        struct rack *rack = sm_rack(g->sms[i / NUM_RACKS], i % NUM_RACKS);
        wrong = rack_settle(rack, g->cycle) ? rack : NULL;
    }
    for (unsigned i = 0; i < NUM_SMS && !wrong; i++)
        wrong = sm_audit(g->sms[i], g->cycle);
    return wrong ? mismatch(r, wrong->wrong) : GPU_OK;
}

/* Have all blocks of all kernels ended? */
static int all_ended(const struct gpu *g)
{
    for (unsigned k = 0; k < NUM_KERNELS; k++)
        if (g->runs[k] && !dispatcher_ended(&g->dispatcher, k))
            return 0;
    return 1;
}

/* Where units of SMs want to know, they are told what memory was like by the end of the window. */
static void tell_memory(struct gpu *g)
{
    struct sm_replies replies = {0};
    struct gpu_memory now = {0};
    if (!sm_wants_memory(g->sms[0]) || all_ended(g))
        return; /* when all blocks have ended there is nothing more to tell */
    for (unsigned i = 0; i < NUM_SMS; i++) {
        const struct sm_replies of = sm_replies(g->sms[i]);
        replies.count += of.count;
        replies.cycles += of.cycles;
        now.in_flight += sm_in_flight(g->sms[i]);
    }
    struct l2_served l2 = memory_l2_served(g->memory);
    l2.accesses -= g->period.l2_before.accesses;
    l2.misses -= g->period.l2_before.misses;
    now.latency = replies.count ? replies.cycles / replies.count : 0;
    now.l2_missed = l2.accesses ? 100 * l2.misses / l2.accesses : 0;
    for (unsigned i = 0; i < NUM_SMS; i++)
        sm_tell_memory(g->sms[i], &now, g->cycle);
}

/* A kernel of which nothing is left, or NULL. `quiet`: nothing moves. */
static struct run *over(const struct gpu *g, int quiet)
{
    for (unsigned k = 0; k < NUM_KERNELS; k++)
        if (g->runs[k] && dispatcher_done(&g->dispatcher, k) &&
            dispatcher_ended(&g->dispatcher, k) && (quiet || !run_alone(g->runs[k])))
            return g->runs[k];
    return NULL;
}

/* Writes what can be written of the traces. The kernel whose trace fails, or NULL. */
static struct run *collect_traces(const struct gpu *g)
{
    for (unsigned k = 0; k < NUM_KERNELS; k++)
        if (g->runs[k] && trace_collect(g->trace, k, stderr))
            return g->runs[k];
    return NULL;
}

/* Of several kernels the first. */
static void show_progress(struct gpu *g)
{
    unsigned k = 0;
    while (k < NUM_KERNELS && !g->runs[k])
        k++;
    const struct run *const r = k < NUM_KERNELS ? g->runs[k] : NULL;
    if (r)
        progress_show(&g->progress, &(struct progress_now){.kernel = r->kernel,
                                                           .ended = blocks_ended(r),
                                                           .blocks = r->blocks,
                                                           .cycles = g->cycle - r->start,
                                                           .instructions = instructions(r)});
}

/* A window has ended: the SMs' clock changes where the regulator wants it to. The memory goes on while it stands, in windows of its
 * own. */
static struct window_end change_clock(struct gpu *g)
{
    const struct clock_controls c = g->regulator.steered;
    struct window_end end = {.status = SM_OK};
    if (c.sm_clock == NO_CHOICE || c.sm_clock == memory_clocks(g->memory)->sixths)
        return end;
    collect_clock(g, g->cycle);
    memory_pace(g->memory, (unsigned)c.sm_clock, g->cycle, 0);
    const uint64_t most = (uint64_t)g->config.xbar_latency;
    uint64_t left = c.stands == NO_CHOICE ? 0 : c.stands;
    while (left && end.status == SM_OK) {
        const uint64_t stands = left < most ? left : most;
        memory_pace(g->memory, (unsigned)c.sm_clock, g->cycle, stands);
        end = window_run(g, g->cycle);
        left -= stands;
    }
    return end;
}

/* The next cycle in which the regulator may do something. */
static uint64_t next_regulation(const struct gpu *g)
{
    return clocks_by(memory_clocks(g->memory), regulator_next(&g->regulator));
}

enum gpu_status clock_run(struct gpu *g, struct run **r)
{
    uint64_t last = 0; /* no deadline comes before: while its kernel issues, it only moves away */
    for (;;) {
        if (g->cycle + g->length > last)
            last = deadline(g, r);
        const uint64_t until = g->cycle + g->length < last ? g->cycle + g->length : last;
        struct window_end end = window_run(g, until);
        if (end.status == SM_OK) {
            g->cycle = until;
            end = change_clock(g);
        }
        if (end.status != SM_OK) {
            *r = blamed(g);
            return stopped(*r, &end);
        }
        tell_memory(g);
        struct run *const untraced = g->trace ? collect_traces(g) : NULL;
        if (untraced) {
            *r = untraced;
            return run_fail(untraced, GPU_FAULT, "kernel %s: its trace could not be written",
                            untraced->kernel);
        }
        uint64_t next = window_next(g);
        const int quiet = all_ended(g) && window_quiet(g);
        struct run *const ended = over(g, quiet);
        if (ended) {
            *r = ended;
            ended->end = end_cycle(ended);
            const int alone = run_alone(ended);
            dispatcher_end(&g->dispatcher, ended->number);
            g->length = window_length(g);
            return alone ? settle(ended) : GPU_OK;
        }
        const uint64_t dispatcher = dispatcher_next(&g->dispatcher), change = next_regulation(g);
        next = dispatcher < next ? dispatcher : next;
        next = change < next ? change : next;
        g->length = quiet ? 1 : window_length(g); /* only the dispatcher is to hear of it */
        g->cycle = window_skip(g, next);
        if (g->cycle >= last && g->cycle >= (last = deadline(g, r))) {
            g->cycle = last;
            return overdue(*r);
        }
        if (g->interrupted) {
            *r = blamed(g);
            return stop(*r, GPU_INTERRUPTED, "interrupted", "");
        }
        if (progress_due(&g->progress))
            show_progress(g);
    }
}

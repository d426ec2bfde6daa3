/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/window.c: see window.h.
 *
 * Within a window SMs and memory partitions know nothing of each other (tb/mem/memory.h), so each
 * is a piece of work of its own. Stores and atomics of global memory are performed at its end, SM
 * after SM. The regulator and the dispatcher go before the SMs. While a waveform is written the SMs go cycle by
 * cycle, with the same result. */
#include "tb/gpu/window.h"

struct job {
    struct gpu *gpu;
    uint64_t until;
    enum sm_status *statuses; /* of each SM */
};

static int probing(const struct gpu *g, uint64_t cycle)
{
    return g->probe && cycle >= g->probe_first && cycle <= g->probe_last;
}

/* What goes before the SMs. Returns 0, or -1: a unit has failed. */
static int run_first(struct gpu *g, uint64_t until)
{
    return regulator_run(&g->regulator, clocks_fixed(memory_clocks(g->memory), until)) ||
                   dispatcher_run(&g->dispatcher, until)
               ? -1
               : 0;
}

static void run_piece(void *context, unsigned i)
{
    struct job *job = context;
    struct gpu *g = job->gpu;
    if (i < NUM_SMS) {
        memory_collect(g->memory, i);
        job->statuses[i] = sm_run(g->sms[i], job->until);
    } else
        memory_run(g->memory, i - NUM_SMS, job->until);
}

/* The SMs in step, each that holds a block in every cycle that the waveform shows. */
static void run_probed(struct job *job)
{
    struct gpu *g = job->gpu;
    int stopped = 0;
    for (unsigned i = 0; i < NUM_SMS; i++)
        memory_collect(g->memory, i);
    for (uint64_t cycle = g->cycle; cycle < job->until && !stopped; cycle++) {
        const int probed = probing(g, cycle);
        stopped = run_first(g, cycle + 1);
        for (unsigned i = 0; i < NUM_SMS; i++) {
            job->statuses[i] = probed && sm_resident(g->sms[i]) ? sm_step(g->sms[i], cycle)
                                                                : sm_run(g->sms[i], cycle + 1);
            stopped |= job->statuses[i] != SM_OK;
        }
        if (probed)
            g->probe(g->probe_ctx, cycle);
    }
    for (unsigned i = 0; i < memory_partitions(g->memory); i++)
        memory_run(g->memory, i, job->until);
}

static struct window_end end_of(const struct job *job)
{
    struct gpu *g = job->gpu;
    struct window_end end = {.status = SM_OK, .cycle = NEVER};
    const struct unit_inst *wrong = g->dispatcher.rack.wrong;
    if (g->regulator.wrong)
        end = (struct window_end){SM_WRONG, g->cycle, NULL};
    else if (g->regulator.rack.wrong)
        end = (struct window_end){SM_MISMATCH, g->cycle, NULL};
    else if (g->dispatcher.wrong) /* it names what was shown, rather than what came of it */
        end = (struct window_end){SM_WRONG, g->dispatcher.cycle - 1, NULL};
    else if (wrong)
        end = (struct window_end){SM_MISMATCH, unit_failed_cycle(wrong), NULL};
    for (unsigned i = 0; i < NUM_SMS; i++)
        if (job->statuses[i] != SM_OK && sm_stepped(g->sms[i]) - 1 < end.cycle)
            end = (struct window_end){job->statuses[i], sm_stepped(g->sms[i]) - 1, g->sms[i]};
    for (unsigned i = 0; i < NUM_SMS; i++)
        if (sm_perform(g->sms[i]) && end.status == SM_OK)
            end = (struct window_end){SM_FAULT, job->until - 1, g->sms[i]};
    return end;
}

struct window_end window_run(struct gpu *g, uint64_t until)
{
    enum sm_status statuses[NUM_SMS] = {SM_OK};
    struct job job = {g, until, statuses};
    if (g->probe && until > g->probe_first && g->cycle <= g->probe_last) {
        run_probed(&job);
    } else {
        if (run_first(g, until))
            job.until = g->dispatcher.cycle; /* an SM may have failed before */
        pool_run(g->pool, run_piece, &job, NUM_SMS + memory_partitions(g->memory));
    }
    struct window_end end = end_of(&job);
    if (dispatcher_listen(&g->dispatcher) && end.status == SM_OK)
        end = (struct window_end){SM_NO_MEMORY, job.until - 1, NULL};
    if (g->regulator.rack.count)
        regulator_listen(&g->regulator, g->sms, g->memory);
    if (g->observe && observe_window(g->observe, until) && end.status == SM_OK)
        end = (struct window_end){SM_WRONG, until ? until - 1 : 0, NULL};
    memory_turn(g->memory);
    return end;
}

uint64_t window_length(const struct gpu *g)
{
    const uint64_t flight =
        (uint64_t)g->config.xbar_latency * memory_clocks(g->memory)->sixths / CLOCK_SIXTHS;
    const uint64_t longest = sm_window(&g->config);
    return flight < longest ? flight : longest;
}

uint64_t window_next(const struct gpu *g)
{
    uint64_t next = memory_event(g->memory);
    for (unsigned i = 0; i < NUM_SMS; i++) {
        const uint64_t event = sm_next(g->sms[i]);
        next = event < next ? event : next;
    }
    return next;
}

int window_quiet(const struct gpu *g)
{
    uint64_t next = memory_event(g->memory);
    for (unsigned i = 0; i < NUM_SMS; i++) {
        const uint64_t event = sm_next_own(g->sms[i]);
        next = event < next ? event : next;
    }
    return next == NEVER;
}

uint64_t window_skip(const struct gpu *g, uint64_t next)
{
    if (g->probe && g->cycle <= g->probe_last) {
        const uint64_t shown = g->cycle > g->probe_first ? g->cycle : g->probe_first;
        next = shown < next ? shown : next;
    }
    const uint64_t length = window_length(g);
    return next > g->cycle ? g->cycle + (next - g->cycle) / length * length : g->cycle;
}

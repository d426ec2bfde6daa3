/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/collect.c: see collect.h. */
#include "tb/gpu/collect.h"

#include <inttypes.h>
#include <string.h>

#include "tb/exec/tolerate.h"

/* In cycles of the fixed clock. */
static uint64_t fixed(const struct gpu *g, uint64_t cycle)
{
    return clocks_fixed(memory_clocks(g->memory), cycle);
}

void collect_end(struct gpu *g, uint64_t cycle)
{
    for (unsigned i = 0; i < NUM_SMS; i++)
        sm_end(g->sms[i], cycle);
}

/* What the SMs and the memory have done since all was at rest. */
static struct stats_sums sums_by(struct gpu *g, uint64_t cycle)
{
    const struct memory_counters now = memory_counters(g->memory, cycle);
    struct stats_sums sums = {.cycles = fixed(g, cycle) - g->period.fixed_start,
                              .sm_cycles = cycle - g->period.start};
    for (unsigned i = 0; i < NUM_SMS; i++)
        stats_add_sm(&sums, g->sms[i]);
    stats_add_memory(&sums, &now, &g->period.memory_before);
    return sums;
}

/* Ends what has gone on at one clock of the SMs: its cycles, and its energy, which is that of its voltage. */
static void meter(struct period *p, const struct stats_sums *sums, const struct config *c,
                  uint64_t sixths)
{
    uint64_t events[NUM_ENERGY_KEYS], since[NUM_ENERGY_KEYS];
    const uint64_t now = p->fixed_start + sums->cycles;
    energy_events(sums, events);
    for (unsigned i = 0; i < NUM_ENERGY_KEYS; i++)
        since[i] = events[i] - p->events[i];
    energy_spend(since, c, (unsigned)sixths, p->energy);
    memcpy(p->events, events, sizeof p->events);
    p->at_clock[sixths - LEAST_SM_CLOCK] += now - p->fixed;
    p->fixed = now;
}

void collect_clock(struct gpu *g, uint64_t cycle)
{
    const struct stats_sums sums = sums_by(g, cycle);
    meter(&g->period, &sums, &g->config, memory_clocks(g->memory)->sixths);
}

/* Adds what was done in the period. */
static void collect_period(struct gpu *g, struct stats_sums *sums, uint64_t end)
{
    struct period *p = &g->period;
    collect_end(g, end);
    struct stats_sums done = sums_by(g, end);
    meter(p, &done, &g->config, memory_clocks(g->memory)->sixths);
    memcpy(done.at_clock, p->at_clock, sizeof done.at_clock);
    memcpy(done.energy, p->energy, sizeof done.energy);
    rack_count(&g->dispatcher.rack, &done.sm.found);
    stats_add_words(sums, &done, sizeof done);
}

/* What the kernel's own warps did, where others ran beside it. */
static void collect_own(const struct run *r, struct stats_sums *sums)
{
    sums->cycles = fixed(r->gpu, r->end) - r->fixed_start;
    sums->sm_cycles = r->end - r->start;
    for (unsigned i = 0; i < NUM_SMS; i++)
        stats_add_own(sums, r->gpu->sms[i], r->number);
}

void collect_kernel(struct run *r, struct stats_sums *own, struct stats_sums *together,
                    struct exec_tolerated *tolerated)
{
    struct gpu *g = r->gpu;
    const int last = run_alone(r);
    for (unsigned i = 0; i < NUM_SMS; i++)
        if (r->shares)
            sm_leave(g->sms[i], r->number);
    if (r->shares)
        collect_own(r, own);
    if (last)
        collect_period(g, r->shares ? together : own, r->end);
    /* Beside others it is counted for as long as it is in the machine. */
    own->tail_cycles = dispatcher_tail(&g->dispatcher, r->number, last ? r->end : g->cycle);
    for (unsigned i = 0; i < NUM_SMS && last; i++)
        logs_add(&r->logs, sm_rack(g->sms[i], NUM_SCHEDULERS), i);
    for (unsigned i = 0; i < NUM_SMS; i++)
        exec_tolerate_add(tolerated, sm_tolerated(g->sms[i], r->number));
    if (r->grouped)
        own->sharing = r->grouped->counts;
}

void collect_say_tolerated(const struct run *r, const struct exec_tolerated *o)
{
    const struct exec_tolerated_counts *n = &o->counts;
    if (*o->access)
        fprintf(stderr,
                "heddle: kernel %s: accesses outside the buffers have passed: %" PRIu64
                " overruns (mem.overrun), %" PRIu64 " reads, %" PRIu64
                " writes (gpu.outside); one of them: %s\n",
                r->kernel, n->overruns, n->reads, n->writes, o->access);
    if (*o->barrier)
        fprintf(stderr,
                "heddle: kernel %s: a part of a warp has come to a barrier %" PRIu64
                " times, and each counts as a warp; one of them: %s\n",
                r->kernel, n->partial_barriers, o->barrier);
}

int collect_count(struct run *r, enum gpu_status status, const struct stats_sums *own)
{
    struct kernel_stats k = {.name = (char *)r->kernel,
                             .status = status,
                             .launches = 1,
                             .number = r->number,
                             .shares = r->shares,
                             .start = r->start,
                             .sums = *own,
                             .occupancy = r->occupancy};
    memcpy(k.grid, r->launch.grid, sizeof k.grid);
    memcpy(k.block, r->launch.block, sizeof k.block);
    struct stats *s = &r->gpu->stats;
    if (stats_add_kernel(s, &k, &r->logs))
        return -1;
    if (r->gpu->kept)
        kept_kernel(r->gpu->kept, s->last, &s->kernels[s->last]);
    return 0;
}

int collect_count_period(struct gpu *g, const struct stats_sums *sums)
{
    struct stats *s = &g->stats;
    if (stats_add_period(s, g->period.first, sums))
        return -1;
    if (g->kept)
        kept_period(g->kept, s->num_periods - 1, &s->periods[s->num_periods - 1]);
    return 0;
}

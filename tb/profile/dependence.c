/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/dependence.c: see dependence.h. */
#include "tb/profile/dependence.h"

#include <stdlib.h>
#include <string.h>

#define NOBODY UINT64_MAX

static const enum mix_pipe pipes[NUM_ISSUE_CLASSES] = {
    [ISSUE_SP] = MIX_SP,
    [ISSUE_SFU] = MIX_SFU,
    [ISSUE_GMEM] = MIX_MEM,
    [ISSUE_STCMEM] = MIX_MEM,
};

static void add_distances(struct mix_counts *to, const struct mix_counts *from)
{
    for (unsigned p = 0; p < NUM_MIX_PIPES; p++)
        for (unsigned i = 0; i <= MIX_BEYOND; i++)
            to->at[p][i] += from->at[p][i];
}

static void add_counts(struct dependence_counts *to, const struct dependence_counts *from)
{
    to->warps += from->warps;
    add_distances(&to->distances, &from->distances);
    to->waits += from->waits;
    to->waited += from->waited;
    to->memory += from->memory;
    to->busy += from->busy;
}

static void begin(struct followed *f, uint64_t warp)
{
    f->warp = warp;
    mix_online_start(&f->online, f->table, f->kernel->num_regs);
    memset(f->issued, 0, f->kernel->num_uops * sizeof *f->issued);
}

static void end(struct followed *f)
{
    f->counts.warps++;
    add_distances(&f->counts.distances, &f->online.counts);
    f->warp = NOBODY;
}

static void issue(struct dependence *d, struct followed *f, const struct event *e)
{
    const struct uop *u = &f->kernel->uops[e->of.issue.pc];
    struct mix_instruction in = {.pipe = pipes[e->of.issue.issue_class],
                                 .num_reads = u->num_reads,
                                 .num_writes = u->num_writes};
    _Static_assert(sizeof u->reads / sizeof u->reads[0] <= MIX_READS, "an instruction's reads");
    _Static_assert(sizeof u->writes / sizeof u->writes[0] <= MIX_WRITES, "and writes");
    memcpy(in.reads, u->reads, u->num_reads * sizeof *in.reads);
    memcpy(in.writes, u->writes, u->num_writes * sizeof *in.writes);
    mix_online_issue(&f->online, &in); /* the parser keeps register numbers below their count */
    if (in.pipe != MIX_MEM)
        return;
    f->counts.memory++;
    f->counts.busy += d->mem_interval;
    if (u->num_writes)
        f->issued[e->of.issue.pc] = e->cycle;
}

/* Lines go to L1D one after the other, and keep the unit for longer than an instruction by itself. */
static void access(struct dependence *d, struct followed *f, uint64_t lines)
{
    const uint64_t cycles = lines * d->line_interval;
    f->counts.busy += cycles > d->mem_interval ? cycles - d->mem_interval : 0;
}

static void complete(struct followed *f, uint64_t pc, uint64_t cycle)
{
    if (!f->issued[pc]) /* it writes no register */
        return;
    f->counts.waits++;
    f->counts.waited += cycle - f->issued[pc];
}

static struct followed *of_warp(struct dependence *d, uint64_t warp)
{
    struct followed *f = &d->of[d->kernel_of[warp]];
    return f->warp == warp ? f : NULL;
}

static void hear(void *context, const struct event *e)
{
    struct dependence *d = context;
    struct followed *f;
    switch (e->kind) {
    case EVENT_warp_start:
        d->kernel_of[e->of.warp_start.warp] = (uint8_t)e->of.warp_start.kernel;
        f = &d->of[e->of.warp_start.kernel];
        if (f->kernel && f->warp == NOBODY)
            begin(f, e->of.warp_start.warp);
        return;
    case EVENT_warp_end:
        if ((f = of_warp(d, e->of.warp_end.warp)))
            end(f);
        return;
    case EVENT_issue:
        if ((f = of_warp(d, e->of.issue.warp)))
            issue(d, f, e);
        return;
    case EVENT_access:
        if ((f = of_warp(d, e->of.access.warp)))
            access(d, f, e->of.access.lines);
        return;
    default:
        if ((f = of_warp(d, e->of.complete.warp)))
            complete(f, e->of.complete.pc, e->cycle);
    }
}

void dependence_open(struct dependence *d, const struct config *c)
{
    *d = (struct dependence){.listener = {.hears = HEARS(warp_start) | HEARS(warp_end) |
                                                   HEARS(issue) | HEARS(access) | HEARS(complete),
                                          .hear = hear,
                                          .context = d},
                             .mem_interval = (uint64_t)c->mem_interval,
                             .line_interval = (uint64_t)c->l1d_interval};
    for (unsigned i = 0; i < NUM_KERNELS; i++)
        d->of[i].warp = NOBODY;
}

static void forget(struct followed *f)
{
    free(f->table);
    free(f->issued);
    *f = (struct followed){.warp = NOBODY};
}

void dependence_close(struct dependence *d)
{
    for (unsigned i = 0; i < NUM_KERNELS; i++)
        forget(&d->of[i]);
}

int dependence_begin(struct dependence *d, unsigned number, const struct ptx_kernel *kernel)
{
    struct followed *f = &d->of[number];
    forget(f);
    f->kernel = kernel;
    f->table = calloc(kernel->num_regs + 1u, sizeof *f->table);
    f->issued = calloc(kernel->num_uops + 1u, sizeof *f->issued);
    return f->table && f->issued ? 0 : -1;
}

void dependence_take(struct dependence *d, unsigned number, struct dependence_counts *sums)
{
    struct followed *f = &d->of[number];
    if (f->warp != NOBODY) /* the kernel was stopped */
        end(f);
    add_counts(sums, &f->counts);
    forget(f);
}

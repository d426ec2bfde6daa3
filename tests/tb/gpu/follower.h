/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/follower.h: takes the events of an SM one after the other, as kernel `work` of
 * events_test.ptx makes them, and fails at the first that cannot be: plain tables of warps, blocks,
 * lines of L1D and accesses. */
#ifndef HEDDLE_TESTS_TB_GPU_FOLLOWER_H
#define HEDDLE_TESTS_TB_GPU_FOLLOWER_H

#include "tb/mem/tags.h"
#include "tb/sm/sm_state.h"
#include "tests/tb/gpu/bench.h"
#include "tests/tb/ptx/ptx_support.h"

#define MOST_BLOCKS 1024
#define MOST_LINES  2048

/* A warp, as its events tell. */
struct warp {
    int lives, waits;
    uint64_t block, next_pc, issues, left; /* left: the cycle in which a barrier let it go */
    uint64_t begins[8], ends[8];           /* of each loop */
};

/* A line of L1D that is on its way, or there. */
struct line {
    uint64_t address, owner;
    int there;
};

/* An access of memory: an instruction that has issued, and later what waits for its lines. */
struct access {
    uint64_t warp, pc, cycle;
};
struct accesses {
    struct access items[MOST_LINES];
    unsigned count;
};

static void take_out(struct accesses *a, unsigned index)
{
    a->count--;
    memmove(&a->items[index], &a->items[index + 1], (a->count - index) * sizeof a->items[0]);
}

/* Follows the events of one SM through one kernel. */
struct follower {
    const struct ptx_kernel *kernel;
    const struct config *config;
    const struct sm *sm;
    uint64_t counts[NUM_EVENTS], cycle, lanes, lines_of_loads, lines_of_others, merged, bypassing,
        own_hits, returned, waited, loads,
        fetch_hits; /* waited: modulo 2^64 until the last line has come */
    struct warp warps[NUM_SLOTS];
    uint64_t contexts[64], blocks_running[64]; /* by context: whether one runs, and which */
    uint64_t ended_of[MOST_BLOCKS];            /* warps of a block that have ended */
    int told
        [NUM_SLOTS]; /* of the right to load: 1: taken, 2: given back; 0: nothing in this kernel */
    struct line lines[MOST_LINES];
    unsigned num_lines;
    struct accesses issued, waiting;
    uint64_t last_block, last_start; /* cycles */
    const uint64_t *trips;           /* how often a warp goes through each loop */
};

static struct line *line_of(struct follower *f, uint64_t address)
{
    for (unsigned i = 0; i < f->num_lines; i++)
        if (f->lines[i].address == address)
            return &f->lines[i];
    return NULL;
}

static void forget(struct follower *f, struct line *l)
{
    assert_non_null(l);
    *l = f->lines[--f->num_lines];
}

static void on_kernel_start(struct follower *f, const struct event *e)
{
    assert_true(f->cycle == 0);
    (void)e;
}

static void on_kernel_end(struct follower *f, const struct event *e)
{
    (void)f, (void)e;
}

static void on_last_block(struct follower *f, const struct event *e)
{
    f->last_block = e->cycle;
}

static void on_block_start(struct follower *f, const struct event *e)
{
    const uint64_t context = e->of.block_start.context;
    assert_true(e->of.block_start.block < MOST_BLOCKS && !f->contexts[context]);
    f->contexts[context] = 1;
    f->blocks_running[context] = e->of.block_start.block;
    f->last_start = e->cycle;
}

static void on_block_end(struct follower *f, const struct event *e)
{
    const uint64_t context = e->of.block_end.context;
    assert_true(f->contexts[context]);
    assert_true(f->blocks_running[context] == e->of.block_end.block);
    assert_int_equal(f->ended_of[e->of.block_end.block], f->sm->kernels[0].shape.warps);
    for (unsigned i = 0; i < f->waiting.count; i++) /* nothing of it is in flight */
        assert_true(f->warps[f->waiting.items[i].warp].block != e->of.block_end.block);
    f->contexts[context] = 0;
}

static void on_warp_start(struct follower *f, const struct event *e)
{
    struct warp *w = &f->warps[e->of.warp_start.warp];
    int runs = 0;
    assert_false(w->lives);
    *w = (struct warp){.lives = 1, .block = e->of.warp_start.block};
    for (unsigned c = 0; c < 64; c++)
        runs |= f->contexts[c] && f->blocks_running[c] == w->block;
    assert_true(runs);
    for (unsigned i = 0; i < f->num_lines; i++)
        if (f->lines[i].owner == e->of.warp_start.warp)
            f->lines[i].owner = NOBODY;
}

static void on_warp_end(struct follower *f, const struct event *e)
{
    struct warp *w = &f->warps[e->of.warp_end.warp];
    assert_true(w->lives && !w->waits && w->issues > 0);
    assert_int_equal(w->next_pc, f->kernel->num_uops);
    for (unsigned i = 0; i < f->kernel->num_loops; i++) {
        assert_int_equal(w->begins[i + 1], f->trips[i]);
        assert_int_equal(w->ends[i + 1], f->trips[i]);
    }
    f->ended_of[w->block]++;
    w->lives = 0;
}

static void on_barrier_wait(struct follower *f, const struct event *e)
{
    struct warp *w = &f->warps[e->of.barrier_wait.warp];
    assert_true(w->lives && !w->waits);
    w->waits = 1;
}

static void on_barrier_leave(struct follower *f, const struct event *e)
{
    struct warp *w = &f->warps[e->of.barrier_leave.warp];
    assert_true(w->lives && w->waits);
    for (unsigned i = 0; i < NUM_SLOTS; i++) { /* all of the block have come */
        const struct warp *other = &f->warps[i];
        if (other->lives && other->block == w->block)
            assert_true(other->waits || other->left == e->cycle);
    }
    w->waits = 0;
    w->left = e->cycle;
}

static int is_load(const struct uop *u)
{
    return u->op == U_LD || u->op == U_ATOM;
}

/* From 1, in program order; 0: it is none. */
static uint64_t number_of_load(const struct follower *f, uint64_t pc)
{
    uint64_t number = 0, is = 0;
    for (uint64_t i = 0; i <= pc; i++) {
        is = f->kernel->uops[i].klass == CLASS_GMEM && is_load(&f->kernel->uops[i]);
        number += is;
    }
    return is ? number : 0;
}

static void on_withhold(struct follower *f, const struct event *e)
{
    int *told = &f->told[e->of.withhold.warp];
    assert_true(*told != 1);
    *told = 1;
}

static void on_admit(struct follower *f, const struct event *e)
{
    int *told = &f->told[e->of.admit.warp];
    assert_true(*told != 2);
    *told = 2;
}

static void on_issue(struct follower *f, const struct event *e)
{
    if (e->of.issue.load) /* it may */
        assert_true(f->told[e->of.issue.warp] != 1);
    const uint64_t pc = e->of.issue.pc, active = e->of.issue.active;
    struct warp *w = &f->warps[e->of.issue.warp];
    const struct uop *u = &f->kernel->uops[pc];
    assert_true(w->lives && !w->waits);
    assert_int_equal(pc, w->issues ? w->next_pc : 0);
    assert_true(active != 0 && active <= UINT32_MAX);
    w->issues++;
    f->loads += e->of.issue.load != 0;
    w->next_pc = e->of.issue.next_pc;
    f->lanes += (uint64_t)__builtin_popcountll(active);
    assert_int_equal(e->of.issue.issue_class == ISSUE_GMEM, u->klass == CLASS_GMEM);
    assert_int_equal(e->of.issue.issue_class == ISSUE_STCMEM, u->klass == CLASS_STCMEM);
    assert_int_equal(e->of.issue.issue_class == ISSUE_SFU, u->klass == CLASS_SFU);
    const uint64_t begins = e->of.issue.loop_begin, ends = e->of.issue.loop_end;
    for (unsigned i = 0; i < f->kernel->num_loops; i++) {
        assert_int_equal(begins == i + 1, f->kernel->loops[i].head == pc);
        assert_int_equal(ends == i + 1, f->kernel->loops[i].back == pc);
    }
    w->begins[begins]++;
    w->ends[ends]++;
    const uint64_t next = e->of.issue.next_pc;
    assert_int_equal(e->of.issue.loop, next < f->kernel->num_uops ? f->kernel->loop_of[next] : 0);
    if (u->klass == CLASS_GMEM)
        f->issued.items[f->issued.count++] = (struct access){e->of.issue.warp, pc, e->cycle};
    assert_int_equal(e->of.issue.load, number_of_load(f, pc));
}

/* Places are used in turns. */
static void on_enqueue(struct follower *f, const struct event *e)
{
    const uint64_t places = (uint64_t)f->config->mem_queue + 1;
    assert_true(e->of.enqueue.warp < NUM_SLOTS);
    assert_int_equal(e->of.enqueue.kernel, 0);
    assert_int_equal(e->of.enqueue.place, f->counts[EVENT_enqueue] % places);
}

static uint32_t silent_load(const struct follower *f)
{
    return find_text(f->kernel, "@%p4 ld.global.u32 %r18, [%rd5]", 0);
}

/* The load/store unit goes in order; an instruction that no lane executes makes no access. */
static void on_access(struct follower *f, const struct event *e)
{
    const struct uop *u = &f->kernel->uops[e->of.access.pc];
    while (f->issued.count && f->issued.items[0].pc == silent_load(f))
        take_out(&f->issued, 0);
    assert_true(f->issued.count > 0);
    assert_int_equal(f->issued.items[0].warp, e->of.access.warp);
    assert_int_equal(f->issued.items[0].pc, e->of.access.pc);
    assert_int_equal(f->issued.items[0].cycle, e->of.access.issued);
    assert_true(f->issued.items[0].cycle <= e->cycle);
    take_out(&f->issued, 0);
    assert_int_equal(e->of.access.load, u->op == U_LD ? number_of_load(f, e->of.access.pc) : 0);
    assert_int_equal(e->of.access.loop, f->kernel->loop_of[e->of.access.pc]);
    assert_int_equal(e->of.access.line % (uint64_t)f->config->l1d_line, 0);
    *(u->op == U_LD ? &f->lines_of_loads : &f->lines_of_others) += e->of.access.lines;
    if (is_load(u))
        f->waiting.items[f->waiting.count++] =
            (struct access){e->of.access.warp, e->of.access.pc, e->cycle};
    /* The strided load goes to a line for each lane, the counters lie in one. */
    if (e->of.access.pc == find_text(f->kernel, "ld.global.u32 %r18, [%rd5]", 0))
        assert_int_equal(e->of.access.lines, __builtin_popcountll(e->of.access.active));
    else if (u->op == U_ATOM)
        assert_int_equal(e->of.access.lines, 1);
    else
        assert_true(e->of.access.lines == 1 || e->of.access.lines == 2);
}

static void on_reply(struct follower *f, const struct event *e)
{
    const uint64_t latency = e->of.reply.latency;
    unsigned i = 0;
    assert_true(latency >= (uint64_t)f->config->l1d_hit_latency);
    for (; i < f->waiting.count; i++) {
        const struct access *a = &f->waiting.items[i];
        if (a->warp == e->of.reply.warp && a->pc == e->of.reply.pc &&
            a->cycle + latency == e->cycle)
            break;
    }
    assert_true(i < f->waiting.count);
    take_out(&f->waiting, i);
}

static void on_l1d_hit(struct follower *f, const struct event *e)
{
    const struct line *l = line_of(f, e->of.l1d_hit.line);
    assert_true(l && l->there && l->owner == e->of.l1d_hit.owner);
    f->own_hits += e->of.l1d_hit.warp == l->owner;
}

static void on_l1d_miss(struct follower *f, const struct event *e)
{
    struct line *l = line_of(f, e->of.l1d_miss.line);
    assert_true(!l || !l->there);
    f->merged += e->of.l1d_miss.merged;
    f->waited -= e->cycle;
    if (e->of.l1d_miss.merged) /* one that bypasses is not in the list */
        assert_int_equal(e->of.l1d_miss.bypass, !l);
    else
        f->bypassing += e->of.l1d_miss.bypass;
    if (e->of.l1d_miss.merged)
        return;
    if (l) /* it was on its way and did not stay, as it was written meanwhile */
        forget(f, l);
    assert_true(f->num_lines < MOST_LINES);
    f->lines[f->num_lines++] =
        (struct line){.address = e->of.l1d_miss.line, .owner = e->of.l1d_miss.warp};
}

static void on_l1d_bypass(struct follower *f, const struct event *e)
{
    const struct line *l = &f->lines[f->num_lines - 1]; /* of the miss just told */
    assert_true(l->address == e->of.l1d_bypass.line && l->owner == e->of.l1d_bypass.warp);
    f->num_lines--;
}

static void on_l1d_evict(struct follower *f, const struct event *e)
{
    struct line *l = line_of(f, e->of.l1d_evict.line);
    assert_true(l && l->there && l->owner == e->of.l1d_evict.owner);
    forget(f, l);
}

static void on_l1d_write(struct follower *f, const struct event *e)
{
    (void)f, (void)e;
}

static void on_l1d_drop(struct follower *f, const struct event *e)
{
    struct line *l = line_of(f, e->of.l1d_drop.line);
    assert_true(l && l->there && l->owner == e->of.l1d_drop.owner);
    forget(f, l);
}

static void on_l1d_fill(struct follower *f, const struct event *e)
{
    struct line *l = line_of(f, e->of.l1d_fill.line);
    assert_true(l && !l->there && l->owner == e->of.l1d_fill.owner);
    l->there = 1;
}

/* A line may be asked for twice at a time, by loads that want different sectors of it past L1D. */
static void on_l1d_return(struct follower *f, const struct event *e)
{
    assert_true(e->of.l1d_return.loads >= 1);
    f->returned += e->of.l1d_return.loads;
    f->waited += e->of.l1d_return.loads * e->cycle;
    assert_true(f->returned <= f->counts[EVENT_l1d_miss]);
}

/* No more have completed than have issued. */
static void on_complete(struct follower *f, const struct event *e)
{
    const uint64_t *issued = sm_counters_of(f->sm, 0)->instructions;
    assert_true(e->of.complete.warp < NUM_SLOTS);
    assert_true(f->counts[EVENT_complete] < issued[ISSUE_GMEM] + issued[ISSUE_STCMEM]);
}

static void on_fetch(struct follower *f, const struct event *e)
{
    assert_true(e->of.fetch.warp < NUM_SLOTS);
    f->fetch_hits += e->of.fetch.hit;
}

/* No average is below the least or above the time since the kernel began. */
static void on_gpu_memory(struct follower *f, const struct event *e)
{
    const uint64_t latency = e->of.gpu_memory.latency;
    assert_true(!latency || latency >= (uint64_t)f->config->l1d_hit_latency);
    assert_true(latency <= e->cycle && e->of.gpu_memory.l2_missed <= 100);
    assert_true(e->of.gpu_memory.in_flight <= (uint64_t)NUM_SMS * NUM_SLOTS * 64);
}

static void (*const follower_takes[])(struct follower *, const struct event *) = {
#define EVENT(name, members, meaning) on_##name,
#include "tb/events.def"
};

static void follower_take(struct follower *f, const struct event *e)
{
    assert_true(e->cycle >= f->cycle);
    follower_takes[e->kind](f, e);
    f->counts[e->kind]++;
    f->cycle = e->cycle;
}

/* Nothing is left when the kernel has ended, and the machine has counted what was told. */
static void follower_end(const struct follower *f)
{
    const struct sm_counters counters = sm_counters(f->sm), *sm = &counters;
    const struct l1_counters *l1d = sm_l1d_counters(f->sm);
    const uint64_t *n = f->counts;
    for (unsigned w = 0; w < NUM_SLOTS; w++)
        assert_false(f->warps[w].lives);
    for (unsigned c = 0; c < 64; c++)
        assert_false(f->contexts[c]);
    assert_int_equal(f->waiting.count, 0);
    for (unsigned a = 0; a < f->issued.count; a++)
        assert_int_equal(f->issued.items[a].pc, silent_load(f));
    assert_int_equal(n[EVENT_kernel_start], 1);
    assert_int_equal(n[EVENT_kernel_end], 1);
    assert_int_equal(n[EVENT_last_block], 1);
    assert_int_equal(n[EVENT_block_start], sm->blocks);
    assert_int_equal(n[EVENT_block_end], sm->blocks);
    assert_int_equal(n[EVENT_warp_start], sm->blocks * f->sm->kernels[0].shape.warps);
    assert_int_equal(n[EVENT_warp_end], n[EVENT_warp_start]);
    assert_int_equal(n[EVENT_barrier_leave], n[EVENT_barrier_wait]);
    assert_int_equal(n[EVENT_issue], sm->warp_instructions);
    assert_int_equal(n[EVENT_withhold], sm->withheld);
    assert_int_equal(f->loads, sm->loads);
    assert_int_equal(n[EVENT_enqueue], n[EVENT_complete]);
    assert_int_equal(n[EVENT_complete],
                     sm->instructions[ISSUE_GMEM] + sm->instructions[ISSUE_STCMEM]);
    assert_int_equal(n[EVENT_fetch], sm_l1i_counters(f->sm)->accesses);
    assert_int_equal(f->fetch_hits, sm_l1i_counters(f->sm)->hits);
    assert_int_equal(f->lanes, sm->thread_instructions);
    assert_int_equal(n[EVENT_l1d_hit], l1d->hits);
    assert_int_equal(f->own_hits, l1d->hits_intra_warp);
    assert_int_equal(n[EVENT_l1d_miss], l1d->misses);
    assert_int_equal(f->returned, l1d->misses);
    assert_int_equal(f->waited, l1d->waited);
    assert_int_equal(f->merged, l1d->mshr_merged);
    assert_int_equal(n[EVENT_l1d_bypass], l1d->bypassed);
    assert_int_equal(f->bypassing, l1d->bypassed);
    assert_int_equal(n[EVENT_l1d_write], l1d->stores + l1d->atomics);
    assert_int_equal(n[EVENT_l1d_evict], l1d->evictions);
    assert_int_equal(n[EVENT_l1d_drop], l1d->store_evictions + l1d->atomic_evictions);
    assert_true(n[EVENT_l1d_fill] <= l1d->misses - l1d->mshr_merged - l1d->bypassed);
    assert_int_equal(f->lines_of_loads, l1d->accesses);
    assert_int_equal(f->lines_of_others, l1d->stores + l1d->atomics);
}

#endif

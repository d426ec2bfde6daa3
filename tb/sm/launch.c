/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/launch.c: an SM is readied for a kernel, and left by it; what is counted of each. See sm.h. */
#include <string.h>

#include "tb/mem/lines.h"
#include "tb/sm/sm.h"
#include "tb/sm/sm_state.h"

_Static_assert(HOST_LINE % ALIGNMENT == 0, "lines_alloc aligns pieces");

/* Makes room for `count` aligned pieces of `bytes`. It begins as 0: registers of lanes that never run are looked at, too, and what they
 * hold must be the same in each run. Returns 0, or -1: no memory. */
static int reserve(struct region *r, uint64_t count, uint64_t bytes)
{
    uint64_t size = count * aligned(bytes);
    if (size <= r->size)
        return 0;
    lines_free(r->bytes);
    r->bytes = lines_alloc(count, aligned(bytes));
    r->size = r->bytes ? size : 0;
    return r->bytes ? 0 : -1;
}

/* The most warps of a kernel that a scheduler holds at a time. */
static uint32_t most_warps(const struct sm_shape *s)
{
    const uint32_t slots = s->blocks * ((s->warps + NUM_SCHEDULERS - 1) / NUM_SCHEDULERS);
    return slots < NUM_WARPS ? slots : NUM_WARPS;
}

/* Memory for the slots and contexts in which its warps and blocks may be. */
static int allocate(struct sm_kernel *k)
{
    const struct ptx_kernel *kernel = k->launch->kernel;
    const uint32_t slots = k->shape.slots * NUM_SCHEDULERS;
    const uint64_t pending_bytes = (uint64_t)NUM_SLOTS * kernel->num_regs;
    if (reserve(&k->registers, slots, exec_warp_bytes(kernel)) ||
        reserve(&k->local, slots, exec_local_bytes(kernel)) ||
        reserve(&k->shared, k->shape.contexts, k->launch->shared_bytes) ||
        reserve(&k->pending_memory, 1, pending_bytes))
        return -1;
    k->pending = k->pending_memory.bytes;
    if (pending_bytes)
        memset(k->pending, 0, pending_bytes);
    return 0;
}

void sm_alone(struct sm_shape *s)
{
    /* Both are filled from the lowest. */
    s->slots = most_warps(s);
    s->contexts = s->blocks;
}

void sm_record(struct sm *sm, const struct stream *stream)
{
    sm->stream = stream;
}

void sm_classify(struct sm *sm, const struct loop_classes *classes)
{
    sm->classes = sm->view.classes = classes;
}

void sm_told(struct sm *sm, const struct told_pairs *told)
{
    sm->told = sm->view.told = told;
}

void sm_show_operands(struct sm *sm, const struct operand_view *operands)
{
    sm->view.operands = operands;
}

/* The struct holds counts and nothing else. */
static void add_counters(struct sm_counters *sum, const struct sm_counters *term)
{
    for (size_t i = 0; i < sizeof *sum / sizeof(uint64_t); i++)
        ((uint64_t *)sum)[i] += ((const uint64_t *)term)[i];
}

/* Lanes of all instructions. */
static uint64_t lanes(const struct sm_counters *c)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < NUM_ISSUE_CLASSES; i++)
        sum += c->threads[i];
    return sum;
}

void sm_leave(struct sm *sm, unsigned kernel)
{
    struct sm_kernel *k = &sm->kernels[kernel];
    if (!k->launch)
        return;
    k->launch = NULL;
    k->landmarks = NULL;
    k->resident = 0;
    k->counters.thread_instructions = lanes(&k->counters);
    add_counters(&sm->counters, &k->counters);
}

int sm_idle(const struct sm *sm)
{
    for (unsigned i = 0; i < NUM_KERNELS; i++)
        if (sm->kernels[i].launch)
            return 0;
    return 1;
}

const struct sm_counters *sm_counters_of(const struct sm *sm, unsigned kernel)
{
    return &sm->kernels[kernel].counters;
}

struct sm_counters sm_counters(const struct sm *sm)
{
    struct sm_counters sum = sm->counters;
    for (unsigned i = 0; i < NUM_KERNELS; i++)
        if (sm->kernels[i].launch) {
            add_counters(&sum, &sm->kernels[i].counters);
            sum.thread_instructions += lanes(&sm->kernels[i].counters);
        }
    return sum;
}

static void add_issues(struct sm_issues *sum, const struct sm_counters *c)
{
    sum->instructions += c->warp_instructions;
    sum->arithmetic += c->instructions[ISSUE_SP] + c->instructions[ISSUE_SFU];
}

struct sm_issues sm_issues(const struct sm *sm)
{
    struct sm_issues sum = {0};
    add_issues(&sum, &sm->counters);
    for (unsigned i = 0; i < NUM_KERNELS; i++)
        if (sm->kernels[i].launch)
            add_issues(&sum, &sm->kernels[i].counters);
    return sum;
}

/* The SM is empty: makes it as new, from `cycle` on. */
static void renew(struct sm *sm, uint64_t cycle)
{
    l1_reset(sm->l1d, cycle);
    l1_reset(sm->l1c, cycle);
    if (sm->l1i)
        l1_reset(sm->l1i, cycle);
    sm->counters = (struct sm_counters){0};
    sm->fault = (struct exec_fault){0};
    sm->view.warps = 0;
    sm->stepped = cycle;
    sm->last_issue = 0;
    sm->own_wake = sm->last_block = sm->told_memory = sm->coming = sm->telling = NEVER;
    sm->replies = (struct sm_replies){0};
    sm->gpu_memory = (struct gpu_memory){0};
    sm->wake = sm->rack.count ? cycle : NEVER;
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++) {
        sm->schedulers[i].changed = 1;
        sm->schedulers[i].counted = cycle;
        if (sm->schedulers[i].always) /* its units may move before it has a warp */
            sm->wake = cycle;
    }
    for (unsigned i = 0; i < NUM_KERNELS; i++)
        sm->kernels[i].counters = (struct sm_counters){0};
    sm->num_placements = 0;
    rack_log_begin(&sm->rack);
}

int sm_launch(struct sm *sm, unsigned kernel, const struct exec_launch *launch,
              const struct sm_shape *shape, const struct landmark *landmarks, uint64_t cycle)
{
    struct sm_kernel *k = &sm->kernels[kernel];
    const int first = sm_idle(sm);
    if (first)
        renew(sm, cycle);
    k->launch = launch;
    k->landmarks = landmarks;
    k->shape = *shape;
    k->counters = (struct sm_counters){0};
    k->ended = cycle;
    k->tail = NEVER;
    k->tolerated = sm->tolerated;
    const uint64_t warps = sm->view.warps + most_warps(shape);
    sm->view.warps = warps < NUM_WARPS ? warps : NUM_WARPS;
    if (first)
        tell(&sm->listener, cycle, kernel_start);
    return allocate(k);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/launch.c: an SM is readied for a kernel. See sm.h. */
#include <stdlib.h>
#include <string.h>

#include "tb/sm/sm.h"
#include "tb/sm/sm_state.h"

#define ALIGNMENT 64 /* of register, local and shared memory blocks: exec.h */

static uint64_t aligned(uint64_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Makes room for `count` aligned pieces of `bytes`. Returns 0, or -1: no memory. */
static int reserve(struct region *r, uint64_t count, uint64_t bytes)
{
    uint64_t size = count * aligned(bytes);
    if (size <= r->size)
        return 0;
    free(r->bytes);
    r->bytes = aligned_alloc(ALIGNMENT, size);
    r->size = r->bytes ? size : 0;
    return r->bytes ? 0 : -1;
}

/* The most warps that a scheduler holds at a time. */
static uint32_t most_warps(const struct sm_shape *s)
{
    const uint32_t slots = s->blocks * ((s->warps + NUM_SCHEDULERS - 1) / NUM_SCHEDULERS);
    return slots < NUM_WARPS ? slots : NUM_WARPS;
}

/* Memory for the warps and blocks that can be resident at once. Slots are filled from the lowest,
 * so the others stay unused. */
static int allocate(struct sm *sm, const struct ptx_kernel *k)
{
    const uint32_t slots = most_warps(&sm->shape);
    uint64_t registers = exec_warp_bytes(k), local = exec_local_bytes(k),
             shared = sm->launch->shared_bytes;
    sm->pending_words = (k->num_regs + 63) / 64;
    uint64_t pending_bytes = (uint64_t)NUM_SLOTS * sm->pending_words * sizeof *sm->pending;
    if (reserve(&sm->registers, slots * NUM_SCHEDULERS, registers) ||
        reserve(&sm->local, slots * NUM_SCHEDULERS, local) ||
        reserve(&sm->shared, sm->shape.blocks, shared) ||
        reserve(&sm->pending_memory, 2, pending_bytes))
        return -1;
    memset(sm->pending_memory.bytes, 0, 2 * pending_bytes);
    sm->pending = (uint64_t *)sm->pending_memory.bytes;
    sm->pending_load = sm->pending + (uint64_t)NUM_SLOTS * sm->pending_words;
    for (uint32_t i = 0; i < slots * NUM_SCHEDULERS; i++) {
        struct exec_warp *w = &sm->schedulers[i / slots].warps[i % slots];
        w->regs = sm->registers.bytes + i * aligned(registers);
        w->local = local ? sm->local.bytes + i * aligned(local) : NULL;
    }
    for (uint32_t i = 0; i < sm->shape.blocks; i++)
        sm->blocks[i].exec.shared = sm->shared.bytes + i * aligned(shared);
    return 0;
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

int sm_launch(struct sm *sm, const struct exec_launch *launch, const struct sm_shape *shape,
              const struct landmark *landmarks, uint64_t cycle)
{
    l1_reset(sm->l1d, cycle);
    l1_reset(sm->l1c, cycle);
    if (sm->l1i)
        l1_reset(sm->l1i, cycle);
    sm->counters = (struct sm_counters){0};
    sm->fault = (struct exec_fault){0};
    sm->launch = launch;
    sm->shape = *shape;
    sm->view.warps = most_warps(shape);
    sm->landmarks = landmarks;
    sm->stepped = cycle;
    sm->last_issue = 0;
    sm->own_wake = sm->last_block = sm->told_memory = NEVER;
    sm->replies = (struct sm_replies){0};
    sm->gpu_memory = (struct gpu_memory){0};
    sm->wake = sm->rack.count ? cycle : NEVER;
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++) {
        sm->schedulers[i].changed = 1;
        sm->schedulers[i].counted = cycle;
        if (sm->schedulers[i].always) /* its units may move before it has a warp */
            sm->wake = cycle;
    }
    sm->ended = cycle;
    sm->num_placements = 0;
    rack_log_begin(&sm->rack);
    tell(&sm->listener, cycle, kernel_start);
    return allocate(sm, launch->kernel);
}

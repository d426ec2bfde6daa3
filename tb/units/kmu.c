/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/kmu.c: the kernel management unit in the GPU, and what the thesis leaves to software: how many blocks of each kernel an SM is
 * to hold (8.6.1), written anew when a kernel starts. Like the dispatcher it hears of blocks that end a window later, and of one block
 * of each kernel and SM in a cycle. */
#include "cmodel/kmu/kmu.h"

#include <string.h>

#include "tb/units/socket.h"

_Static_assert(KMU_KERNELS == NUM_KERNELS, "as many kernels as the machine runs");
_Static_assert(KMU_KERNELS == PARTITION_KERNELS, "as many kernels as are partitioned");

/* kmu.partition: SMs are divided, and not what an SM has; KEPT: also while one kernel runs. */
enum { INTER = NUM_PARTITION_RULES, KEPT };

struct memory {
    uint64_t partition, blocks[KMU_KERNELS], sms_0; /* the keys */
    uint64_t quota[KMU_KERNELS];
    uint64_t ended[KMU_KERNELS][NUM_SMS]; /* blocks whose end it is to be told in the next cycles */
};

/* A block that was placed late would find the room taken that was there when it was chosen. */
static const char *objects(const struct plan *plans)
{
    return plan_delay(plans, SCOPE_GPU, "kmu")
               ? "places blocks by the room that SMs have in this cycle: it cannot do so later"
               : NULL;
}

static void open(struct plug *p, const struct config *c)
{
    struct memory *m = p->memory;
    m->partition = (uint64_t)c->kmu_partition;
    m->blocks[0] = (uint64_t)c->kmu_blocks_0;
    m->blocks[1] = (uint64_t)c->kmu_blocks_1;
    m->sms_0 = c->kmu_sms_0 ? (uint64_t)c->kmu_sms_0 : NUM_SMS / 2;
}

static void hear(struct plug *p, const struct event *e)
{
    struct memory *m = p->memory;
    m->ended[e->of.block_end.kernel][e->sm]++;
}

/* What software writes when a kernel starts. One beside which none runs may have all that fits. */
static void choose_quotas(struct memory *m, const struct gpu_view *view)
{
    const struct kernel_view *k = view->kernels;
    const struct partition_kernel blocks[KMU_KERNELS] = {k[0].block, k[1].block};
    for (unsigned i = 0; i < KMU_KERNELS; i++)
        m->quota[i] = k[i].limit;
    if (!k[0].runs || !k[1].runs)
        return;
    if (m->partition <
        INTER) /* where one block of each does not fit, whoever comes has what is free */
        partition((enum partition_rule)m->partition, blocks, view->available, view->resources,
                  m->quota);
    for (unsigned i = 0; i < KMU_KERNELS; i++)
        if (m->blocks[i])
            m->quota[i] = m->blocks[i] < k[i].limit ? m->blocks[i] : k[i].limit;
}

/* May the kernel use the SM? */
static int may_use(const struct memory *m, const struct gpu_view *view, unsigned kernel,
                   unsigned sm)
{
    const int both = view->kernels[0].runs && view->kernels[1].runs;
    if (m->partition < INTER || (m->partition == INTER && !both))
        return 1;
    return (sm < m->sms_0) == (kernel == 0);
}

/* Shows the end of one block of each kernel and SM. Returns whether there was any. */
static int tell_ends(struct memory *m, struct kmu_in *in)
{
    int any = 0;
    for (unsigned k = 0; k < KMU_KERNELS; k++)
        for (unsigned i = 0; i < NUM_SMS; i++)
            if (m->ended[k][i]) {
                m->ended[k][i]--;
                bit_set(in->ended, k * NUM_SMS + i, 1);
                any = 1;
            }
    return any;
}

static int gather(struct plug *p, const struct view *view, const void *controls, void *input)
{
    struct memory *m = p->memory;
    struct kmu_in *in = input;
    const struct gpu_view *gpu = view->gpu;
    (void)controls;
    memset(in, 0, sizeof *in);
    if (gpu->kernels[0].start || gpu->kernels[1].start)
        choose_quotas(m, gpu);
    for (unsigned k = 0; k < KMU_KERNELS; k++) {
        const struct kernel_view *kernel = &gpu->kernels[k];
        in->start |= kernel->start << k;
        in->stop |= kernel->stop << k;
        in->first[k] = kernel->first;
        in->blocks[k] = kernel->blocks;
        in->quota[k] = m->quota[k];
        for (unsigned i = 0; i < NUM_SMS; i++) {
            bit_set(in->may_use, k * NUM_SMS + i, (uint64_t)may_use(m, gpu, k, i));
            bit_set(in->room, k * NUM_SMS + i,
                    (uint64_t)(kernel->runs && bit_get(kernel->free, i)));
        }
    }
    return tell_ends(m, in) || in->start || in->stop;
}

static void apply(const struct plug *p, void *controls)
{
    const struct kmu_out *out = p->out;
    struct gpu_controls *c = controls;
    if (out->place_valid) {
        c->place_kernel = out->place_kernel;
        c->place_sm = out->place_sm;
        c->place_block = out->place_block;
    }
    if (out->done)
        c->done = out->done;
}

const struct socket kmu_socket = {.stem = "kmu",
                                  .scope = SCOPE_GPU,
                                  .several = 1,
                                  .hears = HEARS(block_end),
                                  .memory = sizeof(struct memory),
                                  .objects = objects,
                                  .open = open,
                                  .hear = hear,
                                  .gather = gather,
                                  .apply = apply};

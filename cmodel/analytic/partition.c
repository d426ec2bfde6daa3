/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/partition.c: see partition.h. */
#include "cmodel/analytic/partition.h"

/* So many blocks of each, their warps together, and by how many these differ. */
struct choice {
    uint64_t blocks[PARTITION_KERNELS], warps, apart;
};

static struct choice choice(const struct partition_kernel *k, uint64_t a, uint64_t b)
{
    const uint64_t first = a * k[0].warps, second = b * k[1].warps;
    return (struct choice){.blocks = {a, b},
                           .warps = first + second,
                           .apart = first > second ? first - second : second - first};
}

static int fits(const struct partition_kernel *k, const uint64_t *available, unsigned num,
                uint64_t a, uint64_t b)
{
    for (unsigned r = 0; r < num; r++)
        if (a * k[0].needed[r] + b * k[1].needed[r] > available[r])
            return 0;
    return 1;
}

static uint64_t most_warps(const struct partition_kernel *k, const uint64_t *available,
                           unsigned num)
{
    uint64_t most = 0;
    for (uint64_t a = 1; fits(k, available, num, a, 1); a++)
        for (uint64_t b = 1; fits(k, available, num, a, b); b++) {
            const struct choice c = choice(k, a, b);
            most = c.warps > most ? c.warps : most;
        }
    return most;
}

static int better(const struct choice *c, const struct choice *than)
{
    if (c->apart != than->apart)
        return c->apart < than->apart;
    if (c->warps != than->warps)
        return c->warps > than->warps;
    return c->blocks[0] > than->blocks[0];
}

int partition(enum partition_rule rule, const struct partition_kernel kernels[PARTITION_KERNELS],
              const uint64_t *available, unsigned num, uint64_t blocks[PARTITION_KERNELS])
{
    const uint64_t most = most_warps(kernels, available, num),
                   slack = rule == PARTITION_EVEN ? PARTITION_SLACK : 0;
    struct choice best = {.apart = UINT64_MAX};
    for (uint64_t a = 1; fits(kernels, available, num, a, 1); a++)
        for (uint64_t b = 1; fits(kernels, available, num, a, b); b++) {
            const struct choice c = choice(kernels, a, b);
            if (c.warps + slack >= most && better(&c, &best))
                best = c;
        }
    if (!best.blocks[0])
        return -1;
    blocks[0] = best.blocks[0];
    blocks[1] = best.blocks[1];
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/kmu.c: what the kernel management unit is to be shown (rtl/kmu/README.md), and which blocks it places. How many blocks of each of
 * two kernels an SM is to hold is found by trying all pairs. */
#include "cmodel/kmu/kmu.h"

#include <string.h>

#include "tb/gpu/occupancy.h"
#include "tb/observe/observer.h"

enum { EVEN, MAX, INTER, KEPT }; /* kmu.partition */

struct memory {
    uint64_t quota[KMU_KERNELS];
};

/* Do so many blocks of each kernel that runs fit an SM? */
static int fit(const struct kernel_seen *k, const uint64_t blocks[KMU_KERNELS])
{
    for (unsigned r = 0; r < NUM_RESOURCES; r++) {
        uint64_t needed = 0, available = 0;
        for (unsigned i = 0; i < KMU_KERNELS; i++)
            if (k[i].occupancy) {
                needed += blocks[i] * k[i].occupancy->needed[r];
                available = k[i].occupancy->available[r];
            }
        if (needed > available)
            return 0;
    }
    return 1;
}

static uint64_t warps_of(const struct kernel_seen *k, const uint64_t blocks[KMU_KERNELS])
{
    return blocks[0] * k[0].occupancy->warps + blocks[1] * k[1].occupancy->warps;
}

static uint64_t gap_of(const struct kernel_seen *k, const uint64_t blocks[KMU_KERNELS])
{
    const uint64_t first = blocks[0] * k[0].occupancy->warps,
                   second = blocks[1] * k[1].occupancy->warps;
    return first > second ? first - second : second - first;
}

/* Is the pair a better one than the best so far? MAX wants warps before evenness, EVEN evenness before warps, of those that are at most six warps
 * short of the most. */
static int better(const struct kernel_seen *k, uint64_t rule, uint64_t most,
                  const uint64_t pair[KMU_KERNELS], const uint64_t best[KMU_KERNELS])
{
    const uint64_t warps = warps_of(k, pair), gap = gap_of(k, pair);
    if (warps < (rule == MAX ? most : most < 6 ? 0 : most - 6))
        return 0;
    if (!best[0] || gap != gap_of(k, best))
        return !best[0] || gap < gap_of(k, best);
    if (warps != warps_of(k, best))
        return warps > warps_of(k, best);
    return pair[0] > best[0];
}

static void share(const struct kernel_seen *k, uint64_t rule, uint64_t quota[KMU_KERNELS])
{
    uint64_t pair[KMU_KERNELS], best[KMU_KERNELS] = {0}, most = 0;
    for (int chooses = 0; chooses < 2; chooses++) /* first the most warps, then which pair */
        for (pair[0] = 1; pair[0] <= k[0].room; pair[0]++)
            for (pair[1] = 1; pair[1] <= k[1].room; pair[1]++) {
                if (!fit(k, pair))
                    continue;
                if (!chooses)
                    most = warps_of(k, pair) > most ? warps_of(k, pair) : most;
                else if (better(k, rule, most, pair, best))
                    memcpy(best, pair, sizeof best);
            }
    if (most)
        memcpy(quota, best, sizeof best);
}

/* What software writes when a kernel starts. */
static void write_quotas(const struct config *c, const struct kernel_seen *k, struct memory *m)
{
    const int64_t given[KMU_KERNELS] = {c->kmu_blocks_0, c->kmu_blocks_1};
    for (unsigned i = 0; i < KMU_KERNELS; i++)
        m->quota[i] = k[i].room;
    if (!k[0].occupancy || !k[1].occupancy)
        return;
    if (c->kmu_partition == EVEN || c->kmu_partition == MAX)
        share(k, (uint64_t)c->kmu_partition, m->quota);
    for (unsigned i = 0; i < KMU_KERNELS; i++)
        if (given[i])
            m->quota[i] = (uint64_t)given[i] < k[i].room ? (uint64_t)given[i] : k[i].room;
}

/* Under INTER the first SMs are the first kernel's, while both run; under KEPT always. */
static int may_use(const struct config *c, const struct kernel_seen *k, unsigned kernel,
                   unsigned sm)
{
    const unsigned border = c->kmu_sms_0 ? (unsigned)c->kmu_sms_0 : NUM_SMS / 2;
    const int both = k[0].occupancy && k[1].occupancy;
    if (c->kmu_partition != KEPT && !(c->kmu_partition == INTER && both))
        return 1;
    return kernel == 0 ? sm < border : sm >= border;
}

static void expect(const struct config *c, const struct gpu_seen *seen, void *input)
{
    struct kmu_in *in = input;
    struct memory *m = seen->memory;
    struct kernel_seen *k = seen->kernels;
    memset(in, 0, sizeof *in);
    if (seen->starts)
        write_quotas(c, k, m);
    for (unsigned i = 0; i < KMU_KERNELS; i++) {
        in->start |= (uint64_t)(k[i].occupancy && k[i].start == seen->cycle) << i;
        in->blocks[i] = k[i].blocks;
        in->quota[i] = m->quota[i];
        for (unsigned sm = 0; sm < NUM_SMS; sm++) {
            const uint64_t one_more[KMU_KERNELS] = {k[0].held[sm] + (i == 0),
                                                    k[1].held[sm] + (i == 1)};
            bit_set(in->may_use, i * NUM_SMS + sm, (uint64_t)may_use(c, k, i, sm));
            bit_set(in->room, i * NUM_SMS + sm, k[i].occupancy && fit(k, one_more));
            if (k[i].untold[sm]) {
                k[i].untold[sm]--;
                bit_set(in->ended, i * NUM_SMS + sm, 1);
            }
        }
    }
}

static void steer(const struct gpu_seen *seen, const void *output, struct gpu_controls *c)
{
    const struct kmu_out *out = output;
    (void)seen;
    if (!out->place_valid)
        return;
    c->place_kernel = out->place_kernel;
    c->place_sm = out->place_sm;
    c->place_block = out->place_block;
}

const struct observer kmu_observer = {
    .stem = "kmu", .memory = sizeof(struct memory), .expect_gpu = expect, .steer_gpu = steer};

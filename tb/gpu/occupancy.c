/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/occupancy.c: see occupancy.h. Registers are given out per warp in multiples of 64, as
 * Fermi does. */
#include "tb/gpu/occupancy.h"

#include <inttypes.h>
#include <stdio.h>

#include "hw.h"

#define REGISTER_UNIT    64
#define SHARED_ALIGNMENT 16 /* where dynamic shared memory begins */

static const struct {
    const char *name, *meaning;
} resources[NUM_RESOURCES] = {
#define RESOURCE(name, meaning) [RESOURCE_##name] = {#name, meaning},
#include "tb/gpu/occupancy.def"
#undef RESOURCE
};

const char *resource_name(enum resource r)
{
    return resources[r].name;
}

static uint64_t rounded(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static int product(const uint32_t n[3], uint64_t *out)
{
    return !n[0] || !n[1] || !n[2] ||
           __builtin_mul_overflow((uint64_t)n[0] * n[1], (uint64_t)n[2], out);
}

/* What the launch itself must obey. */
static int check_launch(const struct gpu_launch *l, uint64_t *threads, char *message, size_t size)
{
    const struct ptx_kernel *k = l->kernel;
    const uint32_t *b = l->block, *g = l->grid, *r = k->reqntid, *m = k->maxntid;
    uint64_t blocks, most;
    if (product(g, &blocks) || product(b, threads)) {
        snprintf(message, size,
                 "kernel %s: grid (%u, %u, %u) of blocks (%u, %u, %u); expected 1 to 2^64-1 blocks "
                 "and threads",
                 k->name, g[0], g[1], g[2], b[0], b[1], b[2]);
        return -1;
    }
    if (BLOCK_BITS < 64 && blocks >> BLOCK_BITS % 64) {
        snprintf(message, size,
                 "kernel %s: grid (%u, %u, %u); expected less than 2^%d blocks, hw.block_bits of "
                 "this machine",
                 k->name, g[0], g[1], g[2], BLOCK_BITS);
        return -1;
    }
    if (r[0] && (b[0] != r[0] || b[1] != r[1] || b[2] != r[2])) {
        snprintf(
            message, size,
            "kernel %s: blocks of (%u, %u, %u) threads; expected (%u, %u, %u), from its .reqntid",
            k->name, b[0], b[1], b[2], r[0], r[1], r[2]);
        return -1;
    }
    if (m[0] && !product(m, &most) && *threads > most) {
        snprintf(message, size,
                 "kernel %s: blocks of %" PRIu64 " threads; expected at most %" PRIu64
                 ", from its .maxntid",
                 k->name, *threads, most);
        return -1;
    }
    if (!k->num_uops) {
        snprintf(message, size, "kernel %s has no instructions", k->name);
        return -1;
    }
    return 0;
}

int occupancy_of(const struct config *c, const struct gpu_launch *l, struct occupancy *out,
                 char *message, size_t size)
{
    uint64_t threads;
    if (check_launch(l, &threads, message, size))
        return -1;
    uint64_t warps = threads / WARP_LANES + (threads % WARP_LANES != 0);
    uint64_t shared = rounded(l->kernel->shared_bytes, SHARED_ALIGNMENT) + l->dynamic_shared;
    uint64_t warp_registers =
        rounded((uint64_t)l->kernel->regs_per_thread * WARP_LANES, REGISTER_UNIT);
    uint64_t registers;
    if (__builtin_mul_overflow(warp_registers, warps, &registers))
        registers = UINT64_MAX;
    const uint64_t needed[NUM_RESOURCES] = {
        [RESOURCE_blocks] = 1,
        [RESOURCE_threads] = warps * WARP_LANES,
        [RESOURCE_warp_slots] = warps / NUM_SCHEDULERS + (warps % NUM_SCHEDULERS != 0),
        [RESOURCE_registers] = registers,
        [RESOURCE_shared_bytes] = shared,
    };
    const uint64_t available[NUM_RESOURCES] = {
        [RESOURCE_blocks] = (uint64_t)c->sm_max_blocks,
        [RESOURCE_threads] = (uint64_t)c->sm_max_threads,
        [RESOURCE_warp_slots] = NUM_WARPS,
        [RESOURCE_registers] = (uint64_t)c->sm_registers,
        [RESOURCE_shared_bytes] = (uint64_t)c->sm_shared_bytes,
    };
    out->blocks = UINT32_MAX;
    for (unsigned i = 0; i < NUM_RESOURCES; i++) {
        if (needed[i] > available[i]) {
            snprintf(message, size,
                     "kernel %s does not fit an SM: one block needs %" PRIu64
                     " %s, available are %" PRIu64,
                     l->kernel->name, needed[i], resources[i].meaning, available[i]);
            return -1;
        }
        out->needed[i] = needed[i];
        out->available[i] = available[i];
        out->limit[i] = needed[i] ? (uint32_t)(available[i] / needed[i]) : UINT32_MAX;
        out->blocks = out->limit[i] < out->blocks ? out->limit[i] : out->blocks;
    }
    out->warps = (uint32_t)warps;
    out->shared_bytes = (uint32_t)shared;
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/occupancy.c: see occupancy.h. Registers are given out per warp in multiples of 64, as
 * Fermi does. A driver compiles a kernel for all its launches, once; here it is compiled for each
 * size of block. */
#include "tb/gpu/occupancy.h"

#include <inttypes.h>
#include <stdio.h>

#include "hw.h"
#include "tb/exec/exec.h"

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

uint32_t occupancy_scheduler(const struct occupancy *o)
{
    return o->blocks * (uint32_t)o->needed[RESOURCE_warp_slots];
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

/* Registers that a thread may have: the least of what the architecture allows, the kernel asks for
 * and a block leaves to each of its threads; all, if it leaves none. */
static uint32_t most_registers(const struct config *c, const struct ptx_kernel *k, uint64_t warps)
{
    const uint64_t share = (uint64_t)c->sm_registers / warps / REGISTER_UNIT * REGISTER_UNIT;
    uint64_t most = (uint64_t)c->sm_thread_registers;
    most = k->maxnreg && k->maxnreg < most ? k->maxnreg : most;
    if (!share)
        return UINT32_MAX;
    return (uint32_t)(share / WARP_LANES < most ? share / WARP_LANES : most);
}

/* The kernel within these registers, or NULL with the reason in `message`. */
static const struct ptx_kernel *limit(const struct ptx_kernel *k, uint32_t registers, char *message,
                                      size_t size)
{
    struct ptx_error error;
    const struct ptx_kernel *limited = exec_limit(k, registers, &error);
    if (!limited)
        snprintf(message, size,
                 "kernel %s does not fit an SM: one thread may have %" PRIu32 " registers: %s",
                 k->name, registers, error.message);
    return limited;
}

/* Whether each resource of an SM suffices for one block; else the reason is in `message`. */
static int suffices(const struct occupancy *o, const char *kernel, char *message, size_t size)
{
    for (unsigned i = 0; i < NUM_RESOURCES; i++)
        if (o->needed[i] > o->available[i]) {
            snprintf(message, size,
                     "kernel %s does not fit an SM: one block needs %" PRIu64
                     " %s, available are %" PRIu64,
                     kernel, o->needed[i], resources[i].meaning, o->available[i]);
            return 0;
        }
    return 1;
}

static void count_loops(const struct ptx_kernel *k, struct occupancy *out)
{
    out->loops = k->num_loops;
    for (uint32_t i = 0; i < k->num_loops; i++)
        out->loop_depth = k->loops[i].depth > out->loop_depth ? k->loops[i].depth : out->loop_depth;
    for (uint32_t i = 0; k->num_loops && i < k->num_uops; i++)
        out->loop_loads += k->loop_of[i] && k->uops[i].klass == CLASS_GMEM && k->uops[i].op == U_LD;
}

int occupancy_of(const struct config *c, const struct gpu_launch *l, struct occupancy *out,
                 char *message, size_t size)
{
    uint64_t threads;
    if (check_launch(l, &threads, message, size))
        return -1;
    uint64_t warps = threads / WARP_LANES + (threads % WARP_LANES != 0);
    uint64_t shared = rounded(l->kernel->shared_bytes, SHARED_ALIGNMENT) + l->dynamic_shared;
    *out = (struct occupancy){
        .warps = (uint32_t)warps,
        .shared_bytes = (uint32_t)shared,
        .blocks = UINT32_MAX,
        .needed =
            {
                [RESOURCE_blocks] = 1,
                [RESOURCE_threads] = warps * WARP_LANES,
                [RESOURCE_warp_slots] = warps / NUM_SCHEDULERS + (warps % NUM_SCHEDULERS != 0),
                [RESOURCE_shared_bytes] = shared,
            },
        .available =
            {
                [RESOURCE_blocks] = (uint64_t)c->sm_max_blocks,
                [RESOURCE_threads] = (uint64_t)c->sm_max_threads,
                [RESOURCE_warp_slots] = NUM_WARPS,
                [RESOURCE_registers] = (uint64_t)c->sm_registers,
                [RESOURCE_shared_bytes] = (uint64_t)c->sm_shared_bytes,
            },
    };
    if (!suffices(out, l->kernel->name, message, size))
        return -1;
    out->kernel = limit(l->kernel, most_registers(c, l->kernel, warps), message, size);
    if (!out->kernel)
        return -1;
    out->spills = out->kernel->spills;
    out->instructions = out->kernel->num_uops;
    count_loops(out->kernel, out);
    out->registers = out->kernel->regs_per_thread;
    out->needed[RESOURCE_registers] =
        warps * rounded((uint64_t)out->registers * WARP_LANES, REGISTER_UNIT);
    if (!suffices(out, l->kernel->name, message, size))
        return -1;
    for (unsigned i = 0; i < NUM_RESOURCES; i++) {
        const uint64_t blocks = out->needed[i] ? out->available[i] / out->needed[i] : UINT32_MAX;
        out->limit[i] = (uint32_t)blocks;
        out->blocks = out->limit[i] < out->blocks ? out->limit[i] : out->blocks;
    }
    return 0;
}

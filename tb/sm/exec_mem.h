/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/exec_mem.h: how loads, stores and atomics reach memory: all addresses are computed and checked first, then served
 * in groups of lanes whose bytes lie in one piece of host memory. There is nearly always one group, and its piece of
 * global memory is nearly always the one the warp touched last. */
#ifndef HEDDLE_TB_SM_EXEC_MEM_H
#define HEDDLE_TB_SM_EXEC_MEM_H

#include "tb/sm/exec_fault.h"
#include "tb/sm/exec_op.h"

/* `lanes` find their bytes at host + offset[lane]. */
struct mem_group {
    uint8_t *host;
    uint32_t lanes;
    uint64_t offset[WARP_LANES];
};

static inline uint8_t mem_space_of(uint64_t generic)
{
    return generic - GENERIC_SHARED_BASE < GENERIC_WINDOW  ? SPACE_SHARED
           : generic - GENERIC_LOCAL_BASE < GENERIC_WINDOW ? SPACE_LOCAL
                                                           : SPACE_GLOBAL;
}

/* Turns generic addresses into those of their space: the first lane's. Returns the lanes that are in it. */
static inline uint32_t mem_resolve(struct exec_warp *w, uint32_t mask, struct exec_access *access)
{
    const int first = __builtin_ctz(mask);
    const uint8_t space = mem_space_of(access->address[first]);
    const uint64_t base = space == SPACE_SHARED ? GENERIC_SHARED_BASE : space == SPACE_LOCAL ? GENERIC_LOCAL_BASE : 0;
    uint32_t resolved = 0;
    FOR_ACTIVE(mask, i)
    {
        if (mem_space_of(access->address[i]) == space) {
            resolved |= 1u << i;
            access->address[i] -= base;
        } else {
            exec_fault(w, i, "generic address 0x%llx is of another space than lane %d's",
                       (unsigned long long)access->address[i], first);
        }
    }
    access->space = space;
    return resolved;
}

/* Fills *access for the mask's lanes, `bytes` each. Returns the lanes to serve: misaligned ones raise a fault. */
static inline uint32_t mem_begin(struct exec_warp *w, const struct uop *u, uint32_t mask, uint32_t bytes,
                                 struct exec_access *access)
{
    access->space = u->space;
    access->is_store = u->op == U_ST;
    access->is_atomic = u->op == U_ATOM;
    access->bytes = (uint8_t)bytes;
    const uint64_t offset = (uint64_t)u->offset;
    uint64_t *const address = access->address;
    if (u->src[0] == UOP_NONE) {
        FOR_LANES address[i] = offset;
    } else if (u->flags & UF_ADDRESS32) {
        SOURCE(U32, a, 0);
        FOR_LANES address[i] = (uint32_t)(a_lanes[i] + (uint32_t)offset);
    } else {
        SOURCE(U64, a, 0);
        FOR_LANES address[i] = a_lanes[i] + offset;
    }
    if (u->space == SPACE_GENERIC && mask) {
        mask = mem_resolve(w, mask, access);
    }
    access->mask = mask;
    uint64_t misaligned = 0;
    FOR_LANES misaligned |= address[i] & (bytes - 1) ? exec_lane_bit64[i] : 0;
    uint32_t bad = (uint32_t)misaligned & mask;
    if (bad) {
        int lane = __builtin_ctz(bad);
        exec_fault_misaligned(w, lane, address[lane], bytes);
    }
    return mask & ~bad;
}

/* Global memory that the warp has not touched last: makes it so. Returns 0: there is none at the address. */
static inline int mem_find(struct exec_warp *w, uint64_t address, uint32_t bytes)
{
    const struct gmem_range *range = gmem_find(w->block->launch->gmem, address);
    if (!range || range->size < bytes || address - range->base > range->size - bytes) {
        return 0;
    }
    w->range = *range;
    return 1;
}

/* Takes the next group of lanes out of *left. Returns 0: none is left. A lane that has no memory raises a fault and is
 * left out. */
static inline int mem_next(struct exec_warp *w, const struct exec_access *access, uint32_t *left, struct mem_group *group)
{
    const struct exec_launch *launch = w->block->launch;
    const uint32_t bytes = access->bytes;
    while (*left) {
        uint64_t base = 0, size, stride = 0;
        if (access->space == SPACE_SHARED) {
            group->host = w->block->shared;
            size = launch->shared_bytes;
        } else if (access->space == SPACE_LOCAL) {
            group->host = w->local;
            size = stride = launch->kernel->local_bytes;
        } else if (access->space == SPACE_PARAM) {
            group->host = (uint8_t *)launch->params; /* exec_bind has seen to it that this is a load */
            size = launch->kernel->param_bytes;
        } else {
            if (w->range_epoch != gmem_epoch(launch->gmem)) {
                w->range_epoch = gmem_epoch(launch->gmem);
                w->range.size = 0;
            }
            group->host = w->range.host;
            base = w->range.base;
            size = w->range.size;
        }
        uint64_t inside = 0;
        if (size >= bytes) {
            const uint64_t last = size - bytes;
            FOR_LANES
            {
                const uint64_t distance = access->address[i] - base;
                group->offset[i] = distance + (uint64_t)i * stride;
                inside |= distance <= last ? exec_lane_bit64[i] : 0;
            }
        }
        group->lanes = (uint32_t)inside & *left;
        *left &= ~group->lanes;
        if (group->lanes) {
            return 1;
        }
        const int lane = __builtin_ctz(*left);
        const uint64_t address = access->address[lane];
        const int global = access->space == SPACE_GLOBAL || access->space == SPACE_CONST;
        if (!global || !mem_find(w, address, bytes)) {
            exec_fault_outside(w, lane, address, bytes, access->space);
            *left &= ~(1u << lane);
        }
    }
    return 0;
}

#endif

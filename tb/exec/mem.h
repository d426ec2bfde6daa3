/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/mem.h: how loads, stores and atomics reach memory: all addresses are computed and
 * checked first, then served in groups of lanes whose bytes lie in one piece of host memory. There
 * is nearly always one group, and its piece of global memory is nearly always the one the warp
 * touched last. */
#ifndef HEDDLE_TB_EXEC_MEM_H
#define HEDDLE_TB_EXEC_MEM_H

#include "tb/exec/fault.h"
#include "tb/exec/later.h"
#include "tb/exec/tolerate.h"

/* Lane i of `lanes` finds its bytes at origin + address[i], in host memory. */
struct mem_group {
    uintptr_t origin;
    const uint64_t *address;
    uint32_t lanes;
    int contiguous; /* all lanes are in, and each one's bytes follow the bytes of the one before */
    uint64_t local[WARP_LANES];       /* `address` of local memory, which lies lane after lane */
    uint8_t outside[EXEC_MOST_BYTES]; /* what an access that passes outside the buffers finds */
};

static inline uint8_t *mem_at(const struct mem_group *group, int lane)
{
    return (uint8_t *)(group->origin + group->address[lane]);
}

static inline uint8_t mem_space_of(uint64_t generic)
{
    return generic - GENERIC_SHARED_BASE < GENERIC_WINDOW  ? SPACE_SHARED
           : generic - GENERIC_LOCAL_BASE < GENERIC_WINDOW ? SPACE_LOCAL
           : generic - GENERIC_PARAM_BASE < GENERIC_WINDOW ? SPACE_PARAM
                                                           : SPACE_GLOBAL;
}

/* Turns generic addresses into those of their space: the first lane's. Returns the lanes that are
 * in it. */
static inline uint32_t mem_resolve(struct exec_warp *w, uint32_t mask, struct exec_access *access)
{
    const int first = __builtin_ctz(mask);
    const uint8_t space = mem_space_of(access->address[first]);
    const uint64_t base = generic_base(space);
    uint32_t resolved = 0;
    if (space == SPACE_PARAM && (access->is_store || access->is_atomic)) {
        exec_fault(w, first, "generic address 0x%llx is in the parameters, which are read-only",
                   (unsigned long long)access->address[first]);
        return 0;
    }
    if (access->is_atomic && space == SPACE_LOCAL) {
        exec_fault(w, first,
                   "generic address 0x%llx is in local memory; expected global or shared memory",
                   (unsigned long long)access->address[first]);
        return 0;
    }
    FOR_ACTIVE(mask, i)
    {
        if (mem_space_of(access->address[i]) == space) {
            resolved |= 1u << i;
            access->address[i] -= base;
        } else {
            exec_fault(w, i, "generic address 0x%llx is in another space than lane %d's",
                       (unsigned long long)access->address[i], first);
        }
    }
    access->space = space;
    return resolved;
}

/* The lanes whose addresses are multiples of `bytes`; the others raise a fault. */
static inline uint32_t mem_aligned(struct exec_warp *w, uint32_t mask, uint32_t bytes,
                                   const struct exec_access *access)
{
    uint32_t aligned = mask;
    FOR_ACTIVE(mask, i)
    {
        if (access->address[i] & (bytes - 1)) {
            exec_fault_misaligned(w, i, access->address[i], bytes);
            aligned &= ~(1u << i);
        }
    }
    return aligned;
}

/* The lanes of a global access to serve now: none if it is put off. */
static inline uint32_t mem_now(struct exec_warp *w, const struct uop *u, uint32_t mask,
                               const struct exec_access *access, uint32_t slot)
{
    const struct exec_later *later = w->block->later;
    if (!access->is_store && !access->is_atomic &&
        !(later->lines && later->lines & exec_later_lines(access->address, mask)))
        return mask;
    exec_postpone(w, u, mask, access, slot);
    return 0;
}

/* Fills *access for the mask's lanes, `bytes` each, and returns the lanes to serve now. Registers
 * of operands other than the address have `slot` bytes per lane. */
static inline uint32_t mem_begin(struct exec_warp *w, const struct uop *u, uint32_t mask,
                                 uint32_t bytes, uint32_t slot, struct exec_access *access)
{
    const struct exec_later *later = w->block->later;
    if (later && later->performing) {
        *access = later->performing->access;
        return mask;
    }
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
    uint64_t low_bits = 0;
    FOR_LANES low_bits |= address[i];
    if (low_bits & (bytes - 1)) {
        mask = mem_aligned(w, mask, bytes, access);
    }
    return later && access->space == SPACE_GLOBAL && mask ? mem_now(w, u, mask, access, slot)
                                                          : mask;
}

/* Global memory that the warp has not touched last: makes it so. Returns 0: there is none at the
 * address. */
static inline int mem_find(struct exec_warp *w, uint64_t address, uint32_t bytes)
{
    const struct gmem_range *range = gmem_find(w->block->launch->gmem, address);
    if (!range || range->size < bytes || address - range->base > range->size - bytes) {
        return 0;
    }
    w->range = *range;
    return 1;
}

/* The piece of memory that an access of this space would use: [base, base + size) lies at *group's
 * origin + base. */
static inline void mem_piece(struct exec_warp *w, const struct exec_access *access, uint64_t *base,
                             uint64_t *size, struct mem_group *group)
{
    const struct exec_launch *launch = w->block->launch;
    group->address = access->address;
    *base = 0;
    if (access->space == SPACE_GLOBAL || access->space == SPACE_CONST) {
        const uint64_t epoch = gmem_epoch(launch->gmem);
        if (w->range_epoch != epoch) {
            w->range_epoch = epoch;
            w->range.size = 0;
        }
        *base = w->range.base;
        *size = w->range.size;
        group->origin = (uintptr_t)w->range.host - w->range.base;
    } else if (access->space == SPACE_SHARED) {
        *size = launch->shared_bytes;
        group->origin = (uintptr_t)w->block->shared;
    } else if (access->space == SPACE_PARAM) {
        *size = launch->kernel->param_bytes;
        group->origin = (uintptr_t)launch->params; /* only read: exec_bind refuses stores */
    } else {
        *size = launch->kernel->local_bytes;
        group->origin = (uintptr_t)w->local;
        FOR_LANES group->local[i] = access->address[i] + (uint64_t)i * *size;
        group->address = group->local;
    }
}

/* Whether each lane's bytes follow those of the lane before. Most lanes of which that is not so end elsewhere, too. */
static inline int mem_contiguous(const uint64_t *address, uint32_t bytes)
{
    uint64_t gaps = 0;
    if (address[WARP_LANES - 1] - address[0] != (uint64_t)(WARP_LANES - 1) * bytes) {
        return 0;
    }
    FOR_LANES gaps |= (address[i] - address[0]) ^ (uint64_t)i * bytes;
    return gaps == 0;
}

/* Takes the next group of lanes out of *left. Returns 0: none is left. A lane that has no memory
 * raises a fault and is left out, or is a group of its own, of bytes that nobody else sees. */
static inline int mem_next(struct exec_warp *w, const struct exec_access *access, uint32_t *left,
                           struct mem_group *group)
{
    const uint32_t bytes = access->bytes;
    while (*left) {
        uint64_t base, size;
        mem_piece(w, access, &base, &size, group);
        /* Sizes are below 2^63, so a sign means: before the piece, behind it, or a piece smaller
         * than the access. */
        const uint64_t last = size - bytes;
        int64_t outside = 0;
        FOR_LANES
        {
            const uint64_t distance = access->address[i] - base;
            outside |=
                (int64_t)(distance | (last - distance)) < 0 ? (int64_t)exec_lane_bit64[i] : 0;
        }
        group->lanes = ~(uint32_t)outside & *left;
        *left &= ~group->lanes;
        if (group->lanes) {
            group->contiguous = group->lanes == ~0u && mem_contiguous(group->address, bytes);
            return 1;
        }
        const int lane = __builtin_ctz(*left);
        const uint64_t address = access->address[lane];
        const int global = access->space == SPACE_GLOBAL || access->space == SPACE_CONST;
        if (!global || !mem_find(w, address, bytes)) {
            *left &= ~(1u << lane);
            if (global && exec_tolerate_access(w, lane, access, group->outside)) {
                group->lanes = 1u << lane;
                group->contiguous = 0;
                group->origin = (uintptr_t)group->outside - address;
                return 1;
            }
            exec_fault_outside(w, lane, access);
        }
    }
    return 0;
}

#endif

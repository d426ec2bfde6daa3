/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/constants.c: a hash table finds a constant again; a list in order of first use gives the
 * offsets. */
#include "tb/ptx/constants.h"

#include <string.h>

void constants_open(struct constants *pool, struct constant **buckets)
{
    *pool = (struct constants){.buckets = memset(buckets, 0, CONSTANT_BUCKETS * sizeof *buckets)};
}

uint32_t constants_add(struct ptx_context *c, struct constants *pool, uint64_t bits,
                       uint32_t lane_bytes, uint32_t var, uint32_t line)
{
    uint64_t hash = (bits ^ (uint64_t)var << 40) * 0x9e3779b97f4a7c15ull;
    struct constant **head = &pool->buckets[(hash >> 32) % CONSTANT_BUCKETS];
    for (const struct constant *k = *head; k; k = k->chain)
        if (k->bits == bits && k->lane_bytes == lane_bytes && k->var == var)
            return UOP_CONST | k->offset;
    if (pool->bytes > MAX_CONSTANT_BYTES)
        ptx_fail(c, line, "the kernel's constants take more than %u bytes", MAX_CONSTANT_BYTES);
    struct constant *k = ptx_scratch(c, 1, sizeof *k);
    *k = (struct constant){
        .chain = *head, .bits = bits, .var = var, .lane_bytes = lane_bytes, .offset = pool->bytes};
    *head = k;
    if (!pool->last)
        pool->last = &pool->first;
    *pool->last = k;
    pool->last = &k->next;
    pool->bytes += lane_bytes * WARP_LANES;
    return UOP_CONST | k->offset;
}

static uint32_t lanemask(enum lanemask which, uint32_t lane)
{
    const uint32_t own = 1u << lane, below = own - 1;
    switch (which) {
    case LANEMASK_EQ: return own;
    case LANEMASK_LE: return own | below;
    case LANEMASK_LT: return below;
    case LANEMASK_GE: return ~below;
    default: return ~(own | below);
    }
}

void constants_emit(struct ptx_context *c, const struct constants *pool, struct ptx_kernel *kernel,
                    struct reloc_list *relocs)
{
    kernel->const_bytes = pool->bytes;
    kernel->constants = ptx_keep(c, (size_t)pool->bytes + 1, 1);
    for (const struct constant *k = pool->first; k; k = k->next) {
        uint8_t *lanes = kernel->constants + k->offset;
        for (uint32_t i = 0; i < WARP_LANES; i++) {
            const uint64_t bits = k->var == CONSTANT_LANEMASK ? lanemask(k->bits, i) : k->bits;
            memcpy(lanes + (size_t)i * k->lane_bytes, &bits,
                   k->lane_bytes); /* little-endian, as PTX is */
        }
        if (k->var < CONSTANT_LANEMASK)
            reloc_add(c, relocs,
                      &(struct reloc){.where = lanes,
                                      .copies = WARP_LANES,
                                      .var = k->var,
                                      .holder = RELOC_IN_KERNEL,
                                      .addend = k->bits});
    }
}

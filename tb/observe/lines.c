/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/lines.c: see lines.h. */
#include "tb/observe/lines.h"

#define MOST_PLACES (WARP_LANES * 5) /* of local memory a lane touches 16 bytes at most, in words */

struct places {
    unsigned count;
    uint64_t line[MOST_PLACES];
};

static void add(struct places *p, uint64_t address, uint64_t line_bytes)
{
    p->line[p->count++] = address - address % line_bytes;
}

/* Local memory of the kernels lies in the upper half of the address space, 2^56 bytes each. A warp's is one block: its first
 * words of all lanes, then its second ones. */
static void add_local(struct places *p, const struct sm *sm, const struct sm_kernel *k,
                      unsigned warp, const struct exec_access *a, unsigned lane)
{
    const uint64_t words = (k->launch->kernel->local_bytes + 3u) / 4u,
                   warps = (uint64_t)sm->index * NUM_SCHEDULERS * NUM_WARPS + warp,
                   number = (uint64_t)(k - sm->kernels);
    for (unsigned byte = 0; byte < a->bytes; byte++) {
        const uint64_t at = a->address[lane] + byte, word = warps * words + at / 4;
        if (!byte || at % 4 == 0)
            add(p, (UINT64_C(1) << 63) + (number << 56) + (word * WARP_LANES + lane) * 4,
                sm->line_bytes);
    }
}

struct seen_lines seen_lines(const struct sm *sm, const struct sm_kernel *k, unsigned warp,
                             const struct exec_access *a)
{
    struct places p = {0};
    struct seen_lines s = {0};
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(a->mask >> lane & 1))
            continue;
        if (a->space == SPACE_LOCAL)
            add_local(&p, sm, k, warp, a, lane);
        else /* aligned: in one line */
            add(&p, ((uint64_t)k->shape.space << 56) + a->address[lane], sm->line_bytes);
    }
    for (unsigned i = 0; i < p.count; i++) {
        unsigned earlier = 0;
        while (p.line[earlier] != p.line[i])
            earlier++;
        s.count += earlier == i;
    }
    s.first = p.line[0];
    return s;
}

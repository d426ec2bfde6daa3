/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/tolerate.c: see outside.h. A program that reads a little past a buffer and drops the value
 * is wrong, and runs on hardware all the same. Shared and local memory, parameters and textures are
 * not concerned, nor are misaligned accesses: these are always faults. */
#include "tb/exec/tolerate.h"

#include <stdio.h>
#include <string.h>

#include "tb/exec/fault.h"

/* The buffer that a read overruns, or NULL. */
static const struct gmem_range *overrun(const struct exec_warp *w, int lane,
                                        const struct exec_access *access)
{
    return access->is_store || access->is_atomic
               ? NULL
               : gmem_overrun(w->block->launch->gmem, access->address[lane], access->bytes);
}

static void note(const struct exec_warp *w, int lane, const struct exec_access *access)
{
    struct exec_tolerated *o = w->block->tolerated;
    const size_t used = exec_fault_place(w, lane, o->access, sizeof o->access);
    snprintf(o->access + used, sizeof o->access - used, "address 0x%llx (%u bytes)",
             (unsigned long long)access->address[lane], access->bytes);
}

int exec_tolerate_access(const struct exec_warp *w, int lane, const struct exec_access *access,
                         uint8_t found[EXEC_MOST_BYTES])
{
    struct exec_tolerated *o = w->block->tolerated;
    if (!o || !(o->overrun || o->any))
        return 0;
    const struct gmem_range *range = overrun(w, lane, access);
    const int overruns = range && o->overrun;
    if (!overruns && !o->any)
        return 0;
    memset(found, 0, EXEC_MOST_BYTES);
    const uint64_t distance = range ? access->address[lane] - range->base : 0;
    if (range && distance < range->size)
        memcpy(found, range->host + distance, range->size - distance);
    o->counts.overruns += (uint64_t)overruns;
    o->counts.reads += !overruns && !access->is_store;
    o->counts.writes += access->is_store || access->is_atomic;
    if (!*o->access)
        note(w, lane, access);
    return 1;
}

const char *exec_tolerate_key(const struct exec_warp *w, int lane, const struct exec_access *access)
{
    return overrun(w, lane, access) ? "mem.overrun=warn" : "gpu.outside=zero";
}

void exec_tolerate_barrier(const struct exec_warp *w, uint32_t mask)
{
    struct exec_tolerated *o = w->block->tolerated;
    if (!o || o->counts.partial_barriers++)
        return;
    const size_t used = exec_fault_place(w, __builtin_ctz(mask), o->barrier, sizeof o->barrier);
    snprintf(o->barrier + used, sizeof o->barrier - used, "%d of %d lanes that have not returned",
             __builtin_popcount(mask), __builtin_popcount(~w->exited));
}

static void add_place(char sum[EXEC_MESSAGE], const char *term)
{
    if (!*sum)
        memcpy(sum, term, EXEC_MESSAGE);
}

void exec_tolerate_add(struct exec_tolerated *sum, const struct exec_tolerated *term)
{
#define COUNT(name, meaning) sum->counts.name += term->counts.name;
#include "tb/exec/tolerate.def"
    add_place(sum->access, term->access);
    add_place(sum->barrier, term->barrier);
}

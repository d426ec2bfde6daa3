/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/outside.c: see outside.h. A program that reads a little past a buffer and drops the value
 * is wrong, and runs on hardware all the same. Shared and local memory, parameters and textures are
 * not concerned, nor are misaligned accesses: these are always faults. */
#include "tb/exec/outside.h"

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
    struct exec_outside *o = w->block->outside;
    const size_t used = exec_fault_place(w, lane, o->first, sizeof o->first);
    snprintf(o->first + used, sizeof o->first - used, "address 0x%llx (%u bytes)",
             (unsigned long long)access->address[lane], access->bytes);
}

int exec_outside_passes(const struct exec_warp *w, int lane, const struct exec_access *access,
                        uint8_t found[EXEC_MOST_BYTES])
{
    struct exec_outside *o = w->block->outside;
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
    o->passed.overruns += (uint64_t)overruns;
    o->passed.reads += !overruns && !access->is_store;
    o->passed.writes += access->is_store || access->is_atomic;
    if (!*o->first)
        note(w, lane, access);
    return 1;
}

const char *exec_outside_key(const struct exec_warp *w, int lane, const struct exec_access *access)
{
    return overrun(w, lane, access) ? "mem.overrun=warn" : "gpu.outside=zero";
}

void exec_outside_add(struct exec_outside *sum, const struct exec_outside *term)
{
#define COUNT(name, meaning) sum->passed.name += term->passed.name;
#include "tb/exec/outside.def"
    if (!*sum->first)
        memcpy(sum->first, term->first, sizeof sum->first);
}

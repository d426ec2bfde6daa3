/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/code.c: see code.h. */
#include "tb/gpu/code.h"

#include <stdlib.h>
#include <string.h>

#define CODE_BASE  UINT64_C(0x4000000000000000) /* beyond all of tb/mem/gmem.h's addresses */
#define CODE_ALIGN 256                          /* as memory is allocated; no line is longer */

struct code_range {
    char *name;
    uint32_t instructions;
    uint64_t address;
};

uint64_t code_address(struct code *c, const struct ptx_kernel *k)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->ranges[i].instructions == k->num_uops && !strcmp(c->ranges[i].name, k->name))
            return c->ranges[i].address;
    if (c->count == c->places) {
        const size_t places = c->places ? 2 * c->places : 16;
        struct code_range *more = realloc(c->ranges, places * sizeof *more);
        if (!more)
            return 0;
        c->ranges = more;
        c->places = places;
    }
    char *name = strdup(k->name);
    if (!name)
        return 0;
    const uint64_t bytes = (uint64_t)k->num_uops * INSTRUCTION_BYTES;
    struct code_range *r = &c->ranges[c->count++];
    *r = (struct code_range){name, k->num_uops, CODE_BASE + c->bytes};
    c->bytes += (bytes + CODE_ALIGN - 1) / CODE_ALIGN * CODE_ALIGN;
    return r->address;
}

void code_free(struct code *c)
{
    for (size_t i = 0; i < c->count; i++)
        free(c->ranges[i].name);
    free(c->ranges);
}

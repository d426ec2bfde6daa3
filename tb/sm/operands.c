/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/operands.c: see operands.h. */
#include "tb/sm/operands.h"

#include <stdlib.h>

_Static_assert(sizeof((struct uop *)0)->reads <= sizeof((struct operand_view *)0)->reads &&
                   sizeof((struct uop *)0)->writes <= sizeof((struct operand_view *)0)->writes,
               "there is room for all that an instruction names");

/* Copies those that are no special registers. Returns how many. */
static uint8_t copy(uint16_t *to, const uint16_t *from, unsigned count)
{
    uint8_t copied = 0;
    for (unsigned i = 0; i < count; i++)
        if (from[i] >= NUM_SPECIALS)
            to[copied++] = (uint16_t)(from[i] - NUM_SPECIALS);
    return copied;
}

struct operand_view *operands_of(const struct ptx_kernel *k)
{
    struct operand_view *operands = calloc(k->num_uops + 1u, sizeof *operands);
    for (uint32_t i = 0; operands && i < k->num_uops; i++) {
        const struct uop *u = &k->uops[i];
        operands[i].num_reads = copy(operands[i].reads, u->reads, u->num_reads);
        operands[i].num_writes = copy(operands[i].writes, u->writes, u->num_writes);
    }
    return operands;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/reloc.c: a list; every entry is applied once. */
#include "tb/ptx/reloc.h"

#include <string.h>

void reloc_add(struct ptx_context *context, struct reloc_list *list, const struct reloc *reloc)
{
    struct reloc *copy = ptx_keep(context, 1, sizeof *copy);
    *copy = *reloc;
    copy->next = NULL;
    if (!list->last)
        list->last = &list->first;
    *list->last = copy;
    list->last = &copy->next;
}

const struct reloc *reloc_apply(const struct reloc *from, uint32_t holder,
                                const struct ptx_var *vars)
{
    for (; from && from->holder == holder; from = from->next) {
        uint64_t address = vars[from->var].address + from->addend;
        if (from->byte)
            *from->where = (uint8_t)(address >> 8 * (from->byte - 1));
        for (uint32_t i = 0; !from->byte && i < from->copies; i++)
            memcpy(from->where + 8 * (size_t)i, &address, 8);
    }
    return from;
}

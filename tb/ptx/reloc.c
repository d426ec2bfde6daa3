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

void reloc_apply(const struct reloc_list *list, uint32_t holder, const struct ptx_var *vars)
{
    for (const struct reloc *r = list->first; r; r = r->next) {
        uint64_t address = vars[r->var].address + r->addend;
        for (uint32_t i = 0; r->holder == holder && i < r->copies; i++)
            memcpy(r->where + 8 * (size_t)i, &address, 8);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/coalescer.c: see coalescer.h. */
#include "tb/mem/coalescer.h"

/* Adds the bytes [address, address + bytes), which lie in one sector. Neighbouring lanes mostly
 * touch the line added last, so the search begins there. */
static void touch(struct line_list *list, uint64_t address, unsigned line_bytes)
{
    uint64_t line = address & ~(uint64_t)(line_bytes - 1);
    uint8_t sector = (uint8_t)(1u << (address - line) / SECTOR_BYTES);
    for (uint32_t i = list->count; i-- > 0;)
        if (list->line[i] == line) {
            list->sectors[i] |= sector;
            return;
        }
    list->line[list->count] = line;
    list->sectors[list->count++] = sector;
}

void coalesce_global(struct line_list *list, const uint64_t address[COALESCE_LANES], uint32_t mask,
                     unsigned bytes, unsigned line_bytes)
{
    list->count = 0;
    for (; mask; mask &= mask - 1) {
        uint64_t first = address[__builtin_ctz(mask)], last = first + bytes - 1;
        touch(list, first, line_bytes);
        if (first / SECTOR_BYTES != last / SECTOR_BYTES)
            touch(list, last, line_bytes);
    }
}

void coalesce_local(struct line_list *list, uint64_t base, const uint64_t offset[COALESCE_LANES],
                    uint32_t mask, unsigned bytes, unsigned line_bytes)
{
    list->count = 0;
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        uint64_t last_word = (offset[lane] + bytes - 1) / 4;
        for (uint64_t word = offset[lane] / 4; word <= last_word; word++)
            touch(list, base + (word * COALESCE_LANES + lane) * 4, line_bytes);
    }
}

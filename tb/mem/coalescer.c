/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/coalescer.c: see coalescer.h. */
#include "tb/mem/coalescer.h"

/* Adds the bytes [address, address + bytes), which lie in one sector. Neighbouring lanes mostly
 * touch the line added last, so the search begins there. */
static void touch(struct line_list *list, uint64_t address, unsigned line_bytes)
{
    uint64_t line = address & ~(uint64_t)(line_bytes - 1);
    uint8_t sector = (uint8_t)(1u << (address - line) / COALESCE_SECTOR);
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
        if (first / COALESCE_SECTOR != last / COALESCE_SECTOR)
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

/* Whether the mask's lanes want words side by side, lane after lane: the commonest case. */
static int consecutive(const uint64_t address[COALESCE_LANES], unsigned bytes)
{
    uint64_t gaps = 0;
    for (unsigned i = 0; i < COALESCE_LANES; i++)
        gaps |= (address[i] - address[0]) ^ (uint64_t)i * bytes;
    return !gaps;
}

unsigned coalesce_banks(const uint64_t address[COALESCE_LANES], uint32_t mask, unsigned bytes,
                        unsigned banks, int modify)
{
    struct {
        uint64_t word;
        unsigned bank;
    } others[COALESCE_LANES * 4]; /* words behind the first of their bank */
    uint64_t first[64], used = 0;
    uint8_t wanted[64];
    unsigned count = 0, passes = 1;
    if (mask == ~0u && bytes == 4 && banks >= COALESCE_LANES && consecutive(address, bytes))
        return 1;
    for (; mask; mask &= mask - 1) {
        const uint64_t lane = address[__builtin_ctz(mask)], last = (lane + bytes - 1) / 4;
        for (uint64_t word = lane / 4; word <= last; word++) {
            const unsigned bank = (unsigned)word & (banks - 1);
            if (!(used >> bank & 1)) {
                used |= UINT64_C(1) << bank;
                first[bank] = word;
                wanted[bank] = 1;
                continue;
            }
            int shared = !modify && first[bank] == word;
            for (unsigned i = 0; !modify && !shared && i < count; i++)
                shared = others[i].bank == bank && others[i].word == word;
            if (shared)
                continue;
            others[count].word = word;
            others[count++].bank = bank;
            passes = ++wanted[bank] > passes ? wanted[bank] : passes;
        }
    }
    return passes;
}

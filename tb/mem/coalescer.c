/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/coalescer.c: see coalescer.h. */
#include "tb/mem/coalescer.h"

/* What has been touched so far: the sector touched last, and a bit for each line that may be in the list. */
struct touched {
    uint64_t sector, lines;
};
#define NOTHING ((struct touched){UINT64_MAX, 0})

/* Adds the line of a sector, if it is new, and the sector. Most lines of a warp whose lanes are scattered are
 * new: their bit says so without a search. */
static void add(struct line_list *list, struct touched *t, uint64_t address, unsigned line_bytes)
{
    const uint64_t line = address & ~(uint64_t)(line_bytes - 1);
    const uint8_t sector = (uint8_t)(1u << (address - line) / COALESCE_SECTOR);
    const uint64_t bit = UINT64_C(1) << ((line >> 7 ^ line >> 13) & 63);
    t->sector = address / COALESCE_SECTOR;
    for (uint32_t i = t->lines & bit ? list->count : 0; i-- > 0;)
        if (list->line[i] == line) {
            list->sectors[i] |= sector;
            return;
        }
    t->lines |= bit;
    list->line[list->count] = line;
    list->sectors[list->count++] = sector;
}

/* A byte is touched, mostly in the sector that was touched last. */
static inline void touch(struct line_list *list, struct touched *t, uint64_t address,
                         unsigned line_bytes)
{
    if (address / COALESCE_SECTOR != t->sector)
        add(list, t, address, line_bytes);
}

void coalesce_global(struct line_list *list, const uint64_t address[COALESCE_LANES], uint32_t mask,
                     unsigned bytes, unsigned line_bytes)
{
    struct touched t = NOTHING;
    list->count = 0;
    for (; mask; mask &= mask - 1) {
        const uint64_t first = address[__builtin_ctz(mask)];
        touch(list, &t, first, line_bytes);
        touch(list, &t, first + bytes - 1, line_bytes);
    }
}

void coalesce_local(struct line_list *list, uint64_t base, const uint64_t offset[COALESCE_LANES],
                    uint32_t mask, unsigned bytes, unsigned line_bytes)
{
    struct touched t = NOTHING;
    list->count = 0;
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        uint64_t last_word = (offset[lane] + bytes - 1) / 4;
        for (uint64_t word = offset[lane] / 4; word <= last_word; word++)
            touch(list, &t, base + (word * COALESCE_LANES + lane) * 4, line_bytes);
    }
}

/* Lanes that are looked at together: the compiler does not come to it by itself. */
#define TOGETHER 4
typedef uint64_t addresses
    __attribute__((vector_size(TOGETHER * sizeof(uint64_t)), aligned(8), may_alias));

/* Whether all words lie in one row of the banks, where each has a bank of its own. */
static int one_row(const uint64_t address[COALESCE_LANES], unsigned banks)
{
    const addresses *const all = (const addresses *)address;
    addresses differ = {0};
    for (unsigned i = 0; i < COALESCE_LANES / TOGETHER; i++)
        differ |= all[i] ^ address[0];
    return (differ[0] | differ[1] | differ[2] | differ[3]) < banks * 4;
}

/* Whether no bank is asked for two different words, by all lanes, one word each: the commonest case. Each lane
 * writes its word where the bank's stands; who then finds another one there has met a conflict. */
static int conflict_free(const uint64_t address[COALESCE_LANES], unsigned banks)
{
    uint64_t word[64], differ = 0;
#pragma GCC unroll 8
    for (unsigned i = 0; i < COALESCE_LANES; i++)
        word[address[i] / 4 & (banks - 1)] = address[i];
#pragma GCC unroll 8
    for (unsigned i = 0; i < COALESCE_LANES; i++)
        differ |= word[address[i] / 4 & (banks - 1)] ^ address[i];
    return !differ;
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
    if (mask == ~0u && bytes == 4 && !modify &&
        (one_row(address, banks) || conflict_free(address, banks)))
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

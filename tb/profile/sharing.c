/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/sharing.c: see sharing.h. */
#include "tb/profile/sharing.h"

#include <stdlib.h>

/* The line of an address, which `block` accesses; NULL: no memory. */
static struct shared_line *line_of(struct sharing *s, uint64_t address, uint64_t block,
                                   uint32_t *number)
{
    const uint32_t known = s->lines.count;
    *number = address_number(&s->lines, address);
    if (*number == NO_NUMBER)
        return NULL;
    struct shared_line *room = address_room(s->line, &s->line_places, *number, sizeof *room);
    if (!room)
        return NULL;
    s->line = room;
    if (*number == known)
        s->line[*number] = (struct shared_line){.block = block};
    return &s->line[*number];
}

int sharing_touch(struct sharing *s, uint64_t address, uint64_t block, uint64_t warp)
{
    uint32_t number;
    struct shared_line *l = line_of(s, address, block, &number);
    const uint32_t known = s->pairs.count;
    const uint32_t pair =
        l ? address_number(&s->pairs, (uint64_t)number << 32 | (uint32_t)block) : NO_NUMBER;
    if (pair == NO_NUMBER)
        return -1;
    uint64_t *room = address_room(s->first_warp, &s->pair_places, pair, sizeof *room);
    if (!room)
        return -1;
    s->first_warp = room;
    if (pair == known)
        s->first_warp[pair] = warp;
    l->accesses++;
    l->several_warps |= s->first_warp[pair] != warp;
    l->several_blocks |= l->block != block;
    return 0;
}

int sharing_add(struct sharing *s, const struct sharing *other)
{
    for (uint32_t i = 0; i < other->lines.count; i++) {
        const struct shared_line *from = &other->line[i];
        uint32_t number;
        struct shared_line *l = line_of(s, other->lines.addresses[i], from->block, &number);
        if (!l)
            return -1;
        l->accesses += from->accesses;
        l->several_warps |= from->several_warps;
        l->several_blocks |= from->several_blocks | (l->block != from->block);
    }
    return 0;
}

void sharing_count(const struct sharing *s, struct sharing_counts *counts)
{
    for (uint32_t i = 0; i < s->lines.count; i++) {
        const struct shared_line *l = &s->line[i];
        const enum sharing_kind kind = l->several_blocks
                                           ? l->several_warps ? SHARING_both : SHARING_inter_block
                                       : l->several_warps ? SHARING_intra_block
                                                          : SHARING_unshared;
        counts->accesses[kind] += l->accesses;
        counts->lines[kind]++;
    }
}

void sharing_clear(struct sharing *s)
{
    address_map_clear(&s->lines);
    address_map_clear(&s->pairs);
    free(s->line);
    free(s->first_warp);
    *s = (struct sharing){0};
}

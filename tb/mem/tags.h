/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/tags.h: the tag array of a set-associative cache with least recently used replacement.
 * L1D, constant cache and L2 share it.
 *
 * What a look-up reads, and what a replacement reads, are arrays of their own, and both loops are
 * without branches: a set's ways come in no order that a processor could predict. */
#ifndef HEDDLE_TB_MEM_TAGS_H
#define HEDDLE_TB_MEM_TAGS_H

#include "tb/mem/lines.h"
#include <stdint.h>
#include <string.h>

#define NO_LINE  UINT64_MAX
#define RESERVED (UINT64_C(1) << 63)
#define WAY_BITS 6 /* l1d.ways, l2.ways: 64 at most */
#define WAY_MASK ((UINT64_C(1) << WAY_BITS) - 1)
#define NOBODY   UINT16_MAX

struct way {
    uint32_t mshr;        /* while reserved */
    uint16_t warp;        /* that brought the line, or NOBODY: it has ended (L1) */
    uint8_t stale;        /* written while reserved: dropped when it arrives (L1) */
    uint8_t valid, dirty; /* sectors, one bit each (L2) */
    uint8_t space;        /* that the line belongs to (L2) */
};

/* Which set a line goes to. Linear: the low bits of its number. Hashed: XORed with the two groups
 * of bits above them, so that strides of a power of two spread over the sets. Fermi: what
 * measurements of that GPU show, for 32 or 64 sets (Nugteren, van den Braak, Corporaal, Bal: A
 * Detailed GPU Cache Model Based on Reuse Distance Theory, HPCA 2014). */
enum tags_index { TAGS_LINEAR, TAGS_HASHED, TAGS_FERMI };

struct tags {
    uint64_t *lines; /* address of the first byte, NO_LINE of an empty way; set after set */
    uint64_t *
        order; /* in which they are replaced: the number of the last access, 0 where empty; in the lowest bits
                         the way's own number in its set; RESERVED while the line is on its way */
    struct way *ways; /* in the same order as the lines */
    uint64_t now;     /* accesses so far */
    uint64_t num_sets;
    uint32_t num_ways, line_shift, set_bits;
    enum tags_index index;
};

/* What tags_set and their size depend on. All but TAGS_LINEAR need a power of two of sets. */
static inline void tags_shape(struct tags *t, uint64_t num_sets, uint32_t num_ways,
                              uint32_t line_bytes, enum tags_index index)
{
    t->num_sets = num_sets;
    t->num_ways = num_ways;
    t->line_shift = (uint32_t)__builtin_ctz(line_bytes);
    t->set_bits = num_sets > 1 ? 64 - (uint32_t)__builtin_clzll(num_sets - 1) : 0;
    t->index = index;
}

/* Returns 0, or -1: no memory. */
static inline int tags_init(struct tags *t, uint64_t num_sets, uint32_t num_ways,
                            uint32_t line_bytes, enum tags_index index)
{
    tags_shape(t, num_sets, num_ways, line_bytes, index);
    t->lines = lines_alloc(num_sets * num_ways, sizeof *t->lines);
    t->order = lines_alloc(num_sets * num_ways, sizeof *t->order);
    t->ways = lines_alloc(num_sets * num_ways, sizeof *t->ways);
    return t->lines && t->order && t->ways ? 0 : -1;
}

static inline void tags_free(struct tags *t)
{
    lines_free(t->lines);
    lines_free(t->order);
    lines_free(t->ways);
}

/* Empties the cache. */
static inline void tags_reset(struct tags *t)
{
    memset(t->lines, 0xff, t->num_sets * t->num_ways * sizeof *t->lines);
    for (uint64_t i = 0; i < t->num_sets * t->num_ways; i++)
        t->order[i] = i % t->num_ways;
    memset(t->ways, 0, t->num_sets * t->num_ways * sizeof *t->ways);
    t->now = 0;
}

static inline void tags_drop(struct tags *t, int64_t way)
{
    t->lines[way] = NO_LINE;
    t->order[way] &= WAY_MASK;
}

/* Drops lines that are on their way; the others stay. */
static inline void tags_forget_reserved(struct tags *t)
{
    for (uint64_t i = 0; i < t->num_sets * t->num_ways; i++)
        if (t->order[i] >= RESERVED)
            tags_drop(t, (int64_t)i);
}

/* The set of the line that begins at `address`. */
static inline uint64_t tags_set(const struct tags *t, uint64_t address)
{
    uint64_t line = address >> t->line_shift;
    if (t->index == TAGS_HASHED)
        line ^= line >> t->set_bits ^ line >> 2 * t->set_bits;
    else if (t->index == TAGS_FERMI)
        line ^= (line >> 6 & 7) ^ (line >> 7 & 8) ^ (line >> 8 & 16);
    return (t->num_sets & (t->num_sets - 1)) ? line % t->num_sets : line & (t->num_sets - 1);
}

/* The number of the way that holds, or waits for, the line; -1: none. */
static inline int64_t tags_find(const struct tags *t, uint64_t line)
{
    const uint64_t first = tags_set(t, line) * t->num_ways, *lines = &t->lines[first];
    int64_t way = -1;
#pragma GCC unroll 4
    for (uint32_t i = 0; i < t->num_ways; i++)
        way = lines[i] == line ? i : way;
    return way < 0 ? way : (int64_t)first + way;
}

/* Whether the line of a way that is not empty is still on its way. */
static inline int tags_reserved(const struct tags *t, int64_t way)
{
    return t->order[way] >= RESERVED;
}

/* Whether a way holds a line that has come. */
static inline int tags_valid(const struct tags *t, int64_t way)
{
    return t->order[way] - (WAY_MASK + 1) < RESERVED - (WAY_MASK + 1);
}

/* The way that a miss replaces: the first empty one, else the least recently used valid one; -1:
 * all are reserved. */
static inline int64_t tags_victim(const struct tags *t, uint64_t line)
{
    const uint64_t first = tags_set(t, line) * t->num_ways, *order = &t->order[first];
    uint64_t least = RESERVED;
#pragma GCC unroll 4
    for (uint32_t i = 0; i < t->num_ways; i++)
        least = order[i] < least ? order[i] : least;
    return least == RESERVED ? -1 : (int64_t)(first + (least & WAY_MASK));
}

static inline void tags_touch(struct tags *t, int64_t way)
{
    t->order[way] = (t->order[way] & (RESERVED | WAY_MASK)) | ++t->now << WAY_BITS;
}

/* Gives the way to a line that is on its way. */
static inline struct way *tags_reserve(struct tags *t, int64_t way, uint64_t line)
{
    t->lines[way] = line;
    t->order[way] = RESERVED | ++t->now << WAY_BITS | (t->order[way] & WAY_MASK);
    t->ways[way] = (struct way){0};
    return &t->ways[way];
}

/* A new warp has this number: what the one before it has brought is nobody's. */
static inline void tags_disown(struct tags *t, unsigned warp)
{
    for (uint64_t i = 0; i < t->num_sets * t->num_ways; i++)
        t->ways[i].warp = t->ways[i].warp == warp ? NOBODY : t->ways[i].warp;
}

/* What a reserved way waits for has come, or, the other way, more of a valid one's line is on its
 * way. Neither is an access. */
static inline void tags_fill(struct tags *t, int64_t way)
{
    t->order[way] &= ~RESERVED;
}
static inline void tags_wait(struct tags *t, int64_t way)
{
    t->order[way] |= RESERVED;
}

#endif

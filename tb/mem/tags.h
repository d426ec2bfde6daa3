/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/tags.h: the tag array of a set-associative cache with least recently used replacement.
 * L1D, constant cache and L2 share it. Addresses of lines stand apart from what else is known of a
 * way, so that a look-up reads few bytes. */
#ifndef HEDDLE_TB_MEM_TAGS_H
#define HEDDLE_TB_MEM_TAGS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NO_LINE UINT64_MAX

enum way_state { WAY_INVALID, WAY_VALID, WAY_RESERVED }; /* RESERVED: its line is on its way */

struct way {
    uint64_t used;        /* number of the last access: the smallest is the least recently used */
    uint32_t mshr;        /* while RESERVED */
    uint16_t warp;        /* that brought the line (L1) */
    uint8_t state;        /* enum way_state */
    uint8_t stale;        /* written while RESERVED: becomes INVALID when it arrives (L1) */
    uint8_t valid, dirty; /* sectors, one bit each (L2) */
};

struct tags {
    uint64_t *lines;  /* address of the first byte, NO_LINE where INVALID; set after set */
    struct way *ways; /* in the same order */
    uint64_t now;     /* accesses so far */
    uint64_t num_sets;
    uint32_t num_ways, line_shift, set_bits;
    int hashed;
};

/* Returns 0, or -1: no memory. `hashed` needs a power of two of sets. */
static inline int tags_init(struct tags *t, uint64_t num_sets, uint32_t num_ways,
                            uint32_t line_bytes, int hashed)
{
    t->num_sets = num_sets;
    t->num_ways = num_ways;
    t->line_shift = (uint32_t)__builtin_ctz(line_bytes);
    t->set_bits = num_sets > 1 ? 64 - (uint32_t)__builtin_clzll(num_sets - 1) : 0;
    t->hashed = hashed;
    t->lines = malloc(num_sets * num_ways * sizeof *t->lines);
    t->ways = malloc(num_sets * num_ways * sizeof *t->ways);
    return t->lines && t->ways ? 0 : -1;
}

static inline void tags_free(struct tags *t)
{
    free(t->lines);
    free(t->ways);
}

/* Empties the cache. */
static inline void tags_reset(struct tags *t)
{
    memset(t->lines, 0xff, t->num_sets * t->num_ways * sizeof *t->lines);
    memset(t->ways, 0, t->num_sets * t->num_ways * sizeof *t->ways);
    t->now = 0;
}

/* The set of the line that begins at `address`. Hashed: the set bits XORed with the two groups of
 * bits above them, so that strides of a power of two spread over the sets. */
static inline uint64_t tags_set(const struct tags *t, uint64_t address)
{
    uint64_t line = address >> t->line_shift;
    if (t->hashed)
        line ^= line >> t->set_bits ^ line >> 2 * t->set_bits;
    return (t->num_sets & (t->num_sets - 1)) ? line % t->num_sets : line & (t->num_sets - 1);
}

/* The number of the way that holds, or waits for, the line; -1: none. */
static inline int64_t tags_find(const struct tags *t, uint64_t line)
{
    const uint64_t first = tags_set(t, line) * t->num_ways;
    for (uint32_t i = 0; i < t->num_ways; i++)
        if (t->lines[first + i] == line)
            return (int64_t)(first + i);
    return -1;
}

/* The way that a miss replaces: an invalid one, else the least recently used valid one; -1: all
 * are reserved. */
static inline int64_t tags_victim(const struct tags *t, uint64_t line)
{
    const uint64_t first = tags_set(t, line) * t->num_ways;
    int64_t oldest = -1;
    for (uint64_t i = first; i < first + t->num_ways; i++) {
        const struct way *way = &t->ways[i];
        if (way->state == WAY_INVALID)
            return (int64_t)i;
        if (way->state == WAY_VALID && (oldest < 0 || way->used < t->ways[oldest].used))
            oldest = (int64_t)i;
    }
    return oldest;
}

static inline void tags_touch(struct tags *t, int64_t way)
{
    t->ways[way].used = ++t->now;
}

/* Gives the way to a line that is on its way. */
static inline struct way *tags_reserve(struct tags *t, int64_t way, uint64_t line)
{
    t->lines[way] = line;
    t->ways[way] = (struct way){.used = ++t->now, .state = WAY_RESERVED};
    return &t->ways[way];
}

static inline void tags_drop(struct tags *t, int64_t way)
{
    t->lines[way] = NO_LINE;
    t->ways[way].state = WAY_INVALID;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/delay_line.h: a pipeline of fixed latency: what goes in at cycle t comes out at t +
 * latency, in order. At most one entry goes in per cycle, or as many as the pipeline is wide, so
 * `latency + 1` times as many places are enough and the earliest entry is always the first. */
#ifndef HEDDLE_TB_SM_DELAY_LINE_H
#define HEDDLE_TB_SM_DELAY_LINE_H

#include <stdint.h>
#include <stdlib.h>

#include "tb/mem/memory.h"

struct delay_entry {
    uint64_t due;
    uint32_t what, detail; /* the user's */
};

struct delay_line {
    uint64_t next; /* when the first entry is due; NEVER: empty */
    struct delay_entry *entries;
    uint32_t latency, mask, first, end;
};

/* Returns 0, or -1: no memory. */
static inline int delay_init_wide(struct delay_line *d, int64_t latency, unsigned width)
{
    uint32_t places = 2;
    while (places < (latency + 1) * width)
        places *= 2;
    d->entries = calloc(places, sizeof *d->entries);
    d->latency = (uint32_t)latency;
    d->mask = places - 1;
    d->first = d->end = 0;
    d->next = NEVER;
    return d->entries ? 0 : -1;
}

static inline int delay_init(struct delay_line *d, int64_t latency)
{
    return delay_init_wide(d, latency, 1);
}

static inline void delay_clear(struct delay_line *d)
{
    d->first = d->end = 0;
    d->next = NEVER;
}

static inline void delay_push(struct delay_line *d, uint64_t cycle, uint32_t what, uint32_t detail)
{
    struct delay_entry *e = &d->entries[d->end++ & d->mask];
    *e = (struct delay_entry){cycle + d->latency, what, detail};
    if (d->next == NEVER)
        d->next = e->due;
}

/* Takes the first entry if it is due by `cycle`. */
static inline int delay_pop(struct delay_line *d, uint64_t cycle, struct delay_entry *out)
{
    if (d->next > cycle)
        return 0;
    *out = d->entries[d->first++ & d->mask];
    d->next = d->first == d->end ? NEVER : d->entries[d->first & d->mask].due;
    return 1;
}

#endif

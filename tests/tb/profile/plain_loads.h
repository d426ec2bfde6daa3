/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/profile/plain_loads.h: what is to be counted of a load's touches, as a dumb restatement that
 * keeps everything that has happened to L1D and looks through all of it. */
#ifndef HEDDLE_TESTS_TB_PROFILE_PLAIN_LOADS_H
#define HEDDLE_TESTS_TB_PROFILE_PLAIN_LOADS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tb/profile/sm_profile.h"

#define MAX_HAPPENED 48000
#define CAPACITY     6 /* lines of the cache */

/* Which trip of which entry of the two loops. */
struct trip {
    unsigned entry, trip;
};

/* Everything that has happened. */
enum what { LOAD, WRITE };
struct happened {
    enum what what;
    uint64_t line, life, block;
    int hit, merged, bypass;
    struct trip trips[2];
};

static struct happened happened[MAX_HAPPENED];
static unsigned num_happened;

static int is_load_of(const struct happened *h, uint64_t line)
{
    return h->what == LOAD && h->line == line;
}

/* The last load of this line before the present one, by a certain warp (0: any); or NULL. */
static const struct happened *last_touch(uint64_t line, uint64_t life)
{
    for (unsigned i = num_happened - 1; i > 0; i--)
        if (is_load_of(&happened[i - 1], line) && (!life || happened[i - 1].life == life))
            return &happened[i - 1];
    return NULL;
}

static void plain_reuse(struct load_profile *l, const struct happened *now)
{
    const struct happened *last = last_touch(now->line, 0);
    uint64_t lines = 0, accesses = 0;
    if (!last)
        return;
    for (const struct happened *h = last + 1; h < now; h++) {
        int again = 0;
        for (const struct happened *g = last + 1; g < h; g++)
            again |= is_load_of(g, h->line);
        accesses += h->what == LOAD;
        lines += h->what == LOAD && !again;
    }
    unsigned bucket = 0;
    while (lines >> bucket)
        bucket++;
    l->distances[bucket]++;
    if (last->life == now->life) {
        l->reuses_intra_warp++;
        l->lines_intra_warp += lines;
        l->accesses_intra_warp += accesses;
    } else if (last->block == now->block) {
        l->reuses_inter_warp++;
        l->lines_inter_warp += lines;
        l->accesses_inter_warp += accesses;
    } else {
        l->reuses_inter_block++;
        l->lines_inter_block += lines;
        l->accesses_inter_block += accesses;
    }
}

static void plain_hit(struct load_profile *l, const struct happened *now, unsigned loop)
{
    const struct happened *brought = NULL;
    for (const struct happened *h = happened; h < now; h++)
        if (is_load_of(h, now->line) && !h->hit && !h->merged && !h->bypass)
            brought = h;
    assert_non_null(brought);
    l->hits++;
    l->hits_inter_warp += brought->life != now->life && brought->block == now->block;
    l->hits_inter_block += brought->block != now->block;
    if (brought->life != now->life)
        return;
    l->hits_intra_warp++;
    if (!loop)
        return;
    const struct trip before = last_touch(now->line, now->life)->trips[loop - 1],
                      present = now->trips[loop - 1];
    if (before.entry == present.entry && before.trip == present.trip)
        l->this_trip++;
    else if (before.entry == present.entry && before.trip + 1 == present.trip)
        l->last_trip++;
    else
        l->earlier++;
}

/* A fully associative cache goes through all that has happened. */
static void plain_miss(struct load_profile *l, const struct happened *now)
{
    uint64_t lru[CAPACITY + 1] = {0}; /* newest first */
    const char *why = "cold";
    unsigned count = 0;
    for (const struct happened *h = happened; h < now; h++) {
        unsigned at = 0;
        while (at < count && lru[at] != h->line)
            at++;
        const int here = at < count;
        const int comes = h->what == LOAD && (here || h->hit || (!h->merged && !h->bypass));
        if (here) {
            memmove(&lru[at], &lru[at + 1], (CAPACITY - at) * sizeof *lru);
            count--;
        }
        if (comes) {
            memmove(&lru[1], &lru[0], CAPACITY * sizeof *lru);
            lru[0] = h->line;
            count++;
        }
        if (count > CAPACITY)
            why = lru[--count] == now->line ? "capacity" : why;
        if (h->line != now->line)
            continue;
        if (comes)
            why = "conflict"; /* it is here: so L1D has lost it by its sets */
        else if (h->what == WRITE)
            why = strcmp(why, "cold") ? "written" : why;
        else if (!h->merged)
            why = "bypassed";
    }
    l->misses++;
    l->misses_merged += (uint64_t)now->merged;
    if (now->merged)
        return;
    l->misses_cold += !strcmp(why, "cold");
    l->misses_capacity += !strcmp(why, "capacity");
    l->misses_conflict += !strcmp(why, "conflict");
    l->misses_written += !strcmp(why, "written");
    l->misses_bypassed += !strcmp(why, "bypassed");
}

/* Counts a touch, the last that has happened; `loop`: the innermost one of its instruction, from 1. */
static void plain_touch(struct load_profile *l, const struct happened *now, unsigned loop)
{
    l->accesses++;
    plain_reuse(l, now);
    if (now->hit)
        plain_hit(l, now, loop);
    else
        plain_miss(l, now);
}

#endif

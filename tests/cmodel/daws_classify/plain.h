/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/daws_classify/plain.h: the rules of DAWS 5.2 restated without the tables of the
 * reference: what loads have in common is a relation between pairs of loads, of which groups are
 * found anew whenever a footprint is wanted; the repetition detector is a list of what was touched,
 * newest last, cut to the ways of a set. Nothing is shared with daws_classify.c. */
#ifndef HEDDLE_TESTS_CMODEL_DAWS_CLASSIFY_PLAIN_H
#define HEDDLE_TESTS_CMODEL_DAWS_CLASSIFY_PLAIN_H

#include <string.h>

#include "cmodel/daws_classify/daws_classify.h"

#define SLOTS  (NUM_SCHEDULERS * NUM_WARPS)
#define LOOPS  ((1 << LOOP_BITS) - 1)
#define LOADS  (1 << (LOAD_BITS - 1))
#define NOBODY (-1)

struct touch {
    uint64_t line;
    int warp, load;
};

/* Loops and loads by their numbers, from 1. */
struct plain {
    int sampler[LOOPS + 1], last[LOOPS + 1], locality[LOOPS + 1];
    int loop_of[LOADS + 1], divergence[LOADS + 1], repeats[LOADS + 1][LOADS + 1];
    struct touch touched[ILRD_SETS][ILRD_WAYS]; /* of a set, newest last */
    int length[ILRD_SETS];
};

static inline int has(const uint64_t *set, int at)
{
    return (int)(set[at / 64] >> at % 64 & 1);
}

static inline int limited(int number, int least, int most)
{
    return number < least ? least : number > most ? most : number;
}

static inline void plain_start(struct plain *p)
{
    memset(p, 0, sizeof *p);
    for (int l = 0; l <= LOOPS; l++)
        p->sampler[l] = NOBODY;
}

/* Does the load, or one that repeats it over any number of others, diverge? All are seen. */
static inline int visit(const struct plain *p, int load, int *seen)
{
    int diverges = p->divergence[load] > 1;
    seen[load] = 1;
    for (int other = 1; other <= LOADS; other++)
        if (!seen[other] && p->repeats[load][other])
            diverges |= visit(p, other, seen);
    return diverges;
}

static inline int plain_footprint(const struct plain *p, int loop, int lanes)
{
    int seen[LOADS + 1] = {0}, lines = 0;
    if (loop == 0 || p->locality[loop] <= 0)
        return 0;
    for (int load = 1; load <= LOADS; load++) {
        if (p->loop_of[load] != loop || seen[load])
            continue;
        const int diverges = visit(p, load, seen);
        lines += lanes <= 1 ? lanes : diverges ? lanes : 2;
    }
    return limited(lines, 0, 255);
}

static inline void plain_forget(struct plain *p, int warp)
{
    for (int set = 0; set < ILRD_SETS; set++) {
        int kept = 0;
        for (int n = 0; n < p->length[set]; n++)
            if (p->touched[set][n].warp != warp)
                p->touched[set][kept++] = p->touched[set][n];
        p->length[set] = kept;
    }
}

/* Which load of the warp has touched the line last? It goes to the end of the list; the first one
 * falls out when there are too many. */
static inline int plain_touch(struct plain *p, uint64_t line, int warp, int load)
{
    const int set = (int)(line & (ILRD_SETS - 1));
    struct touch *list = p->touched[set];
    int before = 0, gone = p->length[set] == ILRD_WAYS ? 0 : p->length[set];
    for (int n = 0; n < p->length[set]; n++)
        if (list[n].line == line && list[n].warp == warp) {
            before = list[n].load;
            gone = n;
        }
    if (gone == p->length[set])
        p->length[set]++;
    for (int n = gone; n + 1 < p->length[set]; n++)
        list[n] = list[n + 1];
    list[p->length[set] - 1] = (struct touch){line, warp, load};
    return before;
}

static inline void plain_access(struct plain *p, const struct daws_classify_in *in)
{
    const int load = (int)in->access_load, loop = (int)in->access_loop;
    if (!in->access || load < 1 || load > LOADS || loop == 0 || p->locality[loop] <= 0 ||
        p->sampler[loop] != (int)in->access_warp || (p->loop_of[load] && p->loop_of[load] != loop))
        return;
    p->loop_of[load] = loop;
    const int before = plain_touch(p, in->access_line, (int)in->access_warp, load);
    if (before && p->loop_of[before] == loop)
        p->repeats[load][before] = p->repeats[before][load] = 1;
    if (in->access_active > 2)
        p->divergence[load] = limited(p->divergence[load] + (in->access_lines > 2 ? 1 : -1), 0, 3);
}

/* One L1D access of a load: is there intra-warp locality? */
static inline void plain_feedback(struct plain *p, int loop, int warp, int intra)
{
    if (loop && p->sampler[loop] == warp)
        p->locality[loop] = limited(p->locality[loop] + (intra ? 1 : -1), -32, 31);
}

static inline int in_loop(int loop, int first, int last)
{
    return first <= loop && loop <= last;
}

static inline void plain_issues(struct plain *p, const struct daws_classify_in *in)
{
    int forget[SLOTS] = {0}, fresh = NOBODY;
    for (int w = SLOTS - 1; w >= 0; w--)
        if (has(in->fresh, w))
            fresh = w;
    for (int n = 0; n < NUM_SCHEDULERS; n++) {
        const int slot = n * NUM_WARPS + (int)in->warp[n];
        if (has(in->issue, n) && in->warp[n] < NUM_WARPS && in->loop_end[n] &&
            p->sampler[in->loop_end[n]] == slot)
            forget[slot] = 1;
    }
    for (int l = 1; l <= LOOPS; l++)
        if (fresh != NOBODY && p->sampler[l] == fresh)
            p->sampler[l] = NOBODY;
    for (int n = 0; n < NUM_SCHEDULERS; n++)
        for (int l = 1; l <= LOOPS; l++)
            if (has(in->issue, n) && in->warp[n] < NUM_WARPS &&
                p->sampler[l] == n * NUM_WARPS + (int)in->warp[n] &&
                !in_loop((int)in->loop[n], l, p->last[l]))
                p->sampler[l] = NOBODY;
    for (int n = 0; n < NUM_SCHEDULERS; n++) {
        const int l = (int)in->loop_begin[n], slot = n * NUM_WARPS + (int)in->warp[n];
        if (!has(in->issue, n) || in->warp[n] >= NUM_WARPS || l == 0 || in->active[n] <= 2 ||
            p->sampler[l] != NOBODY || !in_loop((int)in->loop[n], l, (int)in->loop_last[n]))
            continue;
        p->sampler[l] = slot;
        p->last[l] = (int)in->loop_last[n];
        forget[slot] = 1;
    }
    for (int w = 0; w < SLOTS; w++)
        if (forget[w])
            plain_forget(p, w);
}

static inline void plain_edge(struct plain *p, const struct daws_classify_in *in)
{
    if (in->start) {
        plain_start(p);
        return;
    }
    plain_access(p, in);
    if (in->feedback)
        plain_feedback(p, (int)in->feedback_loop, (int)in->feedback_warp, (int)in->feedback_local);
    plain_issues(p, in);
}

#endif

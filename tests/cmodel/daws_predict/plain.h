/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/daws_predict/plain.h: DAWS 5.1, restated from what has happened: a warp has no
 * footprint but a list of the loops that it began, no place in a queue but the time of its birth, and
 * a pass adds nothing up: when it is over, every sum is formed anew from what was the case in each of
 * its cycles. Nothing is shared with daws_predict.c. */
#ifndef HEDDLE_TESTS_CMODEL_DAWS_PREDICT_PLAIN_H
#define HEDDLE_TESTS_CMODEL_DAWS_PREDICT_PLAIN_H

#include "cmodel/daws_predict/daws_predict.h"

#define SLOTS  (NUM_SCHEDULERS * NUM_WARPS)
#define PASS   ((SLOTS + DAWS_LOOKS - 1) / DAWS_LOOKS)
#define BEGINS 20000
#define NEVER  (-1)

struct begun {
    uint8_t loop, last, lines;
};

/* A warp, as it is seen from outside. */
struct plain_warp {
    long born;
    struct begun begun[BEGINS]; /* the loops that it began since it is in its nest, one per issue */
    int count;                  /* 0: it is in none */
    unsigned before;   /* inner loop of the nest from which it came to this one without leaving */
    unsigned going_to; /* lines of the loop that it comes to next */
};

struct plain {
    struct plain_warp warps[SLOTS];
    long now, began, asked; /* cycles: this one, the first of the pass, the last with a change */
    unsigned lines[PASS][SLOTS], effective[PASS]; /* what each cycle of the pass has seen */
    int allow[SLOTS];
};

static int has(const uint64_t *set, int slot)
{
    return (int)(set[slot / 64] >> slot % 64 & 1);
}

static int holds(const struct begun *b, unsigned loop)
{
    return loop >= b->loop && loop <= b->last;
}

/* The last footprint that something was known of counts: of the nest, each begin has one. */
static unsigned lines_of(const struct plain_warp *w)
{
    if (!w->count)
        return w->going_to;
    for (int n = w->count - 1; n > 0; n--)
        if (w->begun[n].lines)
            return w->begun[n].lines;
    return w->begun[0].lines;
}

/* Which loop that was: an outer one that is begun again does not take it from the inner one. */
static unsigned inner_of(const struct plain_warp *w)
{
    unsigned loop = w->before;
    for (int n = 0; n < w->count; n++)
        if ((n == 0 || w->begun[n].lines) && !(loop && holds(&w->begun[n], loop)))
            loop = w->begun[n].loop;
    return loop;
}

static unsigned counted(const struct plain *p, int slot)
{
    if (p->warps[slot].count)
        return lines_of(&p->warps[slot]);
    for (int other = 0; other < SLOTS; other++)
        if (p->warps[other].count && lines_of(&p->warps[other]))
            return lines_of(&p->warps[slot]);
    return 0; /* nobody is in a loop with locality */
}

static void leave_all(struct plain_warp *w)
{
    w->count = 0;
    w->before = w->going_to = 0;
}

static void plain_reset(struct plain *p)
{
    for (int i = 0; i < SLOTS; i++) {
        leave_all(&p->warps[i]);
        p->warps[i].born = i - SLOTS;
        p->allow[i] = 1;
    }
    p->now = 0;
    p->began = p->asked = NEVER;
}

static void plain_issue(struct plain_warp *w, const struct daws_predict_in *in, int c)
{
    const unsigned loop = (unsigned)in->loop[c];
    const struct begun b = {(uint8_t)in->loop_begin[c], (uint8_t)in->loop_last[c],
                            (uint8_t)in->footprint[c]};
    if (b.loop) {
        if (w->count && !holds(&w->begun[0], b.loop)) {
            w->before = inner_of(w);
            w->count = 0;
        }
        w->begun[w->count++] = b;
    }
    if (w->count && holds(&w->begun[0], loop))
        return;
    if (!loop)
        w->going_to = in->next_loop[c] ? (unsigned)in->closest[c] : 0;
    else if (w->count)
        w->going_to = 0;
    w->count = 0;
    w->before = 0;
}

static int elders(const struct plain *p, int slot)
{
    int n = 0;
    for (int other = 0; other < SLOTS; other++)
        n += p->warps[other].born < p->warps[slot].born;
    return n;
}

/* The pass is over: a warp may load if it and its elders fit, each as it was when looked at. */
static void judge(struct plain *p)
{
    int unthrottled = 0;
    for (int i = 0; i < SLOTS; i++) {
        const int at = elders(p, i) / DAWS_LOOKS;
        unsigned sum = 0;
        for (int other = 0; other < SLOTS; other++)
            if (p->warps[other].born <= p->warps[i].born)
                sum += p->lines[elders(p, other) / DAWS_LOOKS][other];
        p->allow[i] = sum <= p->effective[at];
        unthrottled |= p->lines[at][i] > p->effective[at];
    }
    for (int i = 0; i < SLOTS; i++)
        p->allow[i] |= unthrottled;
}

static void plain_edge(struct plain *p, const struct daws_predict_in *in)
{
    unsigned before[SLOTS], fresh = 0;
    int was_in[SLOTS];
    if (in->start) {
        plain_reset(p);
        return;
    }
    for (int i = 0; i < SLOTS; i++) {
        before[i] = lines_of(&p->warps[i]);
        was_in[i] = p->warps[i].count > 0;
    }
    int over = p->began == NEVER;
    if (!over) {
        const long cycle = p->now - p->began;
        p->effective[cycle] = (unsigned)in->effective;
        for (int i = 0; i < SLOTS; i++)
            p->lines[cycle][i] = counted(p, i);
        over = cycle == PASS - 1;
        if (over)
            judge(p);
    }
    for (int c = 0; c < NUM_SCHEDULERS; c++)
        if (has(in->issue, c) && in->warp[c] < NUM_WARPS)
            plain_issue(&p->warps[c * NUM_WARPS + (int)in->warp[c]], in, c);
    for (int i = 0; i < SLOTS; i++)
        if (!has(in->running, i) || has(in->fresh, i)) {
            p->warps[i].going_to = before[i]; /* whatever the issue did */
            leave_all(&p->warps[i]);
        }
    for (int c = 0; c < NUM_SCHEDULERS; c++) {
        int w = 0;
        while (w < NUM_WARPS && !has(in->fresh, c * NUM_WARPS + w))
            w++;
        if (w < NUM_WARPS) {
            p->warps[c * NUM_WARPS + w].born = p->now * SLOTS + c;
            fresh = 1;
        }
    }
    for (int i = 0; i < SLOTS; i++) {
        const unsigned after = lines_of(&p->warps[i]);
        if (after != before[i] || (after && was_in[i] != (p->warps[i].count > 0)))
            p->asked = p->now;
    }
    if (fresh)
        p->began = p->now + 1;
    else if (over)
        p->began = p->asked != NEVER && p->asked >= (p->began == NEVER ? p->now : p->began)
                       ? p->now + 1
                       : NEVER;
    p->now++;
}

#endif

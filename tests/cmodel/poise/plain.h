/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/poise/plain.h: Poise VI, restated from what has happened since an epoch began. There are
 * no counters: every number of a sample is taken anew from a list of its cycles, and the sum of
 * latencies by visiting each cycle. There is no centre, stride or side: the search is played from its
 * beginning, with the samples that were taken, until it asks for one that was not. The link function
 * is the paper's, in double precision. Nothing is shared with poise.c. */
#ifndef HEDDLE_TESTS_CMODEL_POISE_PLAIN_H
#define HEDDLE_TESTS_CMODEL_POISE_PLAIN_H

#include <math.h>

#include "cmodel/poise/poise.h"

#define MOST_SAMPLES 400
#define MOST_CYCLES  400000

struct plain_pair {
    int n, p;
};

/* A cycle, and how many misses wait after it. */
struct plain_cycle {
    unsigned issued, loads, access, hit, own;
    long waiting;
};

/* A sample: the pair, and its first and last cycle in the list. */
struct plain_sample {
    struct plain_pair pair;
    long first, last;
};

struct plain {
    struct plain_cycle cycles[MOST_CYCLES]; /* since the epoch began */
    long count;
    long waiting; /* misses, now */
    struct plain_sample samples[MOST_SAMPLES];
    int num_samples;
    int features; /* of those, the first: taken for the prediction; none where a pair is given */
    int w;
};

struct plain_features {
    double h, eta, i, lm;
};

static struct plain_features features_of(const struct plain *p, const struct plain_sample *s)
{
    double accesses = 0, hits = 0, own = 0, instructions = 0, loads = 0, waited = 0;
    for (long c = s->first; c <= s->last; c++) {
        const struct plain_cycle *at = &p->cycles[c];
        accesses += at->access;
        hits += at->access && at->hit;
        own += at->access && at->hit && at->own;
        instructions += at->issued;
        loads += at->loads;
        waited += (double)at->waiting;
    }
    const double by = accesses > 0 ? accesses : 1;
    return (struct plain_features){hits / by, own / by, loads > 0 ? instructions / loads : INFINITY,
                                   accesses > 0 ? waited / by : 0};
}

/* Of the two vectors of weights, alpha and beta. */
static double link_function(const struct plain_features *base, const struct plain_features *lone,
                            const double weights[8])
{
    const double change = lone->eta - base->eta, lm = lone->lm - base->lm;
    const double x[8] = {
        base->h,         lone->h, base->eta, lone->eta, change * change, base->i * change * change,
        lm * lm / 10000, 1};
    double sum = 0;
    for (int i = 0; i < 8; i++)
        sum += weights[i] * x[i];
    return exp(sum);
}

/* Scaled back from 24 to the kernel's warps, not yet rounded. */
static double scaled(double predicted, int w)
{
    return predicted * w / 24;
}

static int rounded(double v, int most)
{
    const double r = floor(v + 0.5);
    return r < 1 ? 1 : r > most ? most : (int)r;
}

/* ---- the search ---- */

struct plain_search {
    const struct plain *plain;
    int next;               /* sample that the next question is answered by */
    struct plain_pair asks; /* the pair that has no sample yet */
    int stuck;              /* it is needed */
};

static int score_of(struct plain_search *s, struct plain_pair pair)
{
    int score = 0;
    s->asks = pair;
    if (s->next == s->plain->num_samples) {
        s->stuck = 1;
        return 0;
    }
    const struct plain_sample *sample = &s->plain->samples[s->next++];
    for (long c = sample->first; c <= sample->last; c++)
        score += (int)s->plain->cycles[c].issued;
    return score;
}

static int legal(struct plain_pair q, int w)
{
    return 1 <= q.p && q.p <= q.n && q.n <= w;
}

/* Along one axis, from `at`, of which `score` is known. Returns where it ends. */
static struct plain_pair climb(struct plain_search *s, struct plain_pair at, int *score,
                               int along_n, int stride)
{
    struct plain_pair came_from = {0, 0};
    while (stride > 0) {
        struct plain_pair best = at;
        int best_score = *score;
        for (int sign = -1; sign <= 1; sign += 2) {
            const struct plain_pair q = {at.n + (along_n ? sign * stride : 0),
                                         at.p + (along_n ? 0 : sign * stride)};
            if (!legal(q, s->plain->w) || (q.n == came_from.n && q.p == came_from.p))
                continue;
            const int found = score_of(s, q);
            if (s->stuck)
                return at;
            if (found > best_score) {
                best = q;
                best_score = found;
            }
        }
        if (best.n == at.n && best.p == at.p) {
            stride /= 2;
            came_from = (struct plain_pair){0, 0};
        } else {
            came_from = at;
            at = best;
            *score = best_score;
        }
    }
    return at;
}

/* The pair of those that there are which is next to what is given: first N, then p. */
static struct plain_pair nearest(uint64_t n, uint64_t p, int w)
{
    struct plain_pair best = {1, 1};
    for (int i = 1; i <= w; i++)
        if ((uint64_t)i <= n)
            best.n = i;
    for (int i = 1; i <= best.n; i++)
        if ((uint64_t)i <= p)
            best.p = i;
    return best;
}

/* Plays the search from the pair predicted or given, with the samples behind those of features. Returns whether it needs
 * another sample, of *pair; else it has ended at *pair. */
static int search_asks(const struct plain *p, struct plain_pair predicted, int stride_n,
                       int stride_p, struct plain_pair *pair)
{
    struct plain_search s = {.plain = p, .next = p->features};
    *pair = predicted;
    if (!stride_n && !stride_p)
        return 0;
    int score = score_of(&s, predicted);
    if (!s.stuck)
        *pair = climb(&s, *pair, &score, 1, stride_n);
    if (!s.stuck)
        *pair = climb(&s, *pair, &score, 0, stride_p);
    if (s.stuck)
        *pair = s.asks;
    return s.stuck;
}

#endif

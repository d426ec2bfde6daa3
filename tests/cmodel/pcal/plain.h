/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/pcal/plain.h: PCAL-SWL (Poise III-C, VII-C) with the choices of rtl/pcal/README.md, restated. There is no
 * state machine: the search is played from its beginning, with the samples that were taken, until it asks for one that was not. A
 * sample is which pair each SM had and what it issued. Nothing is shared with pcal.c. */
#ifndef HEDDLE_TESTS_CMODEL_PCAL_PLAIN_H
#define HEDDLE_TESTS_CMODEL_PCAL_PLAIN_H

#include "cmodel/pcal/pcal.h"

#define MOST_SAMPLES (2 * NUM_WARPS + 8)

struct plain_sample {
    int n, p[NUM_SMS];
    long issued[NUM_SMS];
};

struct plain {
    int w, start_n, stride;
    struct plain_sample samples[MOST_SAMPLES];
    int num_samples;
};

struct plain_search {
    const struct plain *plain;
    int next;                 /* sample by which the next question is answered */
    struct plain_sample asks; /* pairs that have no sample yet; else those where it ends */
    int open;                 /* that sample is needed */
};

/* The sample of these pairs, or NULL: it was not taken yet. */
static const struct plain_sample *ask(struct plain_search *s)
{
    if (s->next == s->plain->num_samples) {
        s->open = 1;
        return NULL;
    }
    return &s->plain->samples[s->next++];
}

/* The p of each value's turn on `count` SMs from this value on: after the last comes 1. */
static void spread(struct plain_search *s, int from, int n)
{
    s->asks.n = n;
    for (int i = 0; i < NUM_SMS; i++)
        s->asks.p[i] = 1 + (from - 1 + i) % n;
}

/* What a value has issued on as many SMs as every other has; -1: one of them had no work. */
static long score_of_p(const struct plain_sample *sample, int value, int n)
{
    const int each = NUM_SMS / n > 0 ? NUM_SMS / n : 1;
    long sum = 0;
    int found = 0;
    for (int i = 0; i < NUM_SMS && found < each; i++)
        if (sample->p[i] == value) {
            if (!sample->issued[i])
                return -1;
            sum += sample->issued[i];
            found++;
        }
    return sum;
}

/* The best p at (n, p), or 0: a sample is needed. */
static int best_p(struct plain_search *s, int n)
{
    int best = n;
    long best_score = 0;
    for (int from = 1; from <= n; from += NUM_SMS) {
        spread(s, from, n);
        const struct plain_sample *sample = ask(s);
        if (!sample)
            return 0;
        for (int value = from; value <= n && value < from + NUM_SMS; value++)
            if (score_of_p(sample, value, n) > best_score) {
                best_score = score_of_p(sample, value, n);
                best = value;
            }
    }
    return best;
}

/* What all SMs have issued, and how many of them had no work. */
struct plain_score {
    long sum;
    int idle;
};

/* Asks for N with p on all SMs. Returns whether there is a sample. */
static int score_of_n(struct plain_search *s, int n, int p, struct plain_score *score)
{
    s->asks.n = n;
    for (int i = 0; i < NUM_SMS; i++)
        s->asks.p[i] = p;
    const struct plain_sample *sample = ask(s);
    *score = (struct plain_score){0, 0};
    for (int i = 0; sample && i < NUM_SMS; i++) {
        score->sum += sample->issued[i];
        score->idle += !sample->issued[i];
    }
    return sample != NULL;
}

static int beats(struct plain_score a, struct plain_score b)
{
    return a.idle == b.idle && a.sum > b.sum;
}

/* Plays the search. s->open: it needs the sample s->asks; else it has ended at those pairs. */
static void play(struct plain_search *s, const struct plain *plain)
{
    *s = (struct plain_search){.plain = plain};
    const int n = plain->start_n, p = best_p(s, n), stride = plain->stride;
    struct plain_score best, found;
    int best_n = n;
    if (s->open)
        return;
    if (stride) {
        if (!score_of_n(s, n, p, &best))
            return;
        for (int sign = 1; sign >= -1; sign -= 2) {
            const int neighbour = n + sign * stride;
            if (neighbour < p || neighbour > plain->w)
                continue;
            if (!score_of_n(s, neighbour, p, &found))
                return;
            if (beats(found, best)) {
                best = found;
                best_n = neighbour;
            }
        }
        const int step = best_n - n; /* and on in this direction */
        while (step && best_n + step >= p && best_n + step <= plain->w) {
            if (!score_of_n(s, best_n + step, p, &found))
                return;
            if (!beats(found, best))
                break;
            best = found;
            best_n += step;
        }
    }
    s->asks.n = best_n;
    for (int i = 0; i < NUM_SMS; i++)
        s->asks.p[i] = p;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/train/target.c: which pair a kernel should have, and which kernels are worth learning from
 * (Poise V-C, VII-B, table IV). */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tb/cli/train/train.h"

static const double neighbour_weights[] = {1, 0.5, 0.25}; /* omega of equation 12 */

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int order(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* By the kernel's own pair; of the same those first that the sweep limits least. */
static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    const int by_n = order(x->n, y->n), by_p = order(x->p, y->p),
              by_swept_n = order(y->swept_n, x->swept_n);
    return by_n ? by_n : by_p ? by_p : by_swept_n ? by_swept_n : order(y->swept_p, x->swept_p);
}

static const struct place *find(const struct kernel *k, int64_t n, int64_t p)
{
    for (int i = 0; i < k->count; i++)
        if (k->places[i].n == n && k->places[i].p == p)
            return &k->places[i];
    return NULL;
}

/* Pairs beyond the kernel's warps limit nothing, and are the same: that one counts which the sweep
 * limits least. Returns 0, or -1: the sweep has a pair twice. */
static int order_places(struct kernel *k)
{
    int kept = 0;
    qsort(k->places, (size_t)k->count, sizeof *k->places, by_place);
    for (int i = 1; i < k->count; i++)
        if (k->places[i].swept_n == k->places[i - 1].swept_n &&
            k->places[i].swept_p == k->places[i - 1].swept_p) {
            fprintf(stderr,
                    "heddle train: %s, kernel %s: two points are (%" PRId64 ", %" PRId64 ")\n",
                    k->label, k->name, k->places[i].swept_n, k->places[i].swept_p);
            return -1;
        }
    for (int i = 0; i < k->count; i++)
        if (!kept || k->places[kept - 1].n != k->places[i].n ||
            k->places[kept - 1].p != k->places[i].p)
            k->places[kept++] = k->places[i];
    k->count = kept;
    return 0;
}

/* Finds (W, W) and (1, 1). W is the largest N of the sweep, which limits nothing. */
static int find_corners(struct kernel *k)
{
    int64_t most = 0;
    for (int i = 0; i < k->count; i++)
        most = k->places[i].n > most ? k->places[i].n : most;
    const struct place *whole = find(k, most, most);
    k->warps = whole ? (int64_t)whole->warps : most;
    for (int i = 0; i < k->count; i++) {
        k->places[i].n = least(k->places[i].n, k->warps);
        k->places[i].p = least(k->places[i].p, k->warps);
    }
    k->reason = whole ? REASON_NONE : REASON_NO_WHOLE;
    if (order_places(k))
        return -1;
    most = least(most, k->warps);
    k->whole = whole ? find(k, most, most) : NULL;
    k->lone = find(k, 1, 1);
    if (k->whole && !k->lone)
        k->reason = REASON_NO_LONE;
    return 0;
}

/* Equation 12, divided by the weights of the points that there are. */
static double score(const struct kernel *k, const struct place *at)
{
    double sum = 0, weights = 0;
    for (int i = 0; i < k->count; i++) {
        const int64_t n = llabs(k->places[i].n - at->n), p = llabs(k->places[i].p - at->p);
        if (n > 1 || p > 1)
            continue;
        sum += neighbour_weights[n + p] * k->places[i].speedup;
        weights += neighbour_weights[n + p];
    }
    return sum / weights;
}

/* The largest score; of equal ones the largest N, then p. */
static void find_target(struct kernel *k)
{
    for (int i = 0; i < k->count; i++) {
        k->places[i].speedup = k->whole->cycles / k->places[i].cycles;
        k->best = fmax(k->best, k->places[i].speedup);
    }
    for (int i = 0; i < k->count; i++) {
        k->places[i].score = score(k, &k->places[i]);
        if (!k->target || k->places[i].score >= k->target->score)
            k->target = &k->places[i];
    }
}

/* In whole numbers, which the likelihood is of. */
static unsigned scaled(int64_t warps, int64_t of)
{
    const long value = lround((double)warps * TRAIN_WARPS / (double)of);
    return value < 1 ? 1 : (unsigned)value;
}

static void judge(struct kernel *k, const struct thresholds *t)
{
    if (k->whole->cycles / k->whole->launches < t->cycles)
        k->reason = REASON_SHORT;
    else if (!(k->lone->hits > 0))
        k->reason = REASON_NO_HITS;
    else if (k->best < t->speedup)
        k->reason = REASON_NO_GAIN;
}

int kernels_choose(struct kernels *all, const struct thresholds *thresholds)
{
    for (int i = 0; i < all->count; i++) {
        struct kernel *k = &all->items[i];
        if (find_corners(k))
            return -1;
        if (k->reason) {
            fprintf(stderr, "heddle train: %s, kernel %s: %s; left out\n", k->label, k->name,
                    reason_text(k->reason));
            continue;
        }
        find_target(k);
        judge(k, thresholds);
        features_of(k->whole, k->lone, k->features);
        k->outputs[0] = scaled(k->target->n, k->warps);
        k->outputs[1] = scaled(k->target->p, k->warps);
    }
    for (int i = 0; i < all->count; i++) /* examples first; both in the order that they had */
        if (!all->items[i].reason) {
            const struct kernel example = all->items[i];
            for (int to = i; to > all->used; to--)
                all->items[to] = all->items[to - 1];
            all->items[all->used++] = example;
        }
    return 0;
}

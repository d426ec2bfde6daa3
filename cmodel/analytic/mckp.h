/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/mckp.h: the multiple-choice knapsack, exactly: of each slot one item is chosen, such that the weights together are at
 * most `limit` and the costs together least (thesis 5.3.3, equations 5.20 to 5.22 and 5.31 to 5.33).
 *
 * Dynamic programming over slots. What is kept of the slots so far are the sums (weight, cost) that no other one beats in both: no
 * continuation of a beaten sum can be better than the same continuation of the one that beats it. Sums are integers, so the answer is
 * exact. The number of sums that are kept can grow exponentially: the caller gives room, and what does not fit is refused. */
#ifndef HEDDLE_CMODEL_ANALYTIC_MCKP_H
#define HEDDLE_CMODEL_ANALYTIC_MCKP_H

#include <stddef.h>
#include <stdint.h>

#define MCKP_SLOTS  32 /* at most; also levels^slots must be below 2^64 */
#define MCKP_LEVELS 16
/* Sums of weights and of costs have so many bits after scaling. */
#define MCKP_BITS 50

struct mckp_item {
    uint64_t weight, cost;
};

struct mckp {
    unsigned slots, levels; /* items of each slot */
    uint64_t limit;
    struct mckp_item item[MCKP_SLOTS][MCKP_LEVELS];
};

/* A sum that is kept, and the items that make it: digits to the base `levels`, the first slot's the most significant. */
struct mckp_sum {
    uint64_t weight, cost, items;
};

/* Room that does for 15 slots of 4 levels: problems as P-DVFS makes them keep about 350 sums, seldom 1,000 (mckp_test). */
#define MCKP_ROOM_15_4 (2 * 16384)

enum mckp_error {
    MCKP_OK,
    MCKP_SIZE,       /* no slots or levels, or too many */
    MCKP_RANGE,      /* a number that is not finite, a negative weight, or sums above 2^62 */
    MCKP_INFEASIBLE, /* the least weights together are above the limit */
    MCKP_ROOM        /* more sums are to be kept than there is room for */
};

struct mckp_answer {
    unsigned level[MCKP_SLOTS];
    uint64_t weight, cost;
    size_t kept; /* sums, of one list, at most */
};

/* The least cost; of several the least weight; of several items of a slot with the same both, the first. `room` has `sums` sums, half
 * of it for each of two lists. */
enum mckp_error mckp_solve(const struct mckp *, struct mckp_sum *room, size_t sums,
                           struct mckp_answer *out);

/* Integers for weight[slot * levels + level] and cost[...], such that no sum exceeds 2^MCKP_BITS by more than the number of slots.
 * Costs may be negative: each slot's least is subtracted. Weights and costs are rounded to the nearest unit, u = 2^-49 of the
 * largest sum or less, and half a unit per slot is added to the limit: no choice is lost whose weights are within the limit, none
 * is taken that exceeds it by more than slots * u, and the cost of the answer is within slots * u of the least. The answer to the
 * integers is exact. A limit that is negative is MCKP_INFEASIBLE. */
enum mckp_error mckp_scale(const double *weight, const double *cost, unsigned slots,
                           unsigned levels, double limit, struct mckp *out);

/* What a person reads. */
const char *mckp_reason(enum mckp_error);

#endif

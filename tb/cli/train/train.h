/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/train/train.h: kernels of a sweep over (N, p), as examples to learn Poise's weights from. */
#ifndef HEDDLE_TB_CLI_TRAIN_TRAIN_H
#define HEDDLE_TB_CLI_TRAIN_TRAIN_H

#include <stdint.h>
#include <stdio.h>

#define NUM_FEATURES 8

/* What a kernel did at one pair, summed over its launches: COUNT(member, name among the kernel's
 * results). */
#define TRAIN_COUNTS                                                                               \
    COUNT(cycles, "cycles")                                                                        \
    COUNT(launches, "launches")                                                                    \
    COUNT(instructions, "warp_instructions")                                                       \
    COUNT(loads, "loads")                                                                          \
    COUNT(accesses, "l1d.accesses")                                                                \
    COUNT(hits, "l1d.hits")                                                                        \
    COUNT(own_hits, "l1d.hits_intra_warp")                                                         \
    COUNT(waited, "l1d.waited")                                                                    \
    COUNT(warps, "warps_per_scheduler")

struct place {
    int64_t n, p;             /* as the kernel has it: at most its warps */
    int64_t swept_n, swept_p; /* as the sweep has it */
#define COUNT(member, name) double member;
    TRAIN_COUNTS
#undef COUNT
    double speedup, score; /* over (W, W); of the neighbourhood */
};

/* Why a kernel is no example; the first that applies. */
#define TRAIN_REASONS                                                                              \
    REASON(NONE, "")                                                                               \
    REASON(NO_WHOLE, "no result at (W, W)")                                                        \
    REASON(NO_LONE, "no result at (1, 1)")                                                         \
    REASON(SHORT, "too few cycles a launch at (W, W)")                                             \
    REASON(NO_HITS, "no hit in L1D at (1, 1)")                                                     \
    REASON(NO_GAIN, "best speed-up too small")
enum reason {
#define REASON(name, meaning) REASON_##name,
    TRAIN_REASONS
#undef REASON
};

struct kernel {
    char *workload, *label, *name; /* program; that with what its points have in common; kernel */
    int64_t warps;                 /* W: most that a scheduler holds */
    struct place *places;
    int count;
    const struct place *whole, *lone, *target; /* (W, W), (1, 1), the best score */
    double best;                               /* speed-up */
    enum reason reason;
    double features[NUM_FEATURES];
    unsigned outputs[2];    /* N and p of the target, scaled to TRAIN_WARPS */
    int64_t predicted[2];   /* N and p that weights give, of the kernel's own warps */
    const struct place *at; /* what was swept there; NULL: nothing */
};

struct kernels {
    struct kernel *items;
    int count;
    int used; /* without a reason; they come first once kernels_choose() has been called */
};

/* The warps of a scheduler that weights are made for (tb: rtl/poise/README.md). */
#define TRAIN_WARPS 24

/* Table IV of Poise. */
struct thresholds {
    double speedup, cycles;
};

/* Adds the kernels of a file of results, of the groups that match, or of all: NULL. Returns 0, or -1
 * with the reason on stderr. */
int kernels_read(struct kernels *, const char *results, const char *group);
void kernels_free(struct kernels *);

/* Speed-ups, scores, targets (Poise V-C), and which kernels are examples. Returns 0, or -1 with the
 * reason on stderr. */
int kernels_choose(struct kernels *, const struct thresholds *);
const char *reason_text(enum reason);

/* Table II: what the engine derives from its samples at (W, W) and (1, 1). */
void features_of(const struct place *whole, const struct place *lone,
                 double features[NUM_FEATURES]);

/* What the engine makes of weights, for all examples: predicted[] and at. weights[0] are alpha. */
void kernels_predict(struct kernels *, const double weights[2][NUM_FEATURES]);

/* Mean over the examples of |predicted - target| / target, of N (0) or p (1). */
double kernels_error(const struct kernels *, int axis);

/* A table of all examples; with `all` also of the kernels that are none, and why. */
void kernels_print(const struct kernels *, int all);

/* A weight as its key has it: millionths. */
struct weights {
    int64_t millionths[2][NUM_FEATURES];
};

/* Rounds; checks against the ranges of the keys. Returns 0, or -1 with the reason on stderr. */
int weights_round(struct weights *, const double exact[2][NUM_FEATURES]);

/* Writes them as settings, behind what `notes` says, line by line. Returns 0, or -1 with the reason
 * on stderr. */
int weights_write(const struct weights *, const char *notes, const char *path);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/mix.h: how fast two kernels run that share an SM, from a profile of each alone (thesis 9.3 to 9.7). mix.md has the
 * rules, what is open or wrong in the text, and what was chosen. An options struct of zeros is what was chosen.
 *
 * Time is in cycles of the SM, and IPC in warp instructions per cycle. Numbers of warps and of active warps are means, so no whole
 * numbers. On an error the result is not to be used, unless it says otherwise. Histograms come from mix_cd3.h. */
#ifndef HEDDLE_CMODEL_ANALYTIC_MIX_H
#define HEDDLE_CMODEL_ANALYTIC_MIX_H

#include <stddef.h>

#define MIX_KERNELS    2
#define MIX_DISTANCES  64                  /* CD3 up to this is told apart */
#define MIX_BEYOND     (MIX_DISTANCES + 1) /* the bin of all larger ones, which nobody waits for */
#define MIX_EQUILIBRIA 16                  /* that are kept */
#define MIX_CYCLES     1e6                 /* of an interval or a latency, at most */
#define MIX_WARPS      1e4                 /* of a kernel, or of a block, at most */
#define MIX_LAMBDA     2e6                 /* at most */

enum mix_pipe { MIX_SP, MIX_SFU, MIX_MEM, NUM_MIX_PIPES };

enum mix_error {
    MIX_OK,
    MIX_NOT_FINITE,      /* a number is NaN or infinite */
    MIX_BAD_SHARES,      /* shares of the pipes are negative or do not add up to 1 */
    MIX_BAD_HISTOGRAM,   /* shares of the distances are negative or do not add up to 1 */
    MIX_BAD_PIPE,        /* a pipe that is used has an interval or a latency outside its range */
    MIX_BAD_CONTROL,     /* the share of warps that control holds is not in [0, 1) */
    MIX_BAD_WARPS,       /* the number of warps, or of a block's, is not in (0, MIX_WARPS] */
    MIX_BAD_DISPATCH,    /* the dispatch width is negative */
    MIX_BAD_INSTRUCTION, /* mix_cd3.h */
    MIX_BAD_SOLO,        /* an IPC alone is not positive */
    MIX_NO_PARTITION,    /* the list of partitions is empty */
    MIX_NO_EQUILIBRIUM,  /* none was found; forms as printed may have none */
    NUM_MIX_ERRORS
};

/* What an error means, as half a sentence. */
const char *mix_reason(enum mix_error);

/* Profiles: mix_hazard.c --------------------------------------------------------------------------*/

/* What a pipe means to a kernel. */
struct mix_pipe_profile {
    double share;    /* P: of the kernel's instructions */
    double interval; /* C: cycles that an instruction keeps the pipe, in (0, MIX_CYCLES] */
    double latency;  /* cycles from issue to writeback, in (0, MIX_CYCLES] */
    /* Of the pipe's instructions, the share with CD3 = i; 0: nobody waits for them. Together 1. */
    double hist[MIX_BEYOND + 1];
};

/* A kernel, profiled alone. A pipe whose share is 0 may be left all zeros. */
struct mix_profile {
    struct mix_pipe_profile pipe[NUM_MIX_PIPES];
    double control;         /* Pc: the share of its warps that control hazards hold, in [0, 1) */
    double warps_per_block; /* in (0, MIX_WARPS]; only mix_best asks for it */
};

/* Is it a profile of which the rest can be asked? MIX_NOT_FINITE, MIX_BAD_SHARES, MIX_BAD_HISTOGRAM, MIX_BAD_PIPE, MIX_BAD_CONTROL,
 * MIX_BAD_WARPS. */
enum mix_error mix_check(const struct mix_profile *);

/* Variants ----------------------------------------------------------------------------------------*/

/* x, the instructions of the same warp that are in the pipes when one of its instructions may have to wait. */
enum mix_count {
    MIX_COUNT_SHIFTED, /* chosen: 1 + Poisson(lambda), the instruction itself included */
    MIX_COUNT_PRINTED  /* (9.12), (9.13): Poisson(lambda) */
};

/* The mean of probability times time in (9.10). */
enum mix_mean {
    MIX_MEAN_JOINT,  /* chosen: E[Pd(x) * W(x)] */
    MIX_MEAN_PRINTED /* (9.14) * (9.17): E[Pd(x)] * E[W(x)], W(x) = 0 where Pd(x) = 0 */
};

/* The last x of (9.14) and (9.17). */
enum mix_sum {
    MIX_SUM_WHOLE,  /* chosen: until nothing is left that a double could tell */
    MIX_SUM_PRINTED /* x <= N, the number of warps */
};

/* The instructions that (9.12) counts. */
enum mix_rate {
    MIX_RATE_ALL, /* chosen: those of all pipes, which is what CD3 counts */
    MIX_RATE_PIPE /* as printed: those of the pipe */
};

struct mix_options {
    enum mix_count count;
    enum mix_mean mean;
    enum mix_sum sum;
    enum mix_rate rate;
    double dispatch; /* instructions per cycle, at most (9.2); 0: no limit, as (9.3) has it */
};

/* All as printed. */
#define MIX_PRINTED                                                                                \
    ((struct mix_options){.count = MIX_COUNT_PRINTED,                                              \
                          .mean = MIX_MEAN_PRINTED,                                                \
                          .sum = MIX_SUM_PRINTED,                                                  \
                          .rate = MIX_RATE_PIPE})

/* Hazards: mix_hazard.c ---------------------------------------------------------------------------*/

/* These take a profile that mix_check accepts, and warps in (0, MIX_WARPS], and do not look. */

/* (9.11) Pd(x): the probability that an instruction after which its warp has issued x makes its warp wait; figures 9.7 (b) and 9.9. */
double mix_wait_probability(const struct mix_pipe_profile *, unsigned x);

/* (9.16) W(x): the cycles that the warp waits then; 0 where Pd(x) = 0. */
double mix_wait_time(const struct mix_pipe_profile *, unsigned x);

/* (9.12) lambda, the mean number of instructions that a warp issues in the pipe's latency while all `warps` together issue `ipc` of those that
 * are counted (enum mix_rate). */
double mix_lambda(const struct mix_pipe_profile *, double ipc, double warps);

struct mix_means {
    double probability; /* (9.14) E[Pd(x)] */
    double time;        /* (9.17) E[W(x)] */
    double wait;        /* cycles that an instruction makes its warp wait: Pd * W of (9.10) */
};

/* The means over x. NaN if lambda is not in [0, MIX_LAMBDA]. */
struct mix_means mix_means(const struct mix_pipe_profile *, double lambda, double warps,
                           const struct mix_options *);

/* (9.10) Nd[p]: warps that wait for data of a pipe, while the kernel issues `ipc` instructions per cycle, of all pipes. */
double mix_waiting(const struct mix_profile *, enum mix_pipe, double ipc, double warps,
                   const struct mix_options *);

/* (9.8) Na = N - Nc - Nd: active warps; negative where the rate cannot be. */
double mix_active(const struct mix_profile *, double ipc, double warps, const struct mix_options *);

/* Equilibria: mix.c -------------------------------------------------------------------------------*/

/* An equilibrium of two kernels; or of one, which is the first. */
struct mix_point {
    double ipc[MIX_KERNELS], active[MIX_KERNELS];
    unsigned bound;  /* bit p: pipe p is busy all the time; 0: too few warps are active (9.4) */
    unsigned capped; /* 1: `ipc` was scaled to the dispatch width; the others are from before */
};

struct mix_solution {
    unsigned num; /* the answer is at[0] */
    struct mix_point at[MIX_EQUILIBRIA];
};

/* A kernel alone with `warps`, in (0, MIX_WARPS]: the roots of IPC = Na(IPC) at which no pipe does more than it can, and the rate that fills a
 * pipe if more warps are active then. One in the chosen forms (mix.md); several, largest first, in those as printed. Errors
 * of mix_check, MIX_BAD_WARPS, MIX_NOT_FINITE, MIX_BAD_DISPATCH, MIX_NO_EQUILIBRIUM. */
enum mix_error mix_alone(const struct mix_profile *, double warps, const struct mix_options *,
                         struct mix_solution *);

/* Both kernels together: parallelism-constrained (9.4, 9.5); else pipeline-constrained under loose round robin (9.6, 9.7), the pipe with
 * the largest left side of (9.5) first; else the point where two pipes are busy all the time. All equilibria that a scan finds. Errors as
 * above; mix_check tells whose. */
enum mix_error mix_pair(const struct mix_profile *const profile[MIX_KERNELS],
                        const double warps[MIX_KERNELS], const struct mix_options *,
                        struct mix_solution *);

/* Partitions: mix_best.c --------------------------------------------------------------------------*/

/* U[p] of both kernels (9.1): the share of time that a pipe is busy. */
double mix_utilisation(const struct mix_profile *const profile[MIX_KERNELS],
                       const double ipc[MIX_KERNELS], enum mix_pipe);

extern const double mix_lanes[NUM_MIX_PIPES]; /* 32, 4, 16 */

/* (9.1) U_system, in lanes: all busy with mix_lanes is 52. */
double mix_system_utilisation(const struct mix_profile *const profile[MIX_KERNELS],
                              const double ipc[MIX_KERNELS], const double lanes[NUM_MIX_PIPES]);

/* (9.18), the throughput ratio, as meant: the sum of each kernel's IPC over its own IPC alone, `solo`, which is positive. */
double mix_ratio(const double ipc[MIX_KERNELS], const double solo[MIX_KERNELS]);

enum mix_goal { MIX_UTILISATION, MIX_RATIO }; /* (9.1) with mix_lanes; (9.18) */

struct mix_best {
    size_t which; /* of the list */
    double value; /* of the goal */
    struct mix_point at;
};

/* Of `blocks[num]`, the numbers of blocks of each kernel, the partition with the largest value of the goal; a later one has to be better by
 * 1e-9 of it. Partitions without an equilibrium are passed over. `solo` is for MIX_RATIO only, else NULL. Errors as above, those
 * of a partition with its number in `which`; MIX_BAD_SOLO, MIX_NO_PARTITION. */
enum mix_error mix_best(const struct mix_profile *const profile[MIX_KERNELS],
                        const unsigned (*blocks)[MIX_KERNELS], size_t num, enum mix_goal,
                        const double *solo, const struct mix_options *, struct mix_best *);

#endif

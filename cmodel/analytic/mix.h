/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/mix.h: how fast two kernels run that share an SM, from a profile of each alone (thesis 9.3 to 9.7). mix.md has the
 * rules, what is open or wrong in the text, and what was chosen. An options struct of zeros is what was chosen. */
#ifndef HEDDLE_CMODEL_ANALYTIC_MIX_H
#define HEDDLE_CMODEL_ANALYTIC_MIX_H

#include <stddef.h>
#include <stdint.h>

#define MIX_KERNELS    2
#define MIX_DISTANCES  64                  /* CD3 up to this is told apart */
#define MIX_BEYOND     (MIX_DISTANCES + 1) /* the bin of all larger ones, which nobody waits for */
#define MIX_EQUILIBRIA 16                  /* that are kept */

enum mix_pipe { MIX_SP, MIX_SFU, MIX_MEM, NUM_MIX_PIPES };

enum mix_error {
    MIX_OK,
    MIX_NOT_FINITE,      /* a number is NaN or infinite */
    MIX_BAD_SHARES,      /* shares of the pipes are negative or do not add up to 1 */
    MIX_BAD_HISTOGRAM,   /* shares of the distances are negative or do not add up to 1 */
    MIX_BAD_PIPE,        /* a pipe that is used has an interval or a latency outside its range */
    MIX_BAD_CONTROL,     /* the share of warps that control holds is not in [0, 1) */
    MIX_BAD_WARPS,       /* the number of warps or blocks is not in its range */
    MIX_BAD_INSTRUCTION, /* mix_cd3.h */
    MIX_BAD_SOLO,        /* an IPC alone is not positive */
    MIX_NO_PARTITION,    /* the list of partitions is empty */
    MIX_NO_EQUILIBRIUM,  /* none was found; forms as printed may have none */
    NUM_MIX_ERRORS
};

/* What an error means, as half a sentence. */
const char *mix_reason(enum mix_error);

/* What a pipe means to a kernel. */
struct mix_pipe_profile {
    double share;    /* P: of the kernel's instructions */
    double interval; /* C: cycles that an instruction keeps the pipe from the next, in (0, 1e6] */
    double latency;  /* cycles from issue to writeback, in (0, 1e6] */
    double hist
        [MIX_BEYOND +
         1]; /* of the pipe's instructions, the share with CD3 = i; 0: nobody waits; mix_cd3.h */
};

/* A kernel, profiled alone. A pipe whose share is 0 may be left all zeros. */
struct mix_profile {
    struct mix_pipe_profile pipe[NUM_MIX_PIPES];
    double control;         /* Pc: the share of its warps that control hazards hold, in [0, 1) */
    double warps_per_block; /* in (0, 1e4] */
};

/* x, the instructions of the same warp in the pipe when one of its instructions may have to wait. */
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
    MIX_SUM_WHOLE,  /* chosen: until less than 1e-9 of the mass is left */
    MIX_SUM_PRINTED /* x <= N, the number of warps */
};
/* The instructions that (9.12) counts. */
enum mix_rate {
    MIX_RATE_PIPE, /* as printed: those of the pipe */
    MIX_RATE_ALL   /* those of all pipes, which is what CD3 counts */
};
struct mix_options {
    enum mix_count count;
    enum mix_mean mean;
    enum mix_sum sum;
    enum mix_rate rate;
    double
        dispatch; /* instructions that an SM dispatches per cycle, at most (9.2); 0: no limit, as (9.3) has it */
};
#define MIX_PRINTED                                                                                \
    ((struct mix_options){                                                                         \
        .count = MIX_COUNT_PRINTED, .mean = MIX_MEAN_PRINTED, .sum = MIX_SUM_PRINTED})

/* Is it a profile of which the rest can be asked? The others below, down to mix_active, do not look. */
enum mix_error mix_check(const struct mix_profile *);

/* (9.11) Pd(x): the probability that an instruction of which x of its warp have been issued makes its warp wait. x from 0. */
double mix_wait_probability(const struct mix_pipe_profile *, unsigned x);
/* (9.15): that it is CD3 = i that does so; 0 where Pd(x) = 0. */
double mix_wait_by(const struct mix_pipe_profile *, unsigned i, unsigned x);
/* (9.16) W(x): the cycles that the warp waits then; 0 where Pd(x) = 0. */
double mix_wait_time(const struct mix_pipe_profile *, unsigned x);
/* (9.12) lambda, of `ipc` instructions per cycle of all `warps`. */
double mix_lambda(const struct mix_pipe_profile *, double ipc, double warps);
/* (9.13) f(i; lambda), lambda in [0, 1e6]. */
double mix_poisson(unsigned i, double lambda);

struct mix_means {
    double probability; /* (9.14) E[Pd(x)] */
    double time;        /* (9.17) E[W(x)] */
    double
        wait; /* what (9.10) multiplies the rate with: cycles that an instruction makes its warp wait */
};
/* The means over x, lambda in [0, 1e6]. */
struct mix_means mix_means(const struct mix_pipe_profile *, double lambda, double warps,
                           const struct mix_options *);
/* (9.9), (9.10) Nd[p]: warps that data hazards hold of a pipe, while the kernel issues `ipc` instructions per cycle. */
double mix_waiting(const struct mix_profile *, enum mix_pipe, double ipc, double warps,
                   const struct mix_options *);
/* (9.8) Na = N - Nc - Nd: active warps; negative where the rate cannot be. */
double mix_active(const struct mix_profile *, double ipc, double warps, const struct mix_options *);

/* An equilibrium of one kernel or two. */
struct mix_point {
    double ipc[MIX_KERNELS], active[MIX_KERNELS];
    unsigned bound;  /* bit p: pipe p is busy all the time; 0: too few warps are active (9.4) */
    unsigned capped; /* 1: `ipc` was scaled to the dispatch width; `active` is from before */
};
struct mix_solution {
    unsigned num; /* the answer is at[0] */
    struct mix_point at[MIX_EQUILIBRIA];
};

/* A kernel alone with `warps`, in (0, 1e4]. Without limits of pipes the roots of IPC = Na(IPC) in [0, N]: one in the chosen forms
 * (mix.md), several, largest first, in those as printed. Errors: mix_check's, MIX_BAD_WARPS, MIX_NOT_FINITE, MIX_NO_EQUILIBRIUM. */
enum mix_error mix_alone(const struct mix_profile *, double warps, const struct mix_options *,
                         struct mix_solution *);

/* Both kernels together: parallelism-constrained (9.4, 9.5); else pipeline-constrained under loose round robin (9.6, 9.7), the pipe with
 * the largest left side of (9.5) first; else the point where two pipes are busy all the time. All equilibria that a scan finds. Errors as
 * above. */
enum mix_error mix_pair(const struct mix_profile *const profile[MIX_KERNELS],
                        const double warps[MIX_KERNELS], const struct mix_options *,
                        struct mix_solution *);

/* U[p] of both kernels (9.1): the share of time that a pipe is busy. */
double mix_utilisation(const struct mix_profile *const profile[MIX_KERNELS],
                       const double ipc[MIX_KERNELS], enum mix_pipe);
extern const double mix_lanes[NUM_MIX_PIPES]; /* 32, 4, 16 */
/* (9.1) U_system, in lanes: all busy with mix_lanes is 52. */
double mix_system_utilisation(const struct mix_profile *const profile[MIX_KERNELS],
                              const double ipc[MIX_KERNELS], const double lanes[NUM_MIX_PIPES]);

/* (9.18), `solo` the IPC of each kernel alone. As meant: each kernel's part is divided by its own. As printed the solo IPC stands outside
 * the sum, where its k is free: it is that of kernel `of`. */
double mix_ratio(const double ipc[MIX_KERNELS], const double solo[MIX_KERNELS]);
double mix_ratio_printed(const double ipc[MIX_KERNELS], const double solo[MIX_KERNELS],
                         unsigned of);

enum mix_goal { MIX_UTILISATION, MIX_RATIO }; /* (9.1) with mix_lanes; (9.18) as meant */
struct mix_best {
    size_t which; /* of the list */
    double value; /* of the goal */
    struct mix_point at;
};
/* The partition of `blocks[num]`, blocks of each kernel, with the largest value of the goal; of those within 1e-9 of it the
 * first. Partitions without
 * an equilibrium are passed over. `solo` is for MIX_RATIO only, else NULL. Errors as above, MIX_BAD_SOLO, MIX_NO_PARTITION. */
enum mix_error mix_best(const struct mix_profile *const profile[MIX_KERNELS],
                        const unsigned (*blocks)[MIX_KERNELS], size_t num, enum mix_goal,
                        const double *solo, const struct mix_options *, struct mix_best *);

#endif

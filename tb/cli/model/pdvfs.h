/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/pdvfs.h: what the files of `heddle model pdvfs` share: what is found out about a program that ran with several clocks of the
 * SMs. */
#ifndef HEDDLE_TB_CLI_MODEL_PDVFS_H
#define HEDDLE_TB_CLI_MODEL_PDVFS_H

#include "tb/cli/model/clocks.h"

#define PDVFS_GOALS    8
#define PDVFS_PROGRAMS 64

enum pdvfs_policy {
    POLICY_ORACLE, /* the knapsack with times and energies as measured (5.17 to 5.22) */
    POLICY_N_DVFS, /* the highest clock */
    POLICY_F_DVFS, /* each slot as slow as the bound lets it be, by the fit of (5.3) */
    POLICY_P_DVFS, /* the knapsack with times and energies by the fits of (5.3) and (5.7) */
    POLICY_LOOP, /* the same while the program runs: the loop of figure 5.1, which learns (5.3) from the last periods */
    NUM_POLICIES
};

/* What a policy chooses, and what the program then takes: as measured, and as the fits say. */
struct pdvfs_choice {
    unsigned level[PDVFS_SLOTS];
    enum pdvfs_error
        error; /* why the highest clock is everywhere; of the loop: why there is no answer */
    double seconds, joules, at[PDVFS_LEVELS]; /* at: seconds at each level */
    double fitted_seconds, fitted_joules;     /* 0: there is no fit */
};

/* A fit of (5.3). */
struct pdvfs_line {
    enum pdvfs_error error; /* PDVFS_SPEED: fitted, but no speed */
    enum fit_error why;
    struct pdvfs_speed speed;
    double r2;
};

struct pdvfs_study {
    struct model_clocks runs;
    struct pdvfs_levels levels;
    double instructions; /* of the run at the highest level */
    double tick;         /* T_scaling of the loop, in cycles */
    /* By either kind of misses: of the periods with each clock, and of all. */
    struct pdvfs_line line[NUM_CLOCK_MISSES][PDVFS_LEVELS], all[NUM_CLOCK_MISSES];
    /* By the kind that was asked for. */
    enum clock_misses misses;
    double edge[PDVFS_SLOTS];    /* the upper ones; the last has none */
    size_t periods[PDVFS_SLOTS]; /* in each slot */
    struct pdvfs_slots slots;
    struct pdvfs_table measured, fitted;
    double seconds[PDVFS_SLOTS][PDVFS_LEVELS], joules[PDVFS_SLOTS][PDVFS_LEVELS];
    struct pdvfs_speed speed; /* that `fitted` has: c1 = 0 if misses do not tell the time */
    struct pdvfs_power power;
    double power_mean, power_most; /* relative errors of (5.7) */
    enum pdvfs_error no_power;     /* (5.7) could not be fitted; or `fitted` has no watts */
    unsigned goals;
    double goal[PDVFS_GOALS]; /* 0.05: at most 5 % slower */
    struct pdvfs_choice choice[PDVFS_GOALS][NUM_POLICIES];
};

/* pdvfs_study.c: finds all of it out: `runs`, `misses`, `tick`, `slots.num`, `goals` and `goal` are given. Returns 0, or -1 with the reason on
 * stderr. */
int pdvfs_study(struct pdvfs_study *);

/* pdvfs_loop.c: runs the loop from the beginning of the program to its end; `out` begins with nothing. */
enum pdvfs_error pdvfs_run_loop(const struct pdvfs_study *, double a, struct mckp_sum *room,
                                size_t sums, struct pdvfs_choice *out);

/* In per cent: how much longer than at the highest clock a program takes; how much more energy than under the oracle. */
typedef double pdvfs_figure(const struct pdvfs_study *, unsigned goal, enum pdvfs_policy);
pdvfs_figure pdvfs_slower, pdvfs_above;

/* The mean over programs. Returns whether there is one: the loop has an answer for all. */
int pdvfs_mean(const struct pdvfs_study *, unsigned programs, unsigned goal, enum pdvfs_policy,
               pdvfs_figure *, double *value);

/* The thesis's means of its 11 programs (tables 5.1 and 5.2, and the text below 5.2), in per cent, at a goal of 5, 10, 15 or 20 %.
 * Returns whether there is one. */
typedef int pdvfs_thesis(double goal, enum pdvfs_policy, double *value);
pdvfs_thesis pdvfs_thesis_slower, pdvfs_thesis_above;

/* pdvfs_tables.c: prints a program; then means of all beside the thesis's. */
void pdvfs_print(const struct pdvfs_study *);
void pdvfs_print_means(const struct pdvfs_study *, unsigned programs);

/* A row for each program, goal and policy. Returns 0, or -1 with the reason on stderr. */
int pdvfs_csv(const char *path, const struct pdvfs_study *, unsigned programs);

/* pdvfs_picture.c: draws energy and time over the goals. Returns 0, or -1 with the reason on stderr. */
int pdvfs_picture(const char *path, const struct pdvfs_study *, unsigned programs);

const char *pdvfs_policy_name(enum pdvfs_policy);
const char *pdvfs_misses_name(enum clock_misses);

/* The clock of each slot in sixths, a digit each; a dot where nothing is in it. `text` has PDVFS_SLOTS + 1 characters. */
const char *pdvfs_sixths(const struct pdvfs_study *, const struct pdvfs_choice *, char *text);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/pdvfs_loop.h: the control loop of P-DVFS (thesis figure 5.1), which is told at every tick what has happened and says at which
 * level to go on. Rules and choices: pdvfs.md.
 *
 * In a tick: 1. time and instructions are added up (5.26 to 5.28). 2. t1 and t2 count up. 3. If t1 is control_ticks: a new table from the
 * last periods, both 0. 4. Else if t2 is scaling_ticks: the level is that of the slot of the last period's MPI, t2 is 0. 5. Else
 * T_fmax is estimated anew (5.30). A period is what lies between two of 3. or 4.: it has one level, one point of the fit, one entry
 * of the histogram. */
#ifndef HEDDLE_CMODEL_ANALYTIC_PDVFS_LOOP_H
#define HEDDLE_CMODEL_ANALYTIC_PDVFS_LOOP_H

#include "cmodel/analytic/pdvfs.h"

#define PDVFS_WINDOW 256 /* periods of the histogram, at most */

/* How I_r, the instructions that are to come, falls while it is only guessed. */
enum pdvfs_left {
    PDVFS_LEFT_ONCE,   /* each instruction is subtracted once */
    PDVFS_LEFT_PRINTED /* at every scaling point all since the last reset, as the text says: those of the first period again and again */
};

/* How many instructions are to come (5.28). */
struct pdvfs_remaining {
    enum pdvfs_left rule;
    double total;       /* I_total, or 0: unknown */
    double first, most; /* where it is unknown: what I_r starts with and resets below, and I_up */
    double left;        /* I_r */
    double retired, since_reset;
};

/* At a scaling point, after so many instructions since the last one: I_r = I_total - I_elap, or the guess: below `first` it becomes all
 * that has retired, at most `most`. */
void pdvfs_remaining_add(struct pdvfs_remaining *, double instructions);

/* What has happened since the last tick. */
struct pdvfs_sample {
    double seconds,
        instructions; /* no time, and less than one instruction but not none, are errors */
    double events[NUM_PDVFS_EVENTS]; /* counts */
};

struct pdvfs_settings {
    double a; /* 0.2: at most 20 % slower */
    unsigned control_ticks, scaling_ticks;
    unsigned window;              /* periods of the histogram */
    unsigned points;              /* of a fit of (5.3): the last ones */
    unsigned slots;               /* of MPI, the same throughout */
    double edge[PDVFS_SLOTS - 1]; /* between them, rising */
    struct pdvfs_levels levels;
    struct pdvfs_power power;
    double total; /* instructions of the program, or 0: unknown */
    double left_first, left_most;
    enum pdvfs_left left_rule;
    struct pdvfs_rules rules;
};

/* Of the thesis (5.4.1), for ticks of 10 ms: 1 s, 30 ms, a window of 2 s, 20 points, 15 slots with edges up to `highest_mpi`, 1.2 to 2.4 GHz,
 * 10^9 and 30 * 10^9 instructions, a = 20 %. The power model is the caller's. */
void pdvfs_defaults(struct pdvfs_settings *, double highest_mpi);

struct pdvfs {
    struct pdvfs_settings settings;
    unsigned t1, t2;
    unsigned level;              /* at which to go on */
    unsigned table[PDVFS_SLOTS]; /* the level of each slot */
    struct pdvfs_sample period;  /* since the last scaling or control point */
    struct pdvfs_sample window[PDVFS_WINDOW];
    struct pdvfs_point point[PDVFS_POINTS];
    unsigned long periods; /* that have ended with instructions: rings turn with it */
    int knows_speed;
    struct pdvfs_speed speed;
    double elapsed, elapsed_highest, t_highest; /* T_elap, T_elap,max, T_fmax */
    struct pdvfs_remaining remaining;
    enum pdvfs_error
        control; /* why the last control point put the highest frequency everywhere, or PDVFS_OK */
    unsigned long controls, fallbacks;
};

/* At the highest frequency. PDVFS_SIZE, PDVFS_RANGE, PDVFS_RISING. */
enum pdvfs_error pdvfs_start(struct pdvfs *, const struct pdvfs_settings *);

/* A tick. `room` is that of the knapsack (mckp.h), used at control points. A problem that cannot be solved is no error: the highest
 * frequency everywhere, and `control` says why. PDVFS_RANGE: a sample of no time or of part of an instruction, or a number that is not finite or negative;
 * nothing has changed then. */
enum pdvfs_error pdvfs_tick(struct pdvfs *, const struct pdvfs_sample *, struct mckp_sum *room,
                            size_t sums);

#endif

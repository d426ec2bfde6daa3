/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/pdvfs.h: P-DVFS (thesis 5): which frequency each class of instructions, told apart by L2 misses per instruction (MPI), is to
 * run at, such that energy is least and time at most 1 + a times that at the highest frequency. The models and the problem;
 * pdvfs_loop.h decides while a program runs. What the thesis leaves open and what was chosen: pdvfs.md.
 *
 * Seconds, hertz, watts; levels by rising frequency, the last one is the highest. */
#ifndef HEDDLE_CMODEL_ANALYTIC_PDVFS_H
#define HEDDLE_CMODEL_ANALYTIC_PDVFS_H

#include "cmodel/analytic/fit.h"
#include "cmodel/analytic/mckp.h"

#define PDVFS_SLOTS  MCKP_SLOTS /* at most; the thesis has 15 */
#define PDVFS_LEVELS 8          /* at most; the thesis has 4 */
#define PDVFS_POINTS 64         /* of a fit of (5.3), at most; the thesis has 20 */

/* The events of (5.7), in its order: floating point is b4 and branches b5, unlike in (4.1). */
enum pdvfs_event {
    PDVFS_L1D,     /* L1DPS */
    PDVFS_L2,      /* L2PS */
    PDVFS_L2_MISS, /* L2MPS */
    PDVFS_FP,      /* FPPS */
    PDVFS_BRANCH,  /* BRPS */
    NUM_PDVFS_EVENTS
};

/* Numbers of doubles that pdvfs_fit_speed_of and pdvfs_fit_power need as room. */
#define PDVFS_SPEED_WORK(points) ((size_t)(points)*3 + FIT_WORK(points, 2))
#define PDVFS_POWER_WORK(samples)                                                                  \
    ((size_t)(samples) * (NUM_PDVFS_EVENTS + 2) + FIT_WORK(samples, NUM_PDVFS_EVENTS + 2))

enum pdvfs_error {
    PDVFS_OK,
    PDVFS_SIZE,       /* no slots, levels, points or ticks, or too many */
    PDVFS_RANGE,      /* a number that is not finite, negative, or 0 where it divides */
    PDVFS_RISING,     /* levels or edges that do not rise */
    PDVFS_SHARES,     /* shares of instructions that do not add up to 1 */
    PDVFS_FIT,        /* the fit failed */
    PDVFS_SPEED,      /* c1 is negative or c2 not positive */
    PDVFS_WATTS,      /* the model gives no positive power */
    PDVFS_UNMEASURED, /* a slot was never seen at some level */
    PDVFS_LATE,       /* the time that is left does not suffice even at the highest frequency */
    PDVFS_ROOM        /* the knapsack needs more room */
};

struct pdvfs_levels {
    unsigned num;
    double hz[PDVFS_LEVELS];
};

/* SPI = c1 * MPI + c2 / f (5.3): seconds per L2 miss, and cycles per instruction without them. */
struct pdvfs_speed {
    double c1, c2;
};

/* The term of (5.7) that frequency and voltage make. */
enum pdvfs_voltage {
    PDVFS_VOLTAGE_F15,  /* f^1.5, f in GHz, as the thesis found for its processor */
    PDVFS_VOLTAGE_TABLE /* `term` of the level */
};

/* P = b0 + b1 L1DPS + ... + b5 BRPS + b6 * term (5.7). */
struct pdvfs_power {
    double b[NUM_PDVFS_EVENTS + 2];
    enum pdvfs_voltage voltage;
    double term[PDVFS_LEVELS];
};

/* A measurement for (5.5): of a time in which the frequency did not change. */
struct pdvfs_point {
    double mpi, hz, cpi;
};

/* Classes of instructions. What of `share` a slot has of all instructions: poi_i. */
struct pdvfs_slots {
    unsigned num;
    double share[PDVFS_SLOTS], mpi[PDVFS_SLOTS];
    double events[PDVFS_SLOTS]
                 [NUM_PDVFS_EVENTS]; /* per instruction; that of L2 misses is `mpi` and not read */
};

/* Per slot and level: seconds per instruction, k_ij or (5.10), and watts (5.13). For the printed form of (5.16) also what of both no
 * level changes: s0 of each slot, w0. */
struct pdvfs_table {
    unsigned slots, levels;
    double spi[PDVFS_SLOTS][PDVFS_LEVELS], watts[PDVFS_SLOTS][PDVFS_LEVELS];
    double s0[PDVFS_SLOTS], w0;
};

enum pdvfs_energy {
    PDVFS_ENERGY_WHOLE,  /* e_ij = poi_i P_ij SPI_ij, times the number of instructions */
    PDVFS_ENERGY_PRINTED /* (5.16): e_ij without w0 s0, and not times the number of instructions */
};
enum pdvfs_time {
    PDVFS_TIME_SECONDS, /* d_ij = poi_i SPI_ij, which (5.23) asks for */
    PDVFS_TIME_PRINTED  /* (5.24): d_ij = poi_i / SPI_ij */
};
enum pdvfs_late {
    PDVFS_LATE_HIGHEST, /* no time is left: the highest frequency everywhere, as near to the bound as can be */
    PDVFS_LATE_TRIVIAL /* as printed below (5.33): the constraint counts as met; the least energy, whatever the time */
};
struct pdvfs_rules {
    enum pdvfs_energy energy;
    enum pdvfs_time time;
    enum pdvfs_late late;
};

/* (5.3) */
double pdvfs_spi(const struct pdvfs_speed *, double mpi, double hz);

/* (5.4) to (5.6): the least squares of CPI over MPI * f, by fit() in place of the printed sums. 2 to PDVFS_POINTS points. PDVFS_SIZE,
 * PDVFS_RANGE, PDVFS_FIT with the reason in *why, PDVFS_SPEED: the least squares are no speed (and still set). */
enum pdvfs_error pdvfs_fit_speed(const struct pdvfs_point *, unsigned points, struct pdvfs_speed *,
                                 struct fit *quality, enum fit_error *why);

/* The same of any number of points, 2 or more; `work` has PDVFS_SPEED_WORK(points) doubles. */
enum pdvfs_error pdvfs_fit_speed_of(const struct pdvfs_point *, size_t points, double *work,
                                    struct pdvfs_speed *, struct fit *quality, enum fit_error *why);

/* (5.7) of rates per second, at a level. PDVFS_SIZE, PDVFS_RANGE, PDVFS_WATTS. */
enum pdvfs_error pdvfs_watts(const struct pdvfs_power *, const struct pdvfs_levels *,
                             unsigned level, const double rates[NUM_PDVFS_EVENTS], double *watts);

/* Least squares of b0 to b6: the characterisation of a task (5.3.2) from samples of rates, level and watts. `power` says in which form
 * and with which terms; `work` has PDVFS_POWER_WORK(samples) doubles. Column 0 of `quality` is b0. PDVFS_SIZE, PDVFS_RANGE,
 * PDVFS_FIT. */
enum pdvfs_error pdvfs_fit_power(const double (*rates)[NUM_PDVFS_EVENTS], const unsigned *level,
                                 const double *watts, unsigned samples, const struct pdvfs_levels *,
                                 double *work, struct pdvfs_power *power, struct fit *quality,
                                 enum fit_error *why);

/* What (5.7) is fitted to: of each sample its rates per second, level and watts. */
struct pdvfs_samples {
    unsigned num;
    const struct pdvfs_levels *levels;
    const double (*rates)[NUM_PDVFS_EVENTS];
    const unsigned *level;
    const double *watts;
};

/* The same where samples may not tell all seven apart: coefficients of what is nearly a sum of multiples of what comes before it, in the order
 * b0, b6, b1 to b5, are 0, and so are the last ones if there are fewer samples. `quality` has columns in this order, without those. */
enum pdvfs_error pdvfs_fit_power_told(const struct pdvfs_samples *, double *work,
                                      struct pdvfs_power *power, struct fit *quality,
                                      enum fit_error *why);

/* SPI by (5.10), watts by (5.12) and (5.13). PDVFS_SIZE, PDVFS_RANGE, PDVFS_RISING, PDVFS_SHARES, PDVFS_SPEED, PDVFS_WATTS. */
enum pdvfs_error pdvfs_predict(const struct pdvfs_levels *, const struct pdvfs_speed *,
                               const struct pdvfs_power *, const struct pdvfs_slots *,
                               struct pdvfs_table *out);

/* e_ij and d_ij of a slot and a level. */
double pdvfs_energy(const struct pdvfs_slots *, const struct pdvfs_table *, enum pdvfs_energy,
                    unsigned slot, unsigned level);
double pdvfs_time(const struct pdvfs_slots *, const struct pdvfs_table *, enum pdvfs_time,
                  unsigned slot, unsigned level);

/* Joules of so many instructions, slot i at level[i]: (5.1), (5.14), or e0 + sum of e_ij as (5.16) prints it, with the mean of s0. */
double pdvfs_total(const struct pdvfs_slots *, const struct pdvfs_table *, enum pdvfs_energy,
                   const unsigned *level, double instructions);

/* Seconds per instruction at the highest frequency: SPI_fmax. */
double pdvfs_spi_highest(const struct pdvfs_slots *, const struct pdvfs_table *);

/* The right side of (5.25): seconds that an instruction may take, of `left` (I_r, above 0) that are to come. May be negative. */
double pdvfs_limit(double a, double t_highest, double t_elapsed, double left);

/* A level for each slot: the least sum of e_ij such that the sum of d_ij is at most `limit`: (5.20) to (5.22) with a limit of
 * (1 + a) * SPI_fmax, (5.31) to (5.33) with that of pdvfs_limit. Exact but for the scaling of mckp.h. A slot without instructions has
 * the highest frequency. PDVFS_LATE: no choice is within the limit; `level` is set nevertheless, by rules->late. PDVFS_SIZE,
 * PDVFS_RANGE, PDVFS_SHARES, PDVFS_ROOM. */
enum pdvfs_error pdvfs_solve(const struct pdvfs_slots *, const struct pdvfs_table *, double limit,
                             const struct pdvfs_rules *, struct mckp_sum *room, size_t sums,
                             unsigned *level);

/* F-DVFS (5.4.2; the formula, which the thesis does not have, follows from (5.3) and SPI(f) <= (1 + a) SPI(f_max)):
 * 1 / f = (1 + a) / f_max + a c1 MPI / c2, and the next higher level. PDVFS_SIZE, PDVFS_RANGE, PDVFS_RISING, PDVFS_SPEED. */
enum pdvfs_error pdvfs_f_dvfs(const struct pdvfs_levels *, const struct pdvfs_speed *, double mpi,
                              double a, unsigned *level);

/* The slot of an MPI: below edge[0] is slot 0, from edge[num - 2] on the last. */
unsigned pdvfs_slot(const double *edge, unsigned slots, double mpi);

/* What a run for the oracle records (5.3.3): the program runs a level lower at each scaling point, then from the highest again. */
struct pdvfs_profile {
    unsigned slots, levels;
    double instructions[PDVFS_SLOTS][PDVFS_LEVELS], seconds[PDVFS_SLOTS][PDVFS_LEVELS];
    double events[PDVFS_SLOTS][NUM_PDVFS_EVENTS];
};

/* The level after this one. */
unsigned pdvfs_profile_next(const struct pdvfs_levels *, unsigned level);

/* k_ij as measured, rates and watts that follow, shares and events of the slots. A slot without any instruction has share 0.
 * PDVFS_SIZE, PDVFS_RANGE, PDVFS_UNMEASURED (*slot, *level), PDVFS_WATTS. */
enum pdvfs_error pdvfs_oracle(const struct pdvfs_profile *, const struct pdvfs_levels *,
                              const struct pdvfs_power *, struct pdvfs_slots *,
                              struct pdvfs_table *, unsigned *slot, unsigned *level);

/* Are there levels, which rise and are positive? Are the shares those of all instructions? */
enum pdvfs_error pdvfs_check_levels(const struct pdvfs_levels *);
enum pdvfs_error pdvfs_check_slots(const struct pdvfs_slots *);

/* What a person reads. */
const char *pdvfs_reason(enum pdvfs_error);

#endif

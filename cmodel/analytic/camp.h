/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/camp.h: how programs divide a shared cache with LRU replacement among them, and how fast each runs then, from a profile
 * of each alone (CAMP, thesis chapter 3). camp.md has the rules, what is open or wrong in the text, and what was chosen.
 *
 * In this order: a camp_curve from a histogram, or a whole camp_program from runs (camp_profile); its growth (camp_grow); then the ways that
 * sharers hold (camp_share, camp_scan); then camp_mpa, camp_spi, camp_aps and camp_mps at these ways.
 *
 * "Ways" are lines per set, a mean over all sets, so no whole numbers. SPI, alpha, beta and T are in seconds or cycles, the same ones
 * everywhere. On an error the result is not to be used, unless it says otherwise. */
#ifndef HEDDLE_CMODEL_ANALYTIC_CAMP_H
#define HEDDLE_CMODEL_ANALYTIC_CAMP_H

#include "cmodel/analytic/fit.h"

#define CAMP_WAYS       64  /* of a cache, at most */
#define CAMP_DISTANCES  128 /* of a histogram, at most */
#define CAMP_POINTS     (CAMP_DISTANCES + 1)
#define CAMP_SHARERS    8  /* at most */
#define CAMP_EQUILIBRIA 16 /* that are kept */

enum camp_error {
    CAMP_OK,
    CAMP_NOT_FINITE,    /* a number is NaN or infinite */
    CAMP_BAD_SIZE,      /* a number of ways, points, sharers or runs is outside its range */
    CAMP_BAD_HISTOGRAM, /* shares of distances are negative or do not add up to 1 */
    CAMP_NOT_MONOTONIC, /* points of a curve: ways do not rise by 1e-9, or misses do, or a miss rate is not in [0, 1] */
    CAMP_BAD_PROGRAM,   /* API, or SPI for some miss rate, is not in [1e-100, 1e100] */
    CAMP_BAD_RUN,       /* a number of a run is not an amount (fit.h) */
    CAMP_FIT,           /* the fit of alpha and beta failed: its own error says why */
    CAMP_NO_ROOM,       /* camp_grow was given too little room, or there is no growth */
    CAMP_ROOM_LEFT,     /* no contention: what the programs use fits the cache together */
    CAMP_NOT_CONVERGED, /* no equilibrium was found */
    NUM_CAMP_ERRORS
};

/* What an error means, as half a sentence. */
const char *camp_reason(enum camp_error);

/* Profiles: camp_curve.c --------------------------------------------------------------------------*/

/* The curve beyond its last point. */
enum camp_beyond {
    CAMP_FLAT, /* chosen for an exact histogram: what is not reused within it is not reused */
    CAMP_SLOPE /* 3.4.3, chosen for runs beside a stressmark: as the last piece falls, down to 0 */
};

/* MPA(S), misses per access with S ways: `num` points with straight lines between. The first point is 1 at S = 0. */
struct camp_curve {
    unsigned num;
    enum camp_beyond beyond;
    double ways[CAMP_POINTS], mpa[CAMP_POINTS];
};

/* What is known of a program. */
struct camp_program {
    struct camp_curve curve;
    double api;         /* cache accesses per instruction */
    double alpha, beta; /* SPI = alpha * MPA + beta (3.4), time per instruction */
};

/* The curve (3.2) of a histogram of stack distances: hist[k - 1], k = 1 .. num, is the share of accesses to the line that was the k-th most
 * recently used one of its set, `further` that of all others; together 1. `num` is 1 .. CAMP_DISTANCES. CAMP_BAD_SIZE, CAMP_NOT_FINITE,
 * CAMP_BAD_HISTOGRAM. */
enum camp_error camp_curve(const double *hist, unsigned num, double further, enum camp_beyond,
                           struct camp_curve *);

/* Is it a curve? CAMP_BAD_SIZE, CAMP_NOT_FINITE, CAMP_NOT_MONOTONIC. */
enum camp_error camp_check_curve(const struct camp_curve *);

/* Is it a program? As camp_check_curve; CAMP_NOT_FINITE, CAMP_BAD_PROGRAM. */
enum camp_error camp_check(const struct camp_program *);

/* At so many ways, of what camp_check accepts; none or fewer: 1 miss per access. */
double camp_mpa(const struct camp_curve *, double ways);   /* (3.2) misses per access */
double camp_spi(const struct camp_program *, double ways); /* (3.4) time per instruction */
double camp_aps(const struct camp_program *, double ways); /* (3.3) accesses per time */
double camp_mps(const struct camp_program *, double ways); /* misses per time, as in (3.18) */

/* A run of a program beside a stressmark: amounts (fit.h). */
struct camp_run {
    double stress_ways; /* that the stressmark holds: camp_stress_ways */
    double api, mpa;    /* measured, of the program */
    double spi;
};

/* The ways that a stressmark holds which reads one of `lines` lines per set, each as likely, and misses at the rate `mpa`: the inverse of (3.2)
 * for its uniform histogram. */
double camp_stress_ways(double lines, double mpa);

/* The program of `num` runs, 2 .. CAMP_DISTANCES, in any order, in a cache of `ways`: the curve of (3.12), beyond as CAMP_SLOPE; API (3.14);
 * alpha and beta (3.15, 3.16). Where MPA rises with ways, but by no more than `noise`, the curve is level; beyond that it is
 * CAMP_NOT_MONOTONIC. `quality` says how straight the line is: column 0 is beta, column 1 alpha. CAMP_BAD_SIZE, CAMP_BAD_RUN, those of
 * camp_check, and CAMP_FIT, with the reason in `why`: FIT_RANK where all runs have the same MPA. The program has its curve and API
 * then, alpha 0, and as beta the mean SPI. */
enum camp_error camp_profile(const struct camp_run *runs, unsigned num, double ways, double noise,
                             struct camp_program *, struct fit *quality, enum fit_error *why);

/* Where the share of accesses goes that misses in one run and hits in the next (3.13). */
enum camp_mass {
    CAMP_SPREAD, /* chosen: evenly over the ways between both runs */
    CAMP_AT_END  /* as printed: at the ways of run l, to the nearest whole number */
};

/* Stack distances 1 .. num, at most CAMP_DISTANCES, as in camp_curve, of the points of a curve; the rest is `further`. Errors of
 * camp_check_curve, CAMP_BAD_SIZE. */
enum camp_error camp_histogram(const struct camp_curve *, enum camp_mass, unsigned num,
                               double *hist, double *further);

/* Growth: camp_growth.c ---------------------------------------------------------------------------*/

/* The probability of holding more lines than the cache has ways. */
enum camp_past {
    CAMP_KEEP,  /* chosen: goes on growing */
    CAMP_ABSORB /* stays at `ways`, which G then comes near but never reaches */
};

/* G(n), the mean number of lines after n accesses to an empty set (3.5 to 3.7), for n = 0 .. num - 1. */
struct camp_growth {
    const double *at; /* the caller's room */
    size_t num;
    double top;    /* the last one */
    int saturated; /* it grows no more: all that the program uses is there */
};

/* Fills `at[room]`, 2 numbers or more, until G(n) is `ways` (1 .. CAMP_WAYS) or more, or does not grow any more, or there is no room left.
 * The latter is no error yet: others may take so much of the cache that it does not matter. Room is as many accesses as it
 * takes to fill a set: about ways / MPA(ways). Errors of camp_check_curve, CAMP_BAD_SIZE. */
enum camp_error camp_grow(const struct camp_curve *, unsigned ways, enum camp_past, double *at,
                          size_t room, struct camp_growth *);

/* G^-1(ways), in accesses per set, with straight lines between whole ones; infinite above `top`. */
double camp_accesses(const struct camp_growth *, double ways);

/* Sharing: camp_share.c, camp_scan.c ---------------------------------------------------------------*/

struct camp_sharer {
    const struct camp_program *program;
    const struct camp_growth *growth; /* of its curve, for the ways of the cache or more */
};

/* (3.9) T times the number of sets: the time in which a sharer with `ways` has accessed all that it holds. Equal for all sharers in equilibrium
 * (3.8), but for those that hold all they use. */
double camp_turnover(const struct camp_sharer *, double ways);

/* Where an equilibrium is looked for first: ways in proportion to the APS of each alone, none more than it can hold. Of sharers that
 * camp_share accepts. */
void camp_guess(const struct camp_sharer *, unsigned num, double ways, double guess[CAMP_SHARERS]);

struct camp_share {
    double ways[CAMP_SHARERS];
    unsigned iterations;
    double residual; /* of (3.10), as logarithms of T, and of (3.11), as a part of the cache */
};

/* The equilibrium of 1 .. CAMP_SHARERS sharers that Newton-Raphson iteration with bounded steps finds from camp_guess: 100 steps at most. Where
 * it stops short it starts again, once, from the T at which the ways of all add up to the cache; where that stops short, too, two sharers
 * have the answer of camp_scan. The residual is below 1e-9, of camp_scan's answer what is left: infinite if a sharer has 0. CAMP_ROOM_LEFT: `ways` is what each
 * uses. CAMP_NOT_CONVERGED: `ways` is where it stopped. Errors of camp_check (which tells whose), CAMP_BAD_SIZE, CAMP_NO_ROOM. */
enum camp_error camp_share(const struct camp_sharer *, unsigned num, unsigned ways,
                           struct camp_share *);

/* Two sharers: what is said to hold in equilibrium. */
enum camp_model {
    CAMP_CAMP, /* (3.10) */
    CAMP_AB,   /* (3.17) ways are in proportion to accesses per second */
    CAMP_MB    /* (3.18) ways are in proportion to misses per second */
};

struct camp_equilibria {
    unsigned num;
    unsigned answer;               /* the one nearest to camp_guess */
    double first[CAMP_EQUILIBRIA]; /* ways of the first sharer, rising; the second has the rest */
    unsigned unstable; /* bit i: at first[i] a sharer that has a little more gets more still */
};

/* All equilibria of two sharers that lie in different steps of 1/512 way, by bisection. Growth is for CAMP_CAMP; for the others it may be NULL.
 * CAMP_ROOM_LEFT: first[0] is what the first one uses; in CAMP_MB, where neither misses, the fewest ways of the first one at which that
 * is so. Errors as camp_share's. */
enum camp_error camp_scan(const struct camp_sharer pair[2], unsigned ways, enum camp_model,
                          struct camp_equilibria *);

#endif

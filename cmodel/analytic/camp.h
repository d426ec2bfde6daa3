/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/camp.h: how programs divide a shared cache with LRU replacement among them, and how fast each runs then, from a profile
 * of each alone (CAMP, thesis chapter 3). camp.md has the rules, what is open or wrong in the text, and what was chosen. Sizes are in ways:
 * lines per set, a mean over all sets, so no whole numbers. */
#ifndef HEDDLE_CMODEL_ANALYTIC_CAMP_H
#define HEDDLE_CMODEL_ANALYTIC_CAMP_H

#include <stddef.h>

#define CAMP_WAYS       64  /* of a cache, at most */
#define CAMP_DISTANCES  128 /* of a histogram, at most */
#define CAMP_POINTS     (CAMP_DISTANCES + 1)
#define CAMP_SHARERS    8
#define CAMP_EQUILIBRIA 16 /* that are kept */

enum camp_error {
    CAMP_OK,
    CAMP_NOT_FINITE,    /* a number is NaN or infinite */
    CAMP_BAD_SIZE,      /* a number of ways, points, sharers or runs is outside its range */
    CAMP_BAD_HISTOGRAM, /* shares of distances are negative or do not add up to 1 */
    CAMP_NOT_MONOTONIC, /* points of a curve: ways do not rise, or misses do, or a miss rate is not in [0, 1] */
    CAMP_BAD_PROGRAM,   /* API is not positive, or SPI is not for some miss rate */
    CAMP_SINGULAR,      /* a straight line through points that have all the same miss rate */
    CAMP_NO_ROOM,       /* the table of growth ends before the cache is full */
    CAMP_ROOM_LEFT,     /* no contention: what the programs use fits the cache together */
    CAMP_NOT_CONVERGED, /* camp_share did not find an equilibrium */
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

/* MPA(S), misses per access with S ways: points with straight lines between. The first point is 1 at S = 0. */
struct camp_curve {
    unsigned num;
    enum camp_beyond beyond;
    double ways[CAMP_POINTS], mpa[CAMP_POINTS];
};

struct camp_program {
    struct camp_curve curve;
    double api;         /* cache accesses per instruction */
    double alpha, beta; /* (3.4), in seconds or cycles per instruction */
};

/* (3.2) from stack distances: hist[k - 1], k = 1 .. num, is the share of accesses to the line that was the k-th most recently used one of
 * its set, `further` that of all others. */
enum camp_error camp_curve(const double *hist, unsigned num, double further, enum camp_beyond,
                           struct camp_curve *);
enum camp_error camp_check_curve(const struct camp_curve *);
enum camp_error camp_check(const struct camp_program *);

double camp_mpa(const struct camp_curve *, double ways);   /* (3.2) */
double camp_spi(const struct camp_program *, double ways); /* (3.4) */
double camp_aps(const struct camp_program *, double ways); /* (3.3) */
double camp_mps(const struct camp_program *, double ways); /* misses per second, as in (3.18) */

/* A run of a program beside a stressmark. */
struct camp_run {
    double stress_ways;   /* that the stressmark holds; camp_stress_ways */
    double api, mpa, spi; /* measured, of the program */
};
/* The ways that a stressmark holds which reads one of `lines` lines per set, each as likely, and misses at the rate `mpa`: the inverse of (3.2)
 * for its uniform histogram. */
double camp_stress_ways(double lines, double mpa);

/* The program of `num` runs, 2 .. CAMP_DISTANCES, in any order, in a cache of `ways`: (3.12) curve, beyond as CAMP_SLOPE; (3.14) API; (3.15),
 * (3.16) alpha and beta; `r2` says how straight the line is, 1 at best, and may be NULL. Where MPA rises with ways, but by no more than
 * `noise`, the curve is level; beyond that it is CAMP_NOT_MONOTONIC. */
enum camp_error camp_profile(const struct camp_run *runs, unsigned num, double ways, double noise,
                             struct camp_program *, double *r2);

/* Where the share of accesses goes that misses in one run and hits in the next (3.13). */
enum camp_mass {
    CAMP_SPREAD, /* chosen: evenly over the ways between both runs */
    CAMP_AT_END  /* as printed: at the ways of run l, to the nearest whole number */
};
/* Stack distances 1 .. num as in camp_curve, of points of a curve; the rest is `further`. Errors: those of camp_check_curve, CAMP_BAD_SIZE. */
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
    const double *at;
    size_t num;
    double top;    /* the last one */
    int saturated; /* it grows no more */
};

/* Fills `at[room]` until G(n) is `ways` or more, 1 .. CAMP_WAYS, does not grow any more, or there is no room left, which is no error yet:
 * others may take so much of the cache that it does not matter. Room is as many accesses as it takes to fill a set: about
 * ways / MPA(ways). Errors: those of camp_check_curve, CAMP_BAD_SIZE. */
enum camp_error camp_grow(const struct camp_curve *, unsigned ways, enum camp_past, double *at,
                          size_t room, struct camp_growth *);

/* G^-1(ways) with straight lines between accesses; infinite above `top`. */
double camp_accesses(const struct camp_growth *, double ways);

/* Sharing: camp_share.c ---------------------------------------------------------------------------*/

struct camp_sharer {
    const struct camp_program *program;
    const struct camp_growth *growth; /* of its curve */
};

/* (3.9) T: the time in which a sharer with `ways` has accessed all that it holds. Equal for all sharers in equilibrium (3.8). */
double camp_turnover(const struct camp_sharer *, double ways);

struct camp_share {
    double ways[CAMP_SHARERS];
    unsigned iterations;
    double
        residual; /* of (3.10) and (3.11), as logarithms of T and as parts of the cache; below 1e-9 */
};
/* Where (3.10) and (3.11) are looked for first: ways in proportion to the APS of each alone, none more than it can fill. */
void camp_guess(const struct camp_sharer *, unsigned num, unsigned ways,
                double guess[CAMP_SHARERS]);

/* The equilibrium that Newton-Raphson iteration with bounded steps finds from camp_guess, at most 100 of them; 1 .. CAMP_SHARERS sharers.
 * Where it stops short, two sharers have the answer of camp_scan.
 * CAMP_ROOM_LEFT: `ways` is what each holds. CAMP_NOT_CONVERGED: where it stopped, with the residual. Others: those of camp_check,
 * CAMP_BAD_SIZE, CAMP_NO_ROOM. */
enum camp_error camp_share(const struct camp_sharer *, unsigned num, unsigned ways,
                           struct camp_share *);

/* Two sharers: what is said to hold in equilibrium. */
enum camp_model {
    CAMP_CAMP, /* (3.10) */
    CAMP_AB,   /* (3.17) ways are in proportion to accesses per second */
    CAMP_MB    /* (3.18) and to misses per second */
};
struct camp_equilibria {
    unsigned num;
    double
        first[CAMP_EQUILIBRIA]; /* ways of the first sharer, rising; the second one has the rest */
    unsigned answer;            /* the one nearest to camp_guess */
    unsigned unstable; /* bit i: at first[i] a sharer that has a little more gets more still */
};
/* All equilibria of two sharers that lie in different steps of 1/512 way, by bisection. Errors as camp_share's; growth is not looked at for
 * CAMP_AB and CAMP_MB, and may be NULL. CAMP_ROOM_LEFT: first[0] is what the first one holds. */
enum camp_error camp_scan(const struct camp_sharer pair[2], unsigned ways, enum camp_model,
                          struct camp_equilibria *);

/* How good predictions are, as in tables 3.3 and 3.4. */
struct camp_accuracy {
    double mean; /* of the errors' magnitudes */
    double over; /* the share of errors whose magnitude is above `limit` */
};
struct camp_accuracy camp_accuracy(const double *errors, size_t num, double limit);

#endif

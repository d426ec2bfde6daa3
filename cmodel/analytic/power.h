/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/power.h: the power of processor cores from rates of events, measured or predicted (thesis 4, equations 4.1 to 4.3).
 * Watts, seconds, events per second. What the thesis leaves open and what was chosen: power.md. */
#ifndef HEDDLE_CMODEL_ANALYTIC_POWER_H
#define HEDDLE_CMODEL_ANALYTIC_POWER_H

#include "cmodel/analytic/fit.h"

/* The five events of the thesis, in the order of (4.1). A model may have any other. */
enum power_event {
    POWER_L1,      /* L1RPS: references of the L1 data cache */
    POWER_L2,      /* L2RPS: references of the L2 cache */
    POWER_L2_MISS, /* L2MPS: misses of the L2 cache */
    POWER_BRANCH,  /* BRPS: branches retired */
    POWER_FP,      /* FPPS: floating-point instructions retired */
    NUM_POWER_EVENTS
};

#define POWER_EVENTS       (FIT_COLUMNS - 1) /* of a model, at most */
#define POWER_CORES        64                /* that share a cache, at most */
#define POWER_COMBINATIONS (1u << 20)        /* that are enumerated, at most */

/* Numbers of doubles that power_fit needs as room. */
#define POWER_WORK(samples, events)                                                                \
    ((size_t)(samples) * ((events) + 2) + FIT_WORK(samples, (events) + 1))

enum power_error {
    POWER_OK,
    POWER_SIZE,    /* no cores, samples or processes, too many, or not the five events */
    POWER_RANGE,   /* a number that is not finite, negative, a miss ratio above 1, or a time of 0 */
    POWER_FIT,     /* the fit failed: its own error says why */
    POWER_OUTSIDE, /* the model gives no positive power: it was fitted to other rates */
    POWER_COMBINATIONS_TOO_MANY, /* more than POWER_COMBINATIONS */
    POWER_PREDICTION             /* the caller's prediction failed */
};

/* To which event c4 belongs, and to which c5. */
enum power_naming {
    POWER_NAMING_FORMULA, /* as the names in (4.1) say: c4 branches, c5 floating point */
    POWER_NAMING_TEXT     /* as the text in front of (4.1) says, which exchanges the two */
};

/* P_core = idle + sum of c * rate (4.1). Coefficients may be negative, as that of L2 misses is. */
struct power_model {
    unsigned events;
    enum power_naming naming; /* TEXT: of the five events only */
    double idle, c[POWER_EVENTS];
};

struct power_fit {
    struct power_model model;
    struct fit
        quality; /* R2, relative errors, condition; column 0 is `idle`, column 1 + e event e */
    enum fit_error why; /* with POWER_FIT */
};

/* Fits a model to samples during which each of `cores` cores ran the same program (thesis 4.3.1): `watts` of the processor, of which
 * each core has an equal part; `rates` of one core, a row of `events` numbers per sample. `work` has POWER_WORK(samples, events)
 * doubles. POWER_SIZE, POWER_RANGE, POWER_FIT. */
enum power_error power_fit(const double *rates, const double *watts, unsigned samples,
                           unsigned events, unsigned cores, double *work, struct power_fit *out);

/* (4.1), of model->events rates. POWER_SIZE, POWER_RANGE, POWER_OUTSIDE. */
enum power_error power_core(const struct power_model *model, const double *rates, double *watts);

/* What is known of a process before it is assigned: its profile of 4.4. */
struct power_profile {
    double alone;                    /* watts of its core while it runs alone: P_alone */
    double l1rpi, l2rpi, brpi, fppi; /* events per instruction */
};

/* Power of the core while the process runs: p1 with the part of the rates that follow from SPI alone, p2 with that of L2 misses. */
struct power_parts {
    double p1, p2;
};

/* P1 and P2 of 4.4, with seconds per instruction and misses per L2 reference as a model of the shared cache predicts them. Of the five
 * events. POWER_SIZE, POWER_RANGE, POWER_OUTSIDE. */
enum power_error power_process(const struct power_model *model, const struct power_profile *profile,
                               double spi, double l2mpr, struct power_parts *out);

/* The mean over `processes` that take turns on a core (4.3.2). POWER_SIZE, POWER_RANGE. */
enum power_error power_time_shared(const double *watts, unsigned processes, double *core);

/* Predicts the watts of `cores` cores together while process running[i] of core i runs: the P(p1, ..., pN) of (4.2). Nonzero: it
 * cannot, and what asked ends with POWER_PREDICTION. */
typedef int power_together(void *context, const unsigned *running, unsigned cores, double *watts);

/* (4.2): the mean over all combinations of one process per core, of cores[] of which core i has processes[i], at least 1: idle cores
 * are left out. All are enumerated, the last core's process changing fastest. POWER_SIZE, POWER_RANGE, POWER_COMBINATIONS_TOO_MANY,
 * POWER_PREDICTION. */
enum power_error power_core_set(const unsigned *processes, unsigned cores, power_together *predict,
                                void *context, double *watts);

/* What the increase is where core and partners are idle. */
enum power_idle_rule {
    POWER_IDLE_REPLACED, /* P_alone takes the place of P_idle, as in (4.3) */
    POWER_IDLE_ADDED     /* P_alone is added to what the idle core takes, as the text says */
};

/* What of P_ex goes into (4.3). */
enum power_partners_rule {
    POWER_PARTNERS_ONCE, /* without the idle partners, which (N - m) * P_idle already counts */
    POWER_PARTNERS_TWICE /* with them, as the text defines P_ex */
};

/* Process K is to join core C, which shares its cache with `partners` others (N), of which `busy` (m) run something. */
struct power_assignment {
    unsigned partners, busy;
    const unsigned *
        processes; /* 1 + busy numbers: those of C without K, which may be 0, and of each busy partner */
    double idle;  /* of an idle core: P_idle */
    double alone; /* P_alone of K; used where C and all partners are idle */
    double
        excluding; /* P_ex, measured: C and all its partners before K comes; used where C is busy */
    double rest;   /* P_rest: all other cores */
    enum power_idle_rule idle_rule;
    enum power_partners_rule partners_rule;
};

struct power_assigned {
    double watts;                            /* of the processor */
    double including;                        /* P_in */
    double combinations_ex, combinations_in; /* |S_ex|, |S_in| */
};

/* (4.3). `predict` is asked for C and its busy partners, C first, K its last process. POWER_SIZE, POWER_RANGE,
 * POWER_COMBINATIONS_TOO_MANY, POWER_PREDICTION. */
enum power_error power_assign(const struct power_assignment *, power_together *predict,
                              void *context, struct power_assigned *out);

/* What a person reads. */
const char *power_reason(enum power_error);

#endif

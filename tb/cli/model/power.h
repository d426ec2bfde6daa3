/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/power.h: what the files of `heddle model power` share. A core of the thesis's is an SM; a program beside another has several. */
#ifndef HEDDLE_TB_CLI_MODEL_POWER_H
#define HEDDLE_TB_CLI_MODEL_POWER_H

#include "tb/cli/model/events.h"
#include "tb/cli/model/sharing.h"

/* A machine with what is left of its energy. */
struct power_machine {
    unsigned sms;
    double clock_mhz;
    const char
        *without; /* keys of [energy], with commas between, whose energy is left out; or NULL */
};

/* What a machine did in some time: the watts of all of it, and rates of one SM's share of the events, per second. */
struct power_reading {
    double watts, rates[POWER_EVENTS];
};

struct power_run {
    const char *path;
    struct power_reading is;
    double fitted;   /* watts of the machine by the model of all runs; 0: no positive power */
    double left_out; /* by one of all the others; 0: there is none, or it says no positive power */
};

/* A model and what it was fitted to. */
struct power_training {
    struct model_events events;
    struct power_machine machine;
    const char *path; /* of the first file, */
    struct statistics *first;
    struct power_run *runs;
    unsigned count;
    struct power_fit fit;
};

/* A mean and the worst of errors in per cent, over the `num` runs that have an answer. */
struct power_errors {
    double mean, worst;
    unsigned num, which;
};

/* Training: power_training.c --------------------------------------------------------------------*/

/* Reads the statistics of `count` runs of one machine and fits a model to them, and to all of them but each in turn; `events` and
 * `machine.without` are set. Returns 0, -1: a file is wrong, or 1: there is no such model; with the reason on stderr. To be freed
 * in either case. */
int power_train(struct power_training *, char *const *files, unsigned count);
void power_training_free(struct power_training *);

/* Reads what the machine did from the totals of a file, or from an object like these. Returns 0, or -1 with the reason on stderr. */
int power_read(const struct power_training *, const char *path, const struct cJSON *from,
               struct power_reading *);

/* Is the file of the machine that the model is of? Says on stderr where not. */
int power_same_machine(const struct power_training *, const char *path, const struct statistics *);

/* The watts of the machine at these rates of an SM; 0: no positive power. */
double power_of(const struct power_model *, unsigned sms, const double *rates);

/* Of the model of all runs, or of those without each. */
struct power_errors power_errors_of(const struct power_training *, int left_out);

/* Prediction: power_shared.c ----------------------------------------------------------------------*/

/* A program beside others, on SMs of its own. */
struct power_program {
    double ways, mpa, spi;   /* by CAMP; SPI in cycles */
    struct power_parts part; /* P1 and P2 of 4.4 */
    double alone;            /* watts of its SMs while the others do nothing: P_alone of 4.4 */
};

struct power_shared {
    const struct model_sharers *sharers;
    struct power_program programs[CAMP_SHARERS];
    unsigned idle_sms;
    double idle;            /* watts of these */
    double together, alone; /* watts of the machine: predicted; the sum of what each takes alone */
    int room_left;          /* the programs fit the cache together */
    double machine;         /* measured; 0: nothing was */
    double by_rates;        /* what the model says with the rates that were measured */
};

/* Predicts the power of programs beside each other. `measured`: the statistics of two of them at once, or NULL. Returns 0, -1: a file is
 * wrong, or 1: there is no prediction; with the reason on stderr. */
int power_share(const struct power_training *, struct model_sharers *, const char *measured,
                struct power_shared *);

/* Tables: power_tables.c --------------------------------------------------------------------------*/

void power_print_fit(const struct power_training *);
void power_print_shared(const struct power_shared *);

/* Write the last table as comma-separated values. Return 0, or -1 with the reason on stderr. */
int power_csv_runs(const char *path, const struct power_training *);
int power_csv_shared(const char *path, const struct power_shared *);

/* Draws what the model says over what the machine took, of all runs and, if it was measured, of `shared`, which may be NULL. Returns 0, or -1
 * with the reason on stderr. power_picture.c */
int power_picture(const char *path, const struct power_training *, const struct power_shared *);

#endif

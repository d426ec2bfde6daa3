/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/events.h: events that statistics count, as a power model wants them: each is a sum or difference of numbers of the totals,
 * such as "threads.sp+threads.sfu". */
#ifndef HEDDLE_TB_CLI_MODEL_EVENTS_H
#define HEDDLE_TB_CLI_MODEL_EVENTS_H

#include "cmodel/analytic/power.h"
#include "tb/cli/statistics.h"

struct model_events {
    unsigned count;
    int thesis;                     /* the five of (4.1), in their order */
    int energy;                     /* all that [energy] counts */
    const char *name[POWER_EVENTS]; /* as written */
    char *text;                     /* where they stand; the caller frees it */
};

/* Reads a list with commas between, or the name of one: "thesis", or "energy", all that [energy] counts and that can be told apart. Returns
 * NULL, or what is wrong with it, which lives until the next call. */
const char *model_events_read(struct model_events *, const char *list);

/* Leaves an event out. */
void model_events_drop(struct model_events *, unsigned event);

/* The counts of all events in an object of a file, none below 0. Returns 0, or -1 with the reason on stderr. */
int model_events_count(const struct model_events *, const char *path, const struct cJSON *from,
                       double *counts);

#endif

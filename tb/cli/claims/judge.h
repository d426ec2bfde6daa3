/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/claims/judge.h: what the results say of a claim. */
#ifndef HEDDLE_TB_CLI_CLAIMS_JUDGE_H
#define HEDDLE_TB_CLI_CLAIMS_JUDGE_H

#include "tb/cli/claims/runs.h"

enum verdict {
    VERDICT_SHOWN, /* beside a picture of the paper that has no numbers */
    VERDICT_MET,
    VERDICT_NOT_MET,
    VERDICT_NOT_RUN,
    VERDICT_OPEN,
    VERDICT_NOT_COMPARABLE
};
#define NUM_VERDICTS 6
const char *verdict_name(enum verdict);

/* Of a number that has been computed. */
enum verdict verdict_of(const struct claim_value *, double ours);

struct judged_value {
    enum verdict verdict;
    double ours;          /* where it is shown, met or not met */
    char why[200];        /* where it could not be computed */
    unsigned same, turns; /* bits of the variants on which its sign holds, turns: then not met */
    /* Not run here, but in an earlier table (keep.h): what stands there. NULL: no. */
    const char *kept, *kept_signs;
};

#define NO_FIGURE "?" /* in a reason: of runs that were not made */

struct judged {
    const struct claim *claim;
    enum verdict verdict; /* of what could be judged; else why nothing could */
    int partly;           /* the claim says more, which is open or not comparable */
    int missing;          /* other values could be judged, but were not run */
    struct judged_value values[MAX_VALUES];
    char *reason; /* with its figures */
};

/* Judges a claim; with `robust` also on the variants. Returns 0, or -1: an expression is wrong, which
 * is reported on `err`. judged_free() either way. */
int judge(struct judged *, struct runs *, const struct claim *, int robust, FILE *err);
void judged_free(struct judged *);

/* The verdict on all values, from theirs. */
void judged_conclude(struct judged *);

/* The verdict in words: "met; the rest open: needs ccws". */
void judged_print(const struct judged *, FILE *);

#endif

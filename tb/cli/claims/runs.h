/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/claims/runs.h: the runs that claims need. One sweep for each configuration names the runs
 * of all claims, so that a run which several claims need is made once, and none is lost when other
 * claims are asked for. */
#ifndef HEDDLE_TB_CLI_CLAIMS_RUNS_H
#define HEDDLE_TB_CLI_CLAIMS_RUNS_H

#include "tb/cli/claims/ledger.h"
#include "tb/cli/claims/results.h"
#include "tb/cli/claims/table.h"
#include "tb/cli/claims/variants.h"

struct runs {
    const struct ledger *ledgers;
    int num_ledgers;
    struct variants *variants;
    const char *folder; /* of the sweeps' files and results */
    const char *size;   /* of all programs; NULL: their own */
    struct plan *plans; /* of each ledger: as it is, then each variant */
    const struct point **wanted;
    int num_wanted;
    struct results *results;
    struct table *tables; /* of all claims, each once */
    int num_tables;
};

/* Reads the runs of all ledgers, and the tables in the folder. Returns 0, or -1 with the reason on `err`. */
int runs_read(struct runs *, FILE *err);
void runs_free(struct runs *);

/* What a claim may speak of, on a variant of the machine (-1: as it is). runs_forget() frees it. */
void runs_of(struct runs *, const struct claim *, int variant, struct expr_source *);
void runs_forget(struct expr_source *);

/* Wants what a claim needs on the machine as it is. */
void runs_want(struct runs *, const struct claim *);
/* Wants, and nothing else, what the signs of these claims need on the variants: the runs that a
 * choice made (expr_source.chooser), once the claims' own runs have results. */
void runs_want_signs(struct runs *, const struct claim *const *, int count);

/* Runs what is wanted and has not been run, unless `dry`, which only tells how much that is.
 * `options` are more options of the sweep. Returns 0, or the exit status of a sweep that did not
 * work or was interrupted. */
int runs_sweep(struct runs *, int dry, char *const *options, int num_options);

#endif

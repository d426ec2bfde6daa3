/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/claims/ledger.h: the claims of papers as they are written, one file per paper. What a file
 * may say is in tb/experiments/claims/README.md. */
#ifndef HEDDLE_TB_CLI_CLAIMS_LEDGER_H
#define HEDDLE_TB_CLI_CLAIMS_LEDGER_H

#include "tb/cli/claims/expr.h"
#include "tb/cli/claims/rule.h"

#define MAX_VALUES 48 /* of a claim */
#define MAX_RUNS   16
#define MAX_TABLES 8

/* A value of the file; lines that continue it are joined by a blank each. */
struct words {
    const char *text; /* NULL: not given */
    unsigned lines[48];
    int begins[48], num_lines; /* where in the text each line begins */
};

/* One number of a claim. */
struct claim_value {
    const char *label;
    struct words paper_words, ours_words, rule_words;
    struct figure paper;
    struct rule rule;
    const struct expr *ours; /* NULL: it cannot be computed yet */
    int drawn;               /* the paper has a picture of it and no number: nothing is judged */
    int robust;              /* its sign must survive the variants of the machine */
};

struct claim {
    const char *id;
    unsigned line;
    const struct ledger *ledger;
    struct words where, quantity, check, conditions, paper, runs_words, tables_words, rule_words,
        open, not_comparable, reason, figure, stacked, robust_words;
    struct claim_value values[MAX_VALUES];
    int num_values;
    const char *runs[MAX_RUNS];
    int num_runs;
    const char *tables[MAX_TABLES]; /* table.h */
    int num_tables;
};

/* The file of one paper. */
struct ledger {
    const char *path;
    struct words name, title;
    struct claim *claims;
    int count;
    struct arena memory;
};

/* Reads and checks a file, but for its runs. Returns 0, or -1 with the first error on `err` as
 * "path:line: ..." or, within an expression, "path:line:column: ...". ledger_free() either way. */
int ledger_read(struct ledger *, const char *path, FILE *err);
void ledger_free(struct ledger *);

/* Reports an error at this place of a value. Always returns -1. */
int ledger_fail(const struct ledger *, const struct words *, int at, const char *what, FILE *err);

/* The next $(...) of a text from `at` on: where its expression begins, and in *end where it ends;
 * -1: there is none. */
int reason_next(const char *text, int at, int *end);

#endif

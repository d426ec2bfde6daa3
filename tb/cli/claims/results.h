/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/claims/results.h: the results of the claims' sweeps, one file per configuration. */
#ifndef HEDDLE_TB_CLI_CLAIMS_RESULTS_H
#define HEDDLE_TB_CLI_CLAIMS_RESULTS_H

#include "tb/arena.h"
#include "tb/cli/sweep/plan.h"

struct results;

/* The results in this folder; they need not exist. */
struct results *results_open(const char *folder);
void results_close(struct results *);

/* Is the run done? */
int results_have(struct results *, const struct point *);

/* As in struct expr_source, of one run. */
int results_fetch(struct results *, const struct point *, const char *name, double *value,
                  char why[128]);
int results_kernels(struct results *, const struct point *, const char ***names,
                    struct arena *memory, char why[128]);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/claims/variants.h: other machines on which a claim's sign must hold, from a file with one
 * section for each: keys with the value they have instead, or `* FACTOR`. */
#ifndef HEDDLE_TB_CLI_CLAIMS_VARIANTS_H
#define HEDDLE_TB_CLI_CLAIMS_VARIANTS_H

#include "tb/cli/sweep/plan.h"

#define MAX_VARIANTS 15
#define MAX_CHANGES  8 /* of one variant */

struct change {
    const char *key, *value;
    double factor; /* 0: the value */
};

struct variant {
    const char *name;
    struct change changes[MAX_CHANGES];
    int count;
};

struct variants {
    struct variant variants[MAX_VARIANTS];
    int count;
    struct arena memory;
};

/* Returns 0, or -1 with the first error on `err`, with file and line. variants_free() either way. */
int variants_read(struct variants *, const char *path, FILE *err);
void variants_free(struct variants *);

/* Puts a variant's changes into the settings of a point. What a machine has anyway is not set.
 * Returns how many settings there are now. */
int variant_amend(const struct variant *, const struct config *,
                  struct setting settings[MAX_SETTINGS], int count, struct arena *);

#endif

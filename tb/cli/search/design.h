/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/search/design.h: a design of RLWS as a search changes it: thirteen properties, eight variables and five parameters
 * (RLWS IV-H, V-B). */
#ifndef HEDDLE_TB_CLI_SEARCH_DESIGN_H
#define HEDDLE_TB_CLI_SEARCH_DESIGN_H

#include <stdint.h>
#include <stdio.h>

enum { DESIGN_VARIABLES = 8, DESIGN_PARAMETERS = 5, DESIGN_PROPERTIES = 13 };

struct design {
    int attribute[DESIGN_VARIABLES]; /* as the keys have them: one above the last is none */
    int buckets[DESIGN_VARIABLES];
    int64_t parameter
        [DESIGN_PARAMETERS]; /* alpha, epsilon, gamma, reward, penalty, as the keys have them */
};

/* What all random choices come from (splitmix64): the same seed, the same choices. */
struct chance {
    uint64_t state;
};
uint64_t chance_below(struct chance *, uint64_t bound);
/* From 0 to below 1. */
double chance_part(struct chance *);

struct design design_random(struct chance *);
/* One property is drawn anew. */
void design_mutate(struct design *, struct chance *);
/* Properties from `point` on (1 to 12) change places. Of a variable that a design then has twice the second is none. */
void design_cross(struct design *, struct design *, unsigned point);
int design_same(const struct design *, const struct design *);

/* As keys, a line each, behind a prefix: "rlws." in a sweep, "" in the section [rlws] of a file of settings. */
void design_print(const struct design *, const char *prefix, FILE *);
/* In a few words: "alpha 0.09, ..., AGML 2, GNMIE 8". */
void design_tell(const struct design *, FILE *);

#endif

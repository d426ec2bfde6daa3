/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/rlws_design.h: a design of RLWS, as the keys of the policy give it: rates, rewards, and eight variables, each an attribute of
 * table II with its buckets.
 *
 * The paper publishes how many buckets each variable of its designs has, but not where they begin; of two examples (RLWS IV-B) one has
 * buckets that grow, 0 to 9, 10 to 29, 30 to 59 and 60 to 100 per cent, the other buckets that shrink: up to 50, up to 80, up to 100 per cent. Both
 * are near this rule: of n buckets over a range the j-th is j / (1 + ... + n) of it, or the j-th from the end is. Percentages of misses
 * shrink, all else grows. */
#ifndef HEDDLE_TB_UNITS_RLWS_DESIGN_H
#define HEDDLE_TB_UNITS_RLWS_DESIGN_H

#include "tb/config.h"

enum { RLWS_SLOTS = 8, RLWS_EDGES = 7, RLWS_NEVER = 1023 };

enum rlws_attribute {
#define ATTRIBUTE(name, range, sizes, meaning) RLWS_##name,
#include "tb/units/rlws_attributes.def"
    RLWS_NUM_ATTRIBUTES
};

/* Rates in millionths, rewards in thousandths, as the keys have them. */
struct rlws_design {
    int64_t alpha, epsilon, gamma, reward, penalty, decay, interval, keep, seed;
    int64_t attribute[RLWS_SLOTS], buckets[RLWS_SLOTS];
};

/* That of the policy that is configured: rlws-ms, or any other. */
struct rlws_design rlws_design_of(const struct config *);

/* How many of its variables there are. */
unsigned rlws_variables(const struct rlws_design *);

/* The least values of buckets 1 to 7 of an attribute that is divided into so many; RLWS_NEVER: there is no such bucket. */
void rlws_edges(int64_t attribute, int64_t buckets, uint64_t edges[RLWS_EDGES]);

#endif

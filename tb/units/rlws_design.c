/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/rlws_design.c: see rlws_design.h. */
#include "tb/units/rlws_design.h"

#include <string.h>

#include "hw.h"

#define DESIGN(c, stem)                                                                            \
    (struct rlws_design)                                                                           \
    {                                                                                              \
        .alpha = (c)->stem##_alpha, .epsilon = (c)->stem##_epsilon, .gamma = (c)->stem##_gamma,    \
        .reward = (c)->stem##_reward, .penalty = (c)->stem##_penalty, .decay = (c)->stem##_decay,  \
        .interval = (c)->stem##_interval, .keep = (c)->stem##_keep, .seed = (c)->stem##_seed,      \
        .attribute = {(c)->stem##_attribute1, (c)->stem##_attribute2, (c)->stem##_attribute3,      \
                      (c)->stem##_attribute4, (c)->stem##_attribute5, (c)->stem##_attribute6,      \
                      (c)->stem##_attribute7, (c)->stem##_attribute8},                             \
        .buckets = {(c)->stem##_buckets1, (c)->stem##_buckets2, (c)->stem##_buckets3,              \
                    (c)->stem##_buckets4, (c)->stem##_buckets5, (c)->stem##_buckets6,              \
                    (c)->stem##_buckets7, (c)->stem##_buckets8},                                   \
    }

struct rlws_design rlws_design_of(const struct config *c)
{
    return strcmp(c->run_sched, "rlws-ms") ? DESIGN(c, rlws) : DESIGN(c, rlws_ms);
}

unsigned rlws_variables(const struct rlws_design *d)
{
    unsigned variables = 0;
    for (unsigned i = 0; i < RLWS_SLOTS; i++)
        variables += d->attribute[i] < RLWS_NUM_ATTRIBUTES;
    return variables;
}

void rlws_edges(int64_t attribute, int64_t buckets, uint64_t edges[RLWS_EDGES])
{
    enum { GROW, SHRINK };
    static const struct {
        int64_t range;
        int shrinks;
    } of[] = {
#define ATTRIBUTE(name, range, sizes, meaning) {range, sizes},
#include "tb/units/rlws_attributes.def"
    };
    for (int64_t j = 1; j <= RLWS_EDGES; j++)
        edges[j - 1] = RLWS_NEVER;
    if (attribute >= RLWS_NUM_ATTRIBUTES)
        return;
    const int64_t range = of[attribute].range, whole = buckets * (buckets + 1);
    for (int64_t j = 1; j < buckets; j++) {
        const int64_t left = buckets - j, part = of[attribute].shrinks
                                                     ? range - range * left * (left + 1) / whole
                                                     : range * j * (j + 1) / whole;
        edges[j - 1] = (uint64_t)(part ? part : 1);
    }
}

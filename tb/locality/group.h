/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/group.h: blocks in groups that are to run on one SM, one after the other in this order.
 * Source: PAVER 4, algorithm 1. */
#ifndef HEDDLE_TB_LOCALITY_GROUP_H
#define HEDDLE_TB_LOCALITY_GROUP_H

#include "tb/locality/sharing.h"

enum grouping_kind {
    GROUPING_MST, /* along a maximum spanning tree: a group of `resident` for each SM, then one by one */
    GROUPING_KWAY, /* a part for each SM, each along a maximum spanning tree of its own */
    GROUPING_RB    /* halved until a part has at most `resident` blocks; from left to right */
};

struct grouping {
    uint32_t *blocks; /* all of them, group after group */
    uint32_t *first;  /* group i: blocks[first[i]] up to, not including, blocks[first[i + 1]] */
    uint32_t count;
};

/* `sms`: of the machine; `resident`: blocks that fit one at a time, at least 1. The same graph gives the
 * same groups. No group is empty. Returns 0, or -1: no memory. */
int grouping_make(struct grouping *, const struct sharing *, enum grouping_kind, uint32_t sms,
                  uint32_t resident);
void grouping_free(struct grouping *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/group.h: blocks in groups that are to run on one SM, one after the other in this order.
 * Source: PAVER 4, algorithm 1. */
#ifndef HEDDLE_TB_LOCALITY_GROUP_H
#define HEDDLE_TB_LOCALITY_GROUP_H

#include "tb/locality/sharing.h"

enum grouping_kind {
    GROUPING_MST,  /* along a maximum spanning tree: a group for each SM, then one by one */
    GROUPING_KWAY, /* a part for each SM, each along a maximum spanning tree of its own */
    GROUPING_RB    /* halved until a part fits an SM; from left to right */
};

/* The machine. */
struct grouping_room {
    uint32_t sms, resident; /* blocks that fit one SM at a time; each at least 1 */
    /* A grid that fits the SMs with room to spare: 0: groups are an even share of it for each, in RB the
     * parts of KWAY, since "both schedulers would perform the same" (6.3); 1: groups fill an SM (4.1, 4.3),
     * while others have no block. */
    int fill;
};

struct grouping {
    uint32_t *blocks; /* all of them, group after group */
    uint32_t *first;  /* group i: blocks[first[i]] up to, not including, blocks[first[i + 1]] */
    uint32_t count;
};

/* The same graph gives the same groups. No group is empty. Returns 0, or -1: no memory. */
int grouping_make(struct grouping *, const struct sharing *, enum grouping_kind,
                  struct grouping_room);
void grouping_free(struct grouping *);

#endif

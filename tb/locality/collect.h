/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/collect.h: memory by who reads it: all that the same blocks read is one piece. */
#ifndef HEDDLE_TB_LOCALITY_COLLECT_H
#define HEDDLE_TB_LOCALITY_COLLECT_H

#include "tb/locality/footprint.h"

struct piece {
    uint64_t units;
    uint32_t *blocks; /* who reads them; ascending */
    uint32_t count;
};

struct pieces {
    struct piece *piece;
    uint32_t count, room;
    struct arena arena; /* the blocks */
};

/* Returns 0, or -1: no memory, or more than is kept. */
int pieces_collect(struct pieces *, const struct footprint *);
void pieces_free(struct pieces *);

#endif

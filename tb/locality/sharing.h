/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/sharing.h: which blocks read the same memory: the locality graph.
 * Source: PAVER 3.2, 3.3. */
#ifndef HEDDLE_TB_LOCALITY_SHARING_H
#define HEDDLE_TB_LOCALITY_SHARING_H

#include "tb/locality/footprint.h"

struct sharing_counts {
#define COUNT(name, meaning) uint64_t name; /* meaning */
#include "tb/locality/sharing.def"
};

/* Blocks are numbered x first. The neighbours of block i stand from first[i] on, up to but not
 * including first[i + 1], ascending; each edge stands at both its ends. */
struct sharing {
    uint32_t num_blocks;
    uint64_t *first;
    uint32_t *to;
    uint64_t *weight; /* units that both read */
    /* What is common is not in the graph, but in all counts: it says little about which blocks belong
     * together, and makes a graph of all pairs. */
    struct sharing_counts counts;
};

/* Returns 0, or -1 with *error filled: no memory, or more edges than are kept. */
int sharing_find(struct sharing *, const struct footprint *, struct ptx_error *error);
/* Leaves the first blocks of the graph, as many, and the edges between them. The counts stay those of all. */
void sharing_cut(struct sharing *, uint32_t blocks);
void sharing_free(struct sharing *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/sharing.h: which blocks read the same memory: the locality graph.
 * Source: PAVER 3.2, 3.3. */
#ifndef HEDDLE_TB_LOCALITY_SHARING_H
#define HEDDLE_TB_LOCALITY_SHARING_H

#include "tb/locality/footprint.h"

/* Blocks are numbered x first. The neighbours of block i stand from first[i] on, up to but not
 * including first[i + 1], ascending; each edge stands at both its ends. */
struct sharing {
    uint32_t num_blocks;
    uint64_t *first;
    uint32_t *to;
    uint64_t *weight; /* units that both read */

    uint64_t pairs;   /* of blocks that share, in both orders */
    uint32_t sharers; /* blocks that share with another */
    uint64_t units;   /* that any block reads */
    uint64_t shared;  /* that several read */
    /* Not in the graph, but in all the numbers above: what more than half of the blocks read. It says
     * little about which of them belong together, and makes a graph of all pairs. */
    uint64_t common;
};

/* Returns 0, or -1 with *error filled: no memory, or more edges than are kept. */
int sharing_find(struct sharing *, const struct footprint *, struct ptx_error *error);
/* Leaves the first blocks of the graph, as many, and the edges between them. The numbers stay those of all. */
void sharing_cut(struct sharing *, uint32_t blocks);
void sharing_free(struct sharing *);

#endif

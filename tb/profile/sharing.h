/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/sharing.h: which lines a launch's warps and blocks share, and how many accesses are to
 * such lines: PAVER's figure 2. */
#ifndef HEDDLE_TB_PROFILE_SHARING_H
#define HEDDLE_TB_PROFILE_SHARING_H

#include <stdint.h>

#include "tb/profile/address_map.h"

/* Kinds of lines: KIND(name, meaning). */
#define SHARING_KINDS(KIND)                                                                        \
    KIND(unshared, "one warp accesses the line")                                                   \
    KIND(intra_block, "warps of one block do")                                                     \
    KIND(inter_block, "one warp each of several blocks does")                                      \
    KIND(both, "several blocks do, one of them with several warps")

enum sharing_kind {
#define KIND(name, meaning) SHARING_##name,
    SHARING_KINDS(KIND)
#undef KIND
        NUM_SHARING_KINDS
};

struct shared_line {
    uint64_t accesses, block; /* block: the first that accesses it */
    uint8_t several_warps, several_blocks;
};

struct sharing {
    struct address_map lines, pairs; /* pairs: of a line and a block */
    struct shared_line *line;        /* by number in `lines` */
    uint64_t *first_warp;            /* by number in `pairs` */
    uint32_t line_places, pair_places;
};

/* A warp of a block, which has a number among all warps, accesses a line. Returns 0, or -1: no
 * memory. */
int sharing_touch(struct sharing *, uint64_t address, uint64_t block, uint64_t warp);

/* Adds what another SM's blocks did; only sharing_count may follow. Returns 0, or -1: no memory. */
int sharing_add(struct sharing *, const struct sharing *other);

/* By kind. */
struct sharing_counts {
    uint64_t accesses[NUM_SHARING_KINDS], lines[NUM_SHARING_KINDS];
};

/* Adds the lines of each kind, and the accesses to them. */
void sharing_count(const struct sharing *, struct sharing_counts *);

/* Forgets all, and frees. */
void sharing_clear(struct sharing *);

#endif

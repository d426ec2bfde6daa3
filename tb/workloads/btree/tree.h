/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/btree/tree.h: the B+ tree that is searched. */
#ifndef HEDDLE_TB_WORKLOADS_BTREE_TREE_H
#define HEDDLE_TB_WORKLOADS_BTREE_TREE_H

#include <stddef.h>
#include <stdint.h>

#include "tb/workloads/common/random.h"

#define TREE_EMPTY INT32_MAX /* key of a free slot */

/* Node n has slots n * order .. n * order + order - 1. btree.cl says what they hold. */
struct tree {
    int32_t order, root, height, nodes; /* height: levels above the leaves */
    int32_t *key, *link;
};

/* Makes a tree of `count` ascending positive keys from its leaves up. Nodes are filled by half at
 * least, at random, but for the last ones of each level. order > 1. */
void tree_build(struct tree *tree, int32_t order, const int32_t *keys, int32_t count,
                struct random *random);
void tree_free(struct tree *tree);

/* Slots of all nodes. */
size_t tree_slots(const struct tree *tree);

#endif

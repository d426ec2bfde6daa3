/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/btree/tree.c: a B+ tree, level by level from its leaves. */
#include "tb/workloads/btree/tree.h"

#include <stdlib.h>

#include "tb/workloads/common/fail.h"

size_t tree_slots(const struct tree *tree)
{
    return (size_t)tree->nodes * (size_t)tree->order;
}

static int32_t least_entries(const struct tree *tree)
{
    return tree->order < 4 ? 2 : tree->order / 2;
}

/* Nodes that a tree of `count` keys has at most. */
static int32_t most_nodes(const struct tree *tree, int32_t count)
{
    int32_t nodes = 0;
    do {
        count = (count + least_entries(tree) - 1) / least_entries(tree);
        nodes += count;
    } while (count > 1);
    return nodes;
}

/* Entry i's key: keys[i], or without keys that of the first slot of the node that it leads to. */
static int32_t key_of(const struct tree *tree, const int32_t *keys, int32_t i, int32_t link)
{
    if (keys != NULL)
        return keys[i];
    return i == 0 ? 0 : tree->key[(size_t)link * (size_t)tree->order];
}

/* Appends the nodes of a level of `count` entries, of which the first links to `first`. */
static void add_level(struct tree *tree, const int32_t *keys, int32_t first, int32_t count,
                      struct random *random)
{
    const int32_t least = least_entries(tree);
    for (int32_t i = 0, size; i < count; i += size) {
        int32_t *key = tree->key + tree_slots(tree), *link = tree->link + tree_slots(tree);
        size = least + (int32_t)random_below(random, (uint64_t)(tree->order - least + 1));
        size = size < count - i ? size : count - i;
        for (int32_t slot = 0; slot < tree->order; slot++) {
            link[slot] = first + i + slot;
            key[slot] = slot < size ? key_of(tree, keys, i + slot, link[slot]) : TREE_EMPTY;
        }
        tree->nodes++;
    }
}

void tree_build(struct tree *tree, int32_t order, const int32_t *keys, int32_t count,
                struct random *random)
{
    *tree = (struct tree){.order = order};
    const size_t slots = (size_t)most_nodes(tree, count) * (size_t)order;
    tree->key = allocate(slots, sizeof *tree->key);
    tree->link = allocate(slots, sizeof *tree->link);
    add_level(tree, keys, 0, count, random);
    for (int32_t first = 0; tree->nodes - first > 1; tree->height++) {
        int32_t nodes = tree->nodes - first;
        first = tree->nodes;
        add_level(tree, NULL, first - nodes, nodes, random);
    }
    tree->root = tree->nodes - 1;
}

void tree_free(struct tree *tree)
{
    free(tree->key);
    free(tree->link);
}

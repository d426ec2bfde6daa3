/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/btree/btree.cl: searches in a B+ tree, one work-group a query and one work-item a
 * slot of a node: at each level every work-item compares its slot's key, and the one that finds the
 * query there names the next node to the others. Each level is a coalesced read of one node, then a
 * barrier, then the next node's address: a chain of dependent loads with little arithmetic. All
 * groups read the root and most of them the same nodes below; leaves are shared by groups whose
 * queries happen to be close, anywhere in the grid. One lane of one warp diverges at each level.
 *
 * Node n has slots n * order .. n * order + order - 1. A slot's key is the least one below it (in
 * the leftmost inner nodes 0 instead), its link the node below or, in a leaf, the number of a
 * record. Records lie in the order of their keys, which are positive; free slots have the key
 * EMPTY. */

#define EMPTY   INT_MAX
#define MISSING (-2)

/* Whether this work-item's slot of a node is the last one whose key is at most the query. */
static int holds(__global const int *key, int node, int order, int query)
{
    int lane = get_local_id(0), slot = node * order + lane;
    return key[slot] <= query && query < (lane + 1 < order ? key[slot + 1] : EMPTY);
}

/* Value of the record with the query's key, or MISSING. height: levels above the leaves. */
__kernel void find(__global const int *key, __global const int *link, __global const int *value,
                   int root, int height, int order, __global const int *query, __global int *result)
{
    __local int node, found;
    int group = get_group_id(0), lane = get_local_id(0), wanted = query[group];
    if (lane == 0) {
        node = root;
        found = MISSING;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int level = 0; level < height; level++) {
        int here = node;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (holds(key, here, order, wanted))
            node = link[here * order + lane];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    int slot = node * order + lane;
    if (key[slot] == wanted)
        found = value[link[slot]];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0)
        result[group] = found;
}

/* The records with keys from query.x to query.y: the number of the first one, and how many. Both
 * ends are searched at once. */
__kernel void find_range(__global const int *key, __global const int *link, int root, int height,
                         int order, __global const int2 *query, __global int2 *result)
{
    __local int node[2], rank[2];
    int group = get_group_id(0), lane = get_local_id(0);
    int wanted[2] = {query[group].x - 1, query[group].y};
    if (lane == 0) {
        node[0] = node[1] = root;
        rank[0] = rank[1] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int level = 0; level <= height; level++) {
        int here[2] = {node[0], node[1]};
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int end = 0; end < 2; end++)
            if (holds(key, here[end], order, wanted[end])) {
                int next = link[here[end] * order + lane];
                if (level < height)
                    node[end] = next;
                else
                    rank[end] = next + 1;
            }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0)
        result[group] = (int2)(rank[0], rank[1] - rank[0]);
}

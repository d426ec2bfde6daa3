/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/bfs/bfs.cl: breadth-first search, level by level, one work-item a vertex, frontiers
 * as flags (Harish, Narayanan: Accelerating Large Graph Algorithms on the GPU Using CUDA, HiPC
 * 2007). Two launches make a level. Several work-items may write the same vertex in one launch:
 * they all write the same value. */

/* The frontier's vertices leave it, and their unvisited neighbours get a level and are marked as
 * reached. */
__kernel void expand(__global const uint *start, __global const uint *column,
                     __global uchar *frontier, __global uchar *reached,
                     __global const uchar *visited, __global int *level, uint vertices)
{
    uint vertex = get_global_id(0);
    if (vertex < vertices && frontier[vertex]) {
        frontier[vertex] = 0;
        int next = level[vertex] + 1;
        uint end = start[vertex + 1];
        for (uint i = start[vertex]; i < end; i++) {
            uint neighbour = column[i];
            if (!visited[neighbour]) {
                level[neighbour] = next;
                reached[neighbour] = 1;
            }
        }
    }
}

/* The vertices reached become visited and the next frontier; *again tells whether there are any. */
__kernel void advance(__global uchar *frontier, __global uchar *reached, __global uchar *visited,
                      __global uint *again, uint vertices)
{
    uint vertex = get_global_id(0);
    if (vertex < vertices && reached[vertex]) {
        reached[vertex] = 0;
        visited[vertex] = 1;
        frontier[vertex] = 1;
        *again = 1;
    }
}

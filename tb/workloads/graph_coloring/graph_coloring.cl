/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/graph_coloring/graph_coloring.cl: colours a graph by independent sets of random
 * priorities (Jones, Plassmann: A Parallel Graph Coloring Heuristic, SIAM J. Sci. Comput. 1993),
 * one work-item a vertex. In each round the vertices that have no uncoloured neighbour of higher
 * priority take the smallest colour that no neighbour has. A vertex's state is its colour, or,
 * while it has none, minus one minus its priority.
 * Most vertices wait, each leaving its loop at the first neighbour that stops it, and those with a
 * colour have nothing to do: little is left of a warp, and less in each round. The lists of
 * neighbours are walked line by line, the neighbours' states lie anywhere; both are read again in
 * the next rounds, and the lists a second time, for the colours, in the same one. */

/* Whether a vertex of this state has no uncoloured neighbour of higher priority. */
bool is_next(__global const uint *column, __global const int *from, uint first, uint end, int state)
{
    for (uint i = first; i < end; i++)
        if (from[column[i]] < state)
            return false;
    return true;
}

/* The smallest colour that no neighbour has, of as many at a time as a word has bits. */
int free_colour(__global const uint *column, __global const int *from, uint first, uint end)
{
    for (int lowest = 0;; lowest += 32) {
        uint taken = 0;
        for (uint i = first; i < end; i++) {
            int colour = from[column[i]] - lowest;
            if (colour >= 0 && colour < 32)
                taken |= 1u << colour;
        }
        if (~taken != 0)
            return lowest + popcount((~taken & (taken + 1)) - 1);
    }
}

__kernel void graph_coloring(__global const uint *start, __global const uint *column,
                             __global const int *from, __global int *to, __global uint *again,
                             uint vertices)
{
    uint vertex = get_global_id(0);
    if (vertex >= vertices)
        return;
    int state = from[vertex];
    if (state < 0) {
        uint first = start[vertex], end = start[vertex + 1];
        if (is_next(column, from, first, end, state))
            state = free_colour(column, from, first, end);
        else
            *again = 1;
    }
    to[vertex] = state;
}

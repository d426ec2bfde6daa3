/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/component_labelling/component_labelling.cl: the connected components of a graph by
 * propagation of labels, one work-item a vertex. At first every vertex is its own label; in each
 * round it takes the smallest of its own and its neighbours'; in the end all of a component have
 * the number of its first vertex. Every vertex reads all its neighbours in every round. The lists
 * of neighbours are of very different lengths, which leaves few work-items of a warp in the loop;
 * they are walked line by line, and the neighbours' labels lie anywhere. */
__kernel void component_labelling(__global const uint *start, __global const uint *column,
                                  __global const int *from, __global int *to,
                                  __global uint *again, uint vertices)
{
    uint vertex = get_global_id(0);
    if (vertex >= vertices)
        return;
    int label = from[vertex], smallest = label;
    uint end = start[vertex + 1];
    for (uint i = start[vertex]; i < end; i++)
        smallest = min(smallest, from[column[i]]);
    to[vertex] = smallest;
    if (smallest != label)
        *again = 1;
}

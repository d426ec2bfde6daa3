/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/mapreduce.cl: what follows the map kernels of a MapReduce workload on a GPU
 * (He et al.: Mars, PACT 2008): prefix sums, which give every task its place in the output without
 * atomics, a bitonic sort that brings equal keys together, and the list of the groups. A pair
 * (x, y, z, w) is a key and a value, of which most workloads keep the offset and the size in the
 * data, so that comparing two keys follows both offsets, lane by lane somewhere else. */

#define SCAN 256 /* elements, and work-items, of a work-group's prefix sum */

/* The workload's orders of pairs, by number: less than, equal to or greater than zero, as a comes
 * before, with or after b. */
int compare(uint4 a, uint4 b, __global const uchar *data, uint order);

int compare_numbers(uint a, uint b)
{
    return (a > b) - (a < b);
}

/* Byte by byte; of a string and its beginning, the beginning is less. */
int compare_strings(__global const uchar *data, uint a, uint a_size, uint b, uint b_size)
{
    uint common = min(a_size, b_size);
    for (uint i = 0; i < common; i++)
        if (data[a + i] != data[b + i])
            return data[a + i] < data[b + i] ? -1 : 1;
    return compare_numbers(a_size, b_size);
}

/* Each of a group's values becomes the sum of those before it in the group; sums[group]: all. */
__kernel __attribute__((reqd_work_group_size(SCAN, 1, 1))) void
scan_groups(__global uint *values, __global uint *sums, uint count)
{
    __local uint sum[2][SCAN];
    uint i = get_global_id(0), x = get_local_id(0), now = 0;
    uint own = i < count ? values[i] : 0, reached = own;
    for (uint reach = 1; reach < SCAN; reach *= 2) {
        sum[now][x] = reached;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (x >= reach)
            reached += sum[now][x - reach];
        now ^= 1;
    }
    if (i < count)
        values[i] = reached - own;
    if (x == SCAN - 1)
        sums[get_group_id(0)] = reached;
}

/* Adds to each group's values what the groups before it sum up to. */
__kernel __attribute__((reqd_work_group_size(SCAN, 1, 1))) void
scan_offsets(__global uint *values, __global const uint *offsets, uint count)
{
    uint i = get_global_id(0);
    if (i < count)
        values[i] += offsets[get_group_id(0)];
}

/* One step of a bitonic sort in which every comparison puts the lesser pair to the lower place, so
 * that any count will do (what is missing would stay at the end). A block of 2 * stride pairs is
 * compared element by element with its second half, read backwards in the first step of a merge. */
__kernel void sort_step(__global uint4 *pairs, __global const uchar *data, uint count, uint stride,
                        uint backwards, uint order)
{
    uint task = get_global_id(0);
    uint offset = task & (stride - 1), block = (task - offset) * 2;
    uint low = block + offset;
    uint high = block + (backwards ? 2 * stride - 1 - offset : stride + offset);
    if (high >= count)
        return;
    uint4 first = pairs[low], second = pairs[high];
    if (compare(second, first, data, order) < 0) {
        pairs[low] = second;
        pairs[high] = first;
    }
}

/* first[i]: whether pair i differs from the one before. */
__kernel void mark_first(__global const uint4 *pairs, __global const uchar *data,
                         __global uint *first, uint count, uint order)
{
    uint i = get_global_id(0);
    if (i < count)
        first[i] = i == 0 || compare(pairs[i - 1], pairs[i], data, order) != 0;
}

/* The first pair of each group, from the prefix sums of first[]; behind them, the number of all. */
__kernel void list_first(__global const uint *position, __global uint *start, uint count,
                         uint groups)
{
    uint i = get_global_id(0);
    if (i == 0)
        start[groups] = count;
    if (i < count && position[i] != (i + 1 < count ? position[i + 1] : groups))
        start[position[i]] = i;
}

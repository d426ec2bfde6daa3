/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/merge_sort/merge_sort.cl: sorts pairs (x: key, y: value) by merging, stable: first
 * tiles in local memory, then, launch after launch, runs of twice the length. A work-group makes
 * one tile of a merged run: it finds where the tile begins and ends in both runs by binary search
 * along a diagonal (Green, McColl, Bader: GPU Merge Path, ICS 2012), loads what lies between, and
 * each work-item finds the place of its elements by binary search in the other run, in local
 * memory. Neighbouring groups probe the same elements of global memory and end where the next
 * begins, and the first probes are the same for all groups of a run. Two lanes search while the
 * other warps wait at a barrier; lanes that search in local memory part ways, meet bank conflicts,
 * and store near each other but not in order. */

#define BLOCK 256
#define TILE  (2 * BLOCK)

/* Where an element of two neighbouring runs, [low, middle) and [middle, high), goes: before equal
 * ones of the right run. */
static uint place(__local const uint2 *tile, uint i, uint low, uint middle, uint high)
{
    uint left = i < middle, key = tile[i].x;
    uint begin = left ? middle : low, end = left ? high : middle;
    while (begin < end) {
        uint probe = (begin + end) / 2;
        if (tile[probe].x < key + !left)
            begin = probe + 1;
        else
            end = probe;
    }
    return i + begin - middle;
}

/* Keys are below 2^32 - 1, here and below. */
__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
sort_tiles(__global const uint2 *from, __global uint2 *to, uint count)
{
    __local uint2 tile[2][TILE];
    uint first = get_group_id(0) * TILE, size = min((uint)TILE, count - first), now = 0;
    for (uint i = get_local_id(0); i < size; i += BLOCK)
        tile[now][i] = from[first + i];
    for (uint run = 1; run < TILE; run *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = get_local_id(0); i < size; i += BLOCK) {
            uint low = i & ~(2 * run - 1);
            tile[!now][place(tile[now], i, low, min(low + run, size), min(low + 2 * run, size))] =
                tile[now][i];
        }
        now = !now;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < size; i += BLOCK)
        to[first + i] = tile[now][i];
}

/* How many of the first `taken` elements of the merged run come from its left one. */
static uint split(__global const uint2 *left, uint left_size, __global const uint2 *right,
                  uint right_size, uint taken)
{
    uint begin = taken > right_size ? taken - right_size : 0, end = min(taken, left_size);
    while (begin < end) {
        uint probe = (begin + end) / 2;
        if (left[probe].x <= right[taken - 1 - probe].x)
            begin = probe + 1;
        else
            end = probe;
    }
    return begin;
}

/* Merges pairs of sorted runs; a run has a multiple of TILE elements, but for the last. */
__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
merge_runs(__global const uint2 *from, __global uint2 *to, uint count, uint run)
{
    __local uint2 tile[TILE];
    __local uint from_left[2];
    uint lane = get_local_id(0), first = get_group_id(0) * TILE,
         size = min((uint)TILE, count - first);
    uint start = first & ~(2 * run - 1), taken = first - start;
    uint left_size = min(run, count - start), right_size = min(run, count - start - left_size);
    __global const uint2 *left = from + start, *right = left + left_size;
    if (lane < 2)
        from_left[lane] = split(left, left_size, right, right_size, taken + lane * size);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint middle = from_left[1] - from_left[0];
    for (uint i = lane; i < size; i += BLOCK)
        tile[i] = i < middle ? left[from_left[0] + i] : right[taken - from_left[0] + i - middle];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = lane; i < size; i += BLOCK)
        to[first + place(tile, i, 0, middle, size)] = tile[i];
}

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/pathfinder/pathfinder.cl: cheapest way down a grid of costs, where a step leads to
 * the cell below or to one of that cell's two neighbours: dynamic programming, row by row. A launch
 * goes down `steps` rows. A work-group keeps one row of its columns in local memory and its answers
 * shrink by one column on both sides with each row (a pyramid), so groups overlap by twice `halo`
 * columns and those at the sides go idle: neighbouring groups load the same costs, two barriers
 * stand in each row, and the outer warps diverge. */

#define BLOCK 256

__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
pathfinder(__global const int *cost, __global const int *from, __global int *to, int columns,
           int first_row, int steps, int halo)
{
    __local int row[BLOCK];
    int x = get_local_id(0);
    int column = (int)get_group_id(0) * (BLOCK - 2 * halo) - halo + x;
    int inside = column >= 0 && column < columns;
    /* The grid's first and last column have one neighbour less: they meet themselves instead. */
    int left = column == 0 ? x : x - 1, right = column == columns - 1 ? x : x + 1;
    if (inside)
        row[x] = from[column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 1; step <= steps; step++) {
        int best = 0, known = inside && x >= step && x < BLOCK - step;
        if (known)
            best = min(row[x], min(row[left], row[right])) +
                   cost[(first_row + step - 1) * columns + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (known)
            row[x] = best;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (inside && x >= halo && x < BLOCK - halo)
        to[column] = row[x];
}

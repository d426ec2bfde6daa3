/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/lud/lud.cl: A = L U in place, without pivoting, in 16x16 tiles (Golub, Van Loan:
 * Matrix Computations, section 3.2: block LU). For each tile of the diagonal, that begins at row
 * and column `first`, three launches: the tile itself by one work-group of half a warp, the tiles
 * on its right and below it by a group each pair, and all tiles beyond those by a group each.
 *
 * Parallelism comes and goes: one group, then a row of them, then a square that is smaller every
 * time. The first kernel is a chain of barriers with fewer and fewer lanes; in the second the two
 * halves of each warp go separate ways; the third is dense arithmetic on local memory, and its
 * groups load the same tiles of the second over and over.
 *
 * Every element is lessened by one product after the other in the order of the columns, and nothing
 * is contracted, so that the host can repeat it bit by bit without tiles. */
#pragma OPENCL FP_CONTRACT OFF

#define TILE 16

__kernel __attribute__((reqd_work_group_size(TILE, 1, 1))) void
diagonal(__global float *a, uint order, uint first)
{
    __local float tile[TILE][TILE];
    uint x = get_local_id(0);
    a += first * order + first;
    for (uint y = 0; y < TILE; y++)
        tile[y][x] = a[y * order + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < TILE - 1; i++) {
        if (x > i) { /* column i of L, one element per lane */
            for (uint k = 0; k < i; k++)
                tile[x][i] -= tile[x][k] * tile[k][i];
            tile[x][i] /= tile[i][i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (x > i) /* row i + 1 of U */
            for (uint k = 0; k <= i; k++)
                tile[i + 1][x] -= tile[i + 1][k] * tile[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint y = 1; y < TILE; y++)
        a[y * order + x] = tile[y][x];
}

__kernel __attribute__((reqd_work_group_size(2 * TILE, 1, 1))) void
perimeter(__global float *a, uint order, uint first)
{
    __local float corner[TILE][TILE];
    __local float right[TILE][TILE];
    __local float below[TILE][TILE];
    uint item = get_local_id(0), x = item % TILE, lower = item / TILE;
    uint away = (get_group_id(0) + 1) * TILE; /* of the two tiles from the diagonal's */
    a += first * order + first;
    for (uint y = lower; y < TILE; y += 2)
        corner[y][x] = a[y * order + x];
    if (lower)
        for (uint y = 0; y < TILE; y++)
            below[y][x] = a[(away + y) * order + x];
    else
        for (uint y = 0; y < TILE; y++)
            right[y][x] = a[y * order + away + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lower) /* a row of L a lane */
        for (uint i = 0; i < TILE; i++) {
            for (uint k = 0; k < i; k++)
                below[x][i] -= below[x][k] * corner[k][i];
            below[x][i] /= corner[i][i];
        }
    else /* a column of U a lane */
        for (uint i = 1; i < TILE; i++)
            for (uint k = 0; k < i; k++)
                right[i][x] -= corner[i][k] * right[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lower)
        for (uint y = 0; y < TILE; y++)
            a[(away + y) * order + x] = below[y][x];
    else
        for (uint y = 0; y < TILE; y++)
            a[y * order + away + x] = right[y][x];
}

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
internal(__global float *a, uint order, uint first)
{
    __local float right[TILE][TILE];
    __local float below[TILE][TILE];
    uint x = get_local_id(0), y = get_local_id(1);
    uint column = get_global_id(0) + TILE, row = get_global_id(1) + TILE;
    a += first * order + first;
    right[y][x] = a[y * order + column];
    below[y][x] = a[row * order + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    float element = a[row * order + column];
    for (uint k = 0; k < TILE; k++)
        element -= below[y][k] * right[k][x];
    a[row * order + column] = element;
}

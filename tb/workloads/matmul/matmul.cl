/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/matmul/matmul.cl: C = A B, all of order x order, row by row. A work-group computes a
 * 16x16 tile of C: it steps along a strip of tiles of A and B, and its work-items load each pair of
 * tiles into local memory together. Elements beyond the matrices' edges are zeros. Products are not
 * contracted and are added in the order of A's columns, so that the host can repeat the sum bit by
 * bit. */
#pragma OPENCL FP_CONTRACT OFF

#define TILE 16

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
matmul(__global const float *a, __global const float *b, __global float *c, uint order)
{
    __local float tile_a[TILE][TILE];
    __local float tile_b[TILE][TILE];
    uint x = get_local_id(0), y = get_local_id(1);
    uint column = get_global_id(0), row = get_global_id(1);
    float sum = 0.0f;
    for (uint first = 0; first < order; first += TILE) {
        tile_a[y][x] = row < order && first + x < order ? a[row * order + first + x] : 0.0f;
        tile_b[y][x] = first + y < order && column < order ? b[(first + y) * order + column] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < TILE; k++)
            sum += tile_a[y][k] * tile_b[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < order && column < order)
        c[row * order + column] = sum;
}

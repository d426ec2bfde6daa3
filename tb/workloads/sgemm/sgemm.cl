/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/sgemm/sgemm.cl: C = alpha A B + beta C, tiled in registers. A and C are stored
 * column by column, B row by row. A work-item owns 16 neighbouring elements of one row of C and
 * keeps their sums in registers (Volkov, Demmel: Benchmarking GPUs to Tune Dense Linear Algebra,
 * SC 2008); the 128 rows of a work-group are 128 work-items. Step by step along A's columns the
 * work-group fetches 8 x 16 elements of B into local memory, one a work-item; each work-item then
 * multiplies one element of A, loaded where it is needed, with a row of that tile.
 *
 * Sixteen independent sums a work-item and few warps: what hides latencies here is the
 * instructions of one warp. The lines of A are used once by this block and again by its neighbours.
 * Elements beyond the edges are zeros. */
#pragma OPENCL FP_CONTRACT OFF

#define WIDTH  16 /* columns of C of a work-group, and of a work-item */
#define HEIGHT 8  /* rows of B of one step */
#define ROWS   (WIDTH * HEIGHT)

__kernel __attribute__((reqd_work_group_size(WIDTH, HEIGHT, 1))) void
sgemm(__global const float *a, __global const float *b, __global float *c, uint rows, uint columns,
      uint depth, float alpha, float beta)
{
    __local float tile[HEIGHT][WIDTH];
    uint x = get_local_id(0), y = get_local_id(1);
    uint row = get_group_id(0) * ROWS + y * WIDTH + x, column = get_group_id(1) * WIDTH;
    float sum[WIDTH];
#pragma unroll
    for (uint i = 0; i < WIDTH; i++)
        sum[i] = 0.0f;
    for (uint first = 0; first < depth; first += HEIGHT) {
        bool exists = first + y < depth && column + x < columns;
        tile[y][x] = exists ? b[(first + y) * columns + column + x] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < HEIGHT; k++) {
            float factor = row < rows && first + k < depth ? a[(first + k) * rows + row] : 0.0f;
#pragma unroll
            for (uint i = 0; i < WIDTH; i++)
                sum[i] += factor * tile[k][i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll
    for (uint i = 0; i < WIDTH; i++)
        if (row < rows && column + i < columns) {
            uint at = (column + i) * rows + row;
            c[at] = alpha * sum[i] + beta * c[at];
        }
}

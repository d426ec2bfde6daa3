/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/spmv_jds/spmv_jds.cl: y = A x in jagged diagonals, one work-item a row: rows stand in
 * the order of their lengths, and diagonal k holds the k-th non-zero of each row that is long
 * enough, side by side. So the loads of column and value coalesce, and only those of x diverge. All
 * lanes of a warp take as many trips as its longest row; what short rows lack is zero. Where
 * diagonals begin and how long warps are is constant memory. */
#pragma OPENCL FP_CONTRACT OFF

#define LANES 32

__kernel void spmv_jds(__constant uint *start, __constant uint *length, __global const uint *row,
                       __global const uint *column, __global const float *value,
                       VECTOR const float *x, __global float *y, uint rows)
{
    uint i = get_global_id(0);
    if (i < rows) {
        float sum = 0.0f;
        uint trips = length[i / LANES];
        for (uint k = 0; k < trips; k++) {
            uint at = start[k] + i;
            sum += value[at] * x[column[at]];
        }
        y[row[i]] = sum;
    }
}

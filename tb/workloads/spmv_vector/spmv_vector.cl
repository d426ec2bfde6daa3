/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/spmv_vector/spmv_vector.cl: y = A x in compressed sparse rows, one warp per row
 * ("vector"): the lanes take neighbouring non-zeros, so that the loads of column and value
 * coalesce, and no line is touched again in the next trip. The lanes' sums meet in local memory, in
 * five steps with fewer and fewer lanes. A warp runs in lockstep: it needs no barrier, but its
 * local memory must be volatile. Against spmv: far more instructions and warps, far fewer lines in
 * use at a time, one narrow store per row. */
#pragma OPENCL FP_CONTRACT OFF

#define LANES 32
#define BLOCK 128

__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
spmv_vector(__global const uint *start, __global const uint *column, __global const float *value,
            VECTOR const float *x, __global float *y, uint rows)
{
    __local volatile float sums[BLOCK];
    uint item = get_local_id(0), lane = item % LANES;
    uint row = get_global_id(0) / LANES;
    if (row < rows) {
        float sum = 0.0f;
        uint end = start[row + 1];
        for (uint i = start[row] + lane; i < end; i += LANES)
            sum += value[i] * x[column[i]];
        sums[item] = sum;
        for (uint width = LANES / 2; width > 0; width /= 2)
            if (lane < width)
                sums[item] += sums[item + width];
        if (lane == 0)
            y[row] = sums[item];
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/spmv/spmv.cl: y = A x in compressed sparse rows, one work-item a row ("scalar"):
 * neighbouring work-items walk different rows, so their loads diverge, and each work-item finds
 * again in its next trip the line that it touched in this one, if L1D kept it. Products are not
 * contracted, so that the host can repeat the sum bit by bit. */
#pragma OPENCL FP_CONTRACT OFF

__kernel void spmv(__global const uint *start, __global const uint *column,
                   __global const float *value, VECTOR const float *x, __global float *y,
                   uint rows)
{
    uint row = get_global_id(0);
    if (row < rows) {
        float sum = 0.0f;
        uint end = start[row + 1];
        for (uint i = start[row]; i < end; i++)
            sum += value[i] * x[column[i]];
        y[row] = sum;
    }
}

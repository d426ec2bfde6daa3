/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/mm/mm.cl: matrix product C = A B, as a map over the elements of C: each work-item takes a
 * row of A and a column of B and sums their products. B is stored by columns (A and the transpose of
 * B are both rows x columns), so each lane walks a line of its own: a trip touches 32 lines, the
 * next 31 trips the same ones again, for as long as L1D keeps them. Unlike `matmul` it stages
 * nothing in local memory. */
#pragma OPENCL FP_CONTRACT OFF

__kernel void mm(__global const float *a, __global const float *b, __global float *c, uint rows,
                 uint columns)
{
    uint i = get_global_id(1), j = get_global_id(0);
    if (i >= rows || j >= rows)
        return;
    float sum = 0;
    for (uint k = 0; k < columns; k++)
        sum += a[i * columns + k] * b[j * columns + k];
    c[i * rows + j] = sum;
}

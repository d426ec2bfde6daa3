/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/syrk/syrk.cl: symmetric rank-k update C = alpha A A^T + beta C, A rows x columns and
 * C rows x rows, one work-item an element of C, in groups 32 wide. A warp computes 32 neighbours of
 * one row of C: they share a row of A and walk one row of A each, so every trip touches 32 lines
 * and the next trips the same ones again, for as long as L1D keeps them; and the warps of a group,
 * all on the same columns of C, touch the same 32. An SM full of warps thrashes what a few would
 * use. The sum grows in global memory, one store a trip, as the plain form has it. */
#pragma OPENCL FP_CONTRACT OFF

__kernel void syrk(__global const float *a, __global float *c, uint rows, uint columns, float alpha,
                   float beta)
{
    uint i = get_global_id(1), j = get_global_id(0);
    if (i >= rows || j >= rows)
        return;
    c[i * rows + j] *= beta;
    for (uint k = 0; k < columns; k++)
        c[i * rows + j] += alpha * a[i * columns + k] * a[j * columns + k];
}

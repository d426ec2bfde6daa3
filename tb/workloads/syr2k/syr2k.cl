/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/syr2k/syr2k.cl: symmetric rank-2k update C = alpha A B^T + alpha B A^T + beta C, A
 * and B rows x columns and C rows x rows, one work-item an element of C, in groups 32 wide. As in
 * syrk a warp shares one row of A and walks 32 others, and so with B: 64 lines for each trip, used
 * again in the next ones and by the other warps of the group if L1D kept them, half of it for one
 * warp alone. The sum grows in global memory, one store a trip, as the plain form has it. */
#pragma OPENCL FP_CONTRACT OFF

__kernel void syr2k(__global const float *a, __global const float *b, __global float *c, uint rows,
                    uint columns, float alpha, float beta)
{
    uint i = get_global_id(1), j = get_global_id(0);
    if (i >= rows || j >= rows)
        return;
    c[i * rows + j] *= beta;
    for (uint k = 0; k < columns; k++)
        c[i * rows + j] += alpha * a[i * columns + k] * b[j * columns + k] +
                           alpha * b[i * columns + k] * a[j * columns + k];
}

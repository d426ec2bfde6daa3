/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/gesummv/gesummv.cl: y = alpha A x + beta B x, one work-item a row of both matrices.
 * A trip loads 32 lines of A, 32 of B and one of x for a warp: two warps' lines fill an L1D of
 * 16 KB, and each line is good for 32 trips if it stays. The sums grow in global memory. */
__kernel void gesummv(__global const float *a, __global const float *b, __global const float *x,
                      __global float *t, __global float *y, uint rows, uint columns, float alpha,
                      float beta)
{
    uint i = get_global_id(0);
    if (i >= rows)
        return;
    t[i] = 0.0f;
    y[i] = 0.0f;
    for (uint j = 0; j < columns; j++) {
        t[i] += a[i * columns + j] * x[j];
        y[i] += b[i * columns + j] * x[j];
    }
    y[i] = alpha * t[i] + beta * y[i];
}

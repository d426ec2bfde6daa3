/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/atax/atax.cl: y = A^T (A x), one work-item a sum, the product in brackets first. The
 * first kernel's warps walk 32 rows each and thrash L1D; the second's loads coalesce and find
 * nothing again. */
__kernel void atax_rows(__global const float *a, __global const float *x, __global float *t,
                        __global float *y, uint rows, uint columns)
{
    uint i = get_global_id(0);
    if (i < rows) {
        t[i] = 0.0f;
        add_row(&t[i], a, x, i, columns);
    }
}

__kernel void atax_columns(__global const float *a, __global const float *x, __global float *t,
                           __global float *y, uint rows, uint columns)
{
    uint j = get_global_id(0);
    if (j < columns) {
        y[j] = 0.0f;
        add_column(&y[j], a, t, j, rows, columns);
    }
}

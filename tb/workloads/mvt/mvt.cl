/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/mvt/mvt.cl: x1 += A y1, then x2 += A^T y2, one work-item a sum. The first kernel's
 * warps walk 32 rows each and thrash L1D; the second's loads coalesce and find nothing again. */
__kernel void mvt_rows(__global const float *a, __global const float *y1, __global const float *y2,
                       __global float *x1, __global float *x2, uint rows, uint columns)
{
    uint i = get_global_id(0);
    if (i < rows)
        add_row(&x1[i], a, y1, i, columns);
}

__kernel void mvt_columns(__global const float *a, __global const float *y1,
                          __global const float *y2, __global float *x1, __global float *x2,
                          uint rows, uint columns)
{
    uint j = get_global_id(0);
    if (j < columns)
        add_column(&x2[j], a, y2, j, rows, columns);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/bicg/bicg.cl: the two products of a BiCGStab iteration, s = A^T r and then q = A p,
 * one work-item a sum. The first kernel's loads coalesce and find nothing again; the second's warps
 * walk 32 rows each and thrash L1D. */
__kernel void bicg_columns(__global const float *a, __global const float *r,
                           __global const float *p, __global float *s, __global float *q, uint rows,
                           uint columns)
{
    uint j = get_global_id(0);
    if (j < columns) {
        s[j] = 0.0f;
        add_column(&s[j], a, r, j, rows, columns);
    }
}

__kernel void bicg_rows(__global const float *a, __global const float *r, __global const float *p,
                        __global float *s, __global float *q, uint rows, uint columns)
{
    uint i = get_global_id(0);
    if (i < rows) {
        q[i] = 0.0f;
        add_row(&q[i], a, p, i, columns);
    }
}

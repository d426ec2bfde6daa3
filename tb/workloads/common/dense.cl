/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/dense.cl: the two ways through a dense rows x columns matrix A, row by row in
 * memory, that matrix-vector kernels with one work-item a sum take. Sums grow in global memory, one
 * store a product, as the plain form of these kernels has it. Products are not contracted, so that
 * the host can repeat the sums bit by bit. */
#pragma OPENCL FP_CONTRACT OFF

/* *sum += row `row` of A times x. Neighbouring work-items walk neighbouring rows: a warp's load
 * touches a line for each lane, and touches the same lines again in the next trips, if L1D kept
 * them. x[j] is one line for all. */
void add_row(__global float *sum, __global const float *a, __global const float *x, uint row,
             uint columns)
{
    for (uint j = 0; j < columns; j++)
        *sum += a[row * columns + j] * x[j];
}

/* *sum += column `column` of A times x. A warp's load is one line, and no line is used twice. */
void add_column(__global float *sum, __global const float *a, __global const float *x, uint column,
                uint rows, uint columns)
{
    for (uint i = 0; i < rows; i++)
        *sum += a[i * columns + column] * x[i];
}

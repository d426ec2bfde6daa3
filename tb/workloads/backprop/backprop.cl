/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/backprop/backprop.cl: the two heavy steps in training a neural network by back
 * propagation (Rumelhart, Hinton, Williams: Learning Representations by Back-Propagating Errors,
 * Nature 1986), between many inputs and 16 hidden units. A work-group of 16x16 work-items takes 16
 * inputs, a work-item one weight.
 *
 * forward adds the weighted inputs of a group in local memory, in four steps with a barrier each,
 * in which ever more rows of the tile, half warps, go idle; one sum a hidden unit is left. adjust
 * only streams: two reads and two writes a weight. Rows have 17 weights, so that warps straddle
 * lines; neighbouring groups share the lines at their edges and nothing else.
 *
 * Unit 0 of a layer is its bias: weights and inputs begin with unit 1's. Products are not
 * contracted, so that the host can repeat sums and weights bit by bit. */
#pragma OPENCL FP_CONTRACT OFF

#define HIDDEN 16
#define PITCH (HIDDEN + 1)
#define ROWS 16 /* inputs of a work-group */

#define RATE 0.3f
#define MOMENTUM 0.3f

__kernel __attribute__((reqd_work_group_size(HIDDEN, ROWS, 1))) void
forward(__global const float *input, __global const float *weight, __global float *partial,
        uint inputs)
{
    __local float row[ROWS];
    __local float sum[ROWS][HIDDEN];
    uint x = get_local_id(0), y = get_local_id(1);
    uint unit = get_global_id(1) + 1;
    if (x == 0)
        row[y] = unit <= inputs ? input[unit] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum[y][x] = unit <= inputs ? weight[unit * PITCH + x + 1] * row[y] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 1; step < ROWS; step *= 2) {
        if (y % (2 * step) == 0)
            sum[y][x] += sum[y + step][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (x == 0)
        partial[get_group_id(1) * HIDDEN + y] = sum[0][y];
}

void change(__global float *weight, __global float *last, uint i, float gradient)
{
    float step = RATE * gradient + MOMENTUM * last[i];
    weight[i] += step;
    last[i] = step;
}

__kernel __attribute__((reqd_work_group_size(HIDDEN, ROWS, 1))) void
adjust(__global const float *input, __global const float *delta, __global float *weight,
       __global float *last, uint inputs)
{
    uint x = get_local_id(0) + 1, unit = get_global_id(1) + 1;
    if (unit <= inputs)
        change(weight, last, unit * PITCH + x, delta[x] * input[unit]);
    if (unit == 1)
        change(weight, last, x, delta[x]);
}

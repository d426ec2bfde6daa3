/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/similarity_score/similarity_score.cl: similarity of all pairs of documents in
 * MapReduce form: the cosine of the angle between their feature vectors, a.b / (|a| |b|). One
 * work-item maps one pair of documents; the vectors lie row by row, and neighbouring tasks have
 * mostly the same first document and neighbouring second ones. So a warp's load of the second
 * vectors touches a line for each lane, which is good for 32 trips if it stays, and which other
 * warps need as well, at other times. The scores are then sorted, the most similar pair first. A
 * pair: the score's bits, 0, the two documents. */
#pragma OPENCL FP_CONTRACT OFF

/* By score, downwards; equal scores by the documents. The scores are not negative: their order is
 * that of their bits. */
int compare(uint4 a, uint4 b, __global const uchar *data, uint order)
{
    if (a.x != b.x)
        return compare_numbers(b.x, a.x);
    return a.z != b.z ? compare_numbers(a.z, b.z) : compare_numbers(a.w, b.w);
}

/* The square of each vector's length. */
__kernel void square_lengths(__global const float *vectors, __global float *squares, uint documents,
                             uint features)
{
    uint document = get_global_id(0);
    if (document >= documents)
        return;
    float sum = 0.0f;
    for (uint k = 0; k < features; k++)
        sum += vectors[document * features + k] * vectors[document * features + k];
    squares[document] = sum;
}

__kernel void emit_scores(__global const float *vectors, __global const float *squares,
                          __global const uint2 *tasks, __global uint4 *pairs, uint num_tasks,
                          uint features)
{
    uint task = get_global_id(0);
    if (task >= num_tasks)
        return;
    uint first = tasks[task].x, second = tasks[task].y;
    float product = 0.0f;
    for (uint k = 0; k < features; k++)
        product += vectors[first * features + k] * vectors[second * features + k];
    float score = product / sqrt(squares[first] * squares[second]);
    pairs[task] = (uint4)(as_uint(score), 0, first, second);
}

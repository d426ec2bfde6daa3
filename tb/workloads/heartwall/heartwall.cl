/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/heartwall/heartwall.cl: follows sample points of a heart's walls through ultrasound
 * frames, a launch a frame and a work-group a point. A point's template, a square of pixels, is
 * correlated with every square of the new frame near the point's old place; the point moves to the
 * best, and the template takes a tenth of what is there. Neighbouring points lie close together, so
 * work-groups with neighbouring numbers read overlapping windows of the frame. Between barriers the
 * phases differ much: few work-items sum columns, all of them correlate, ever fewer look for the
 * best. */
#pragma OPENCL FP_CONTRACT OFF

#define MOST_BLOCK 256 /* work-items of a group */

/* The sum of every work-item's `own`, pairwise. */
static float sum_of_block(__local float *value, float own)
{
    uint lane = get_local_id(0), block = get_local_size(0);
    value[lane] = own;
    for (uint width = MOST_BLOCK / 2; width > 0; width /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < width && lane + width < block)
            value[lane] += value[lane + width];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = value[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum;
}

/* The lowest of the places with the highest score. */
static int best_of_block(__local float *score, __local int *place, float own_score, int own_place)
{
    uint lane = get_local_id(0), block = get_local_size(0);
    score[lane] = own_score;
    place[lane] = own_place;
    for (uint width = MOST_BLOCK / 2; width > 0; width /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint other = lane + width;
        if (lane < width && other < block &&
            (score[other] > score[lane] ||
             (score[other] == score[lane] && place[other] < place[lane]))) {
            score[lane] = score[other];
            place[lane] = place[other];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return place[0];
}

/* Takes the templates, squares of 2 radius + 1, from the first frame. A point is its column, then
 * its row. */
__kernel void capture(__global const float *frame, __global const int *point,
                      __global float *templates, int columns, int radius)
{
    int group = get_group_id(0), side = 2 * radius + 1;
    int left = point[2 * group] - radius, top = point[2 * group + 1] - radius;
    for (int i = get_local_id(0); i < side * side; i += get_local_size(0))
        templates[group * side * side + i] = frame[(top + i / side) * columns + left + i % side];
}

/* Sums of the pixels, and of their squares, of every column of `side` pixels of the window. Running
 * sums; they are whole numbers, so nothing is rounded. */
static void sum_columns(__global const float *window, int columns, int side, int span,
                        __local float *sum, __local float *square)
{
    int width = side + span - 1;
    for (int x = get_local_id(0); x < width; x += get_local_size(0)) {
        float s = 0.0f, q = 0.0f;
        for (int y = 0; y < width; y++) {
            float entering = window[y * columns + x];
            s += entering;
            q += entering * entering;
            if (y >= side) {
                float leaving = window[(y - side) * columns + x];
                s -= leaving;
                q -= leaving * leaving;
            }
            if (y >= side - 1) {
                sum[(y - side + 1) * width + x] = s;
                square[(y - side + 1) * width + x] = q;
            }
        }
    }
}

/* Correlation with the square that lies dx, dy into the window: -1 to 1, or 0 where there is no
 * contrast. total, power: sums of the template's pixels and of their squares. */
static float correlate(__global const float *window, __global const float *pattern, int columns,
                       int side, int span, int dx, int dy, float total, float power,
                       __local const float *sum, __local const float *square)
{
    int width = side + span - 1;
    float count = side * side, cross = 0.0f, s = 0.0f, q = 0.0f;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
            cross += pattern[y * side + x] * window[(dy + y) * columns + dx + x];
    for (int x = 0; x < side; x++) {
        s += sum[dy * width + dx + x];
        q += square[dy * width + dx + x];
    }
    float variance = (count * q - s * s) * (count * power - total * total);
    return variance > 0.0f ? (count * cross - s * total) / sqrt(variance) : 0.0f;
}

/* Moves each point by at most `reach` columns and rows. sum, square: (2 reach + 1) *
 * (2 reach + 2 radius + 1) elements of local memory. */
__kernel void track(__global const float *frame, __global const int *from, __global int *to,
                    __global float *templates, int columns, int rows, int radius, int reach,
                    __local float *sum, __local float *square)
{
    __local float value[MOST_BLOCK];
    __local int place[MOST_BLOCK];
    int group = get_group_id(0), lane = get_local_id(0), block = get_local_size(0);
    int side = 2 * radius + 1, span = 2 * reach + 1, margin = radius + reach;
    int x = from[2 * group], y = from[2 * group + 1];
    __global const float *window = frame + (y - margin) * columns + x - margin;
    __global float *pattern = templates + group * side * side;

    float total = 0.0f, power = 0.0f;
    for (int i = lane; i < side * side; i += block) {
        total += pattern[i];
        power += pattern[i] * pattern[i];
    }
    total = sum_of_block(value, total);
    power = sum_of_block(value, power);

    sum_columns(window, columns, side, span, sum, square);
    barrier(CLK_LOCAL_MEM_FENCE);

    float best = -INFINITY;
    int best_place = span * span;
    for (int i = lane; i < span * span; i += block) {
        float score = correlate(window, pattern, columns, side, span, i % span, i / span, total,
                                power, sum, square);
        if (score > best) {
            best = score;
            best_place = i;
        }
    }
    best_place = best_of_block(value, place, best, best_place);

    x = clamp(x + best_place % span - reach, margin, columns - 1 - margin);
    y = clamp(y + best_place / span - reach, margin, rows - 1 - margin);
    if (lane == 0) {
        to[2 * group] = x;
        to[2 * group + 1] = y;
    }
    for (int i = lane; i < side * side; i += block)
        pattern[i] = 0.9f * pattern[i] +
                     0.1f * frame[(y - radius + i / side) * columns + x - radius + i % side];
}

/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/heartwall/track.c: the frames, and the host's tracker. It adds pixels where the
 * kernel has running sums (both are exact), scores one place after the other, and otherwise does
 * the kernel's float operations in the kernel's order: a template's sums over the work-items'
 * strides, then pairwise; a square's sums column by column. */
#include "tb/workloads/heartwall/track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/image.h"

#define MOST_BLOCK 256
#define BEAT       8    /* frames from the smallest heart to the largest */
#define STRETCH    0.02 /* between neighbouring frames */
#define NOISE      7    /* pixels differ by less */

size_t heart_pixels(const struct heart *heart)
{
    return (size_t)heart->side * (size_t)heart->side;
}

size_t heart_template(const struct heart *heart)
{
    size_t side = 2 * (size_t)heart->radius + 1;
    return side * side;
}

static void make_frame(const struct heart *heart, const struct image *texture, int32_t frame,
                       struct random *random)
{
    float *pixel = heart->pixel + (size_t)frame * heart_pixels(heart);
    int32_t phase = frame % (2 * BEAT), middle = heart->side / 2;
    double scale = 1 + STRETCH * (phase < BEAT ? phase : 2 * BEAT - phase);
    for (int32_t y = 0; y < heart->side; y++)
        for (int32_t x = 0; x < heart->side; x++) {
            uint8_t shade = image_at(texture, middle + (int64_t)((x - middle) / scale),
                                     middle + (int64_t)((y - middle) / scale));
            pixel[y * heart->side + x] = (float)(shade + random_below(random, NOISE));
        }
}

static int32_t inside(const struct heart *heart, int32_t x)
{
    int32_t margin = heart->radius + heart->reach;
    return x < margin ? margin : x >= heart->side - margin ? heart->side - 1 - margin : x;
}

static void place_points(const struct heart *heart)
{
    const int32_t inner = heart->points * 2 / 5, middle = heart->side / 2;
    const double turn = 2 * acos(-1);
    for (int32_t i = 0; i < heart->points; i++) {
        int32_t on_inner = i < inner;
        double angle =
            turn * (on_inner ? (double)i / inner : (double)(i - inner) / (heart->points - inner));
        double ring = middle * (on_inner ? 0.4 : 0.6);
        heart->place[2 * i] = inside(heart, middle + (int32_t)(ring * cos(angle)));
        heart->place[2 * i + 1] = inside(heart, middle + (int32_t)(ring * sin(angle)));
    }
}

void heart_make(struct heart *heart, struct random *random)
{
    struct image texture;
    heart->pixel = allocate((size_t)heart->frames * heart_pixels(heart), sizeof *heart->pixel);
    heart->place = allocate(2 * (size_t)heart->points, sizeof *heart->place);
    image_texture(&texture, (uint32_t)heart->side, (uint32_t)heart->side, random);
    for (int32_t frame = 0; frame < heart->frames; frame++)
        make_frame(heart, &texture, frame, random);
    image_free(&texture);
    place_points(heart);
}

void heart_free(struct heart *heart)
{
    free(heart->pixel);
    free(heart->place);
}

/* The pixels of the square with this corner, row by row. */
static void copy_square(const struct heart *heart, const float *frame, int32_t left, int32_t top,
                        float *square)
{
    int32_t side = 2 * heart->radius + 1;
    for (int32_t y = 0; y < side; y++)
        memcpy(square + y * side, frame + (top + y) * heart->side + left,
               (size_t)side * sizeof *square);
}

/* What a work-group adds up for value[i] (squared: for its square): each work-item a stride, then
 * pairwise. */
static float block_sum(const struct heart *heart, const float *value, int squared)
{
    float sum[MOST_BLOCK] = {0};
    for (size_t i = 0; i < heart_template(heart); i++)
        sum[i % (size_t)heart->block] += squared ? value[i] * value[i] : value[i];
    for (int32_t width = MOST_BLOCK / 2; width > 0; width /= 2)
        for (int32_t i = 0; i < width; i++)
            if (i + width < heart->block)
                sum[i] += sum[i + width];
    return sum[0];
}

/* Sum of the square's columns' sums, or of those of its pixels' squares. */
static float column_sums(const float *square, int32_t side, int squared)
{
    float sum = 0;
    for (int32_t x = 0; x < side; x++) {
        int32_t column = 0;
        for (int32_t y = 0; y < side; y++) {
            int32_t pixel = (int32_t)square[y * side + x];
            column += squared ? pixel * pixel : pixel;
        }
        sum += (float)column;
    }
    return sum;
}

static float correlation(const struct heart *heart, const float *pattern, const float *square,
                         float total, float power)
{
    int32_t side = 2 * heart->radius + 1;
    float count = (float)(side * side), cross = 0, s = column_sums(square, side, 0),
          q = column_sums(square, side, 1);
    for (int32_t i = 0; i < side * side; i++)
        cross += pattern[i] * square[i];
    float variance = (count * q - s * s) * (count * power - total * total);
    return variance > 0 ? (count * cross - s * total) / sqrtf(variance) : 0;
}

/* Moves a point; `square` has room for a template. */
static void move_point(const struct heart *heart, const float *frame, const int32_t from[2],
                       int32_t to[2], float *pattern, float *square)
{
    int32_t radius = heart->radius, reach = heart->reach;
    float total = block_sum(heart, pattern, 0), power = block_sum(heart, pattern, 1);
    float best = -INFINITY;
    for (int32_t dy = -reach; dy <= reach; dy++)
        for (int32_t dx = -reach; dx <= reach; dx++) {
            copy_square(heart, frame, from[0] + dx - radius, from[1] + dy - radius, square);
            float score = correlation(heart, pattern, square, total, power);
            if (score > best) {
                best = score;
                to[0] = inside(heart, from[0] + dx);
                to[1] = inside(heart, from[1] + dy);
            }
        }
    copy_square(heart, frame, to[0] - radius, to[1] - radius, square);
    for (size_t i = 0; i < heart_template(heart); i++)
        pattern[i] = 0.9f * pattern[i] + 0.1f * square[i];
}

void heart_track(const struct heart *heart, int32_t *place, float *templates)
{
    const size_t size = heart_template(heart), places = 2 * (size_t)heart->points;
    float *square = allocate(size, sizeof *square);
    memcpy(place, heart->place, places * sizeof *place);
    for (size_t i = 0; i < places; i += 2)
        copy_square(heart, heart->pixel, place[i] - heart->radius, place[i + 1] - heart->radius,
                    templates + i / 2 * size);
    for (size_t frame = 1; frame < (size_t)heart->frames; frame++)
        for (size_t i = 0; i < places; i += 2)
            move_point(heart, heart->pixel + frame * heart_pixels(heart),
                       place + (frame - 1) * places + i, place + frame * places + i,
                       templates + i / 2 * size, square);
    free(square);
}

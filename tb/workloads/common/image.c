/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/image.c: value noise, in integers only. */
#include "tb/workloads/common/image.h"

#include <stdlib.h>

#include "tb/workloads/common/fail.h"

static int64_t clamp(int64_t x, int64_t count)
{
    return x < 0 ? 0 : x < count ? x : count - 1;
}

uint8_t image_at(const struct image *image, int64_t x, int64_t y)
{
    return image->pixel[clamp(y, image->height) * image->width + clamp(x, image->width)];
}

/* Adds values below `contrast` on a lattice of 2^log points' distance, and what lies between. */
static void add_lattice(struct image *image, unsigned log, unsigned contrast, struct random *random)
{
    const uint32_t cell = 1u << log, columns = (image->width >> log) + 2,
                   rows = (image->height >> log) + 2;
    uint8_t *value = allocate((size_t)rows * columns, sizeof *value);
    for (size_t i = 0; i < (size_t)rows * columns; i++)
        value[i] = (uint8_t)random_below(random, contrast);
    for (uint32_t y = 0; y < image->height; y++)
        for (uint32_t x = 0; x < image->width; x++) {
            const uint8_t *above = value + (size_t)(y >> log) * columns + (x >> log);
            const uint8_t *below = above + columns;
            uint32_t right = x & (cell - 1), left = cell - right;
            uint32_t down = y & (cell - 1), up = cell - down;
            uint32_t sum = up * (left * above[0] + right * above[1]) +
                           down * (left * below[0] + right * below[1]);
            image->pixel[(size_t)y * image->width + x] += (uint8_t)(sum >> (2 * log));
        }
    free(value);
}

void image_texture(struct image *image, uint32_t width, uint32_t height, struct random *random)
{
    *image = (struct image){
        .width = width, .height = height, .pixel = allocate((size_t)width * height, 1)};
    add_lattice(image, 6, 128, random);
    add_lattice(image, 4, 64, random);
    add_lattice(image, 2, 32, random);
    add_lattice(image, 0, 16, random);
}

void image_free(struct image *image)
{
    free(image->pixel);
    *image = (struct image){0};
}
